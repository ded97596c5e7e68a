#include "cli/shipped.h"

#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace headroom {

namespace fs = std::filesystem;

fs::path ShippedFolder(const std::string& name) {
  const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
  const char* const named = std::getenv("HEADROOM_SHARE");
  // The installed place comes first. For a program in /usr/bin, "../.." is the root, where any folder may
  // have such a name.
  std::vector<fs::path> candidates = {bin / "../share/headroom" / name, bin / "../.." / name};
  if (named != nullptr) candidates.insert(candidates.begin(), fs::path(named) / name);
  for (const fs::path& candidate : candidates) {
    if (!fs::is_directory(candidate)) continue;
    const fs::path found = fs::canonical(candidate);
    // A path below the working directory is shown as a person would type it.
    const fs::path near = fs::proximate(found);
    return near.string().starts_with("..") ? found : near;
  }
  throw std::invalid_argument(
      "the folder " + name +
      ", which headroom needs, is missing next to the program; set HEADROOM_SHARE to the folder that has "
      "it, such as PREFIX/share/headroom");
}

}  // namespace headroom
