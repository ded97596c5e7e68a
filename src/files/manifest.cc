#include "files/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/crc.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "files/text_file.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// "BYTES CRC" of a file, or of a link's target path. Throws ResultError.
std::string DigestOfFile(const fs::path& path) {
  boost::crc_32_type crc;
  uint64_t bytes = 0;
  if (std::error_code error; fs::is_symlink(path, error)) {
    const std::string leads = fs::read_symlink(path, error).string();
    crc.process_bytes(leads.data(), leads.size());
    bytes = leads.size();
  } else {
    std::ifstream in(path, std::ios::binary);
    std::vector<char> part(1 << 16);
    while (in.read(part.data(), static_cast<std::streamsize>(part.size())), in.gcount() > 0) {
      crc.process_bytes(part.data(), static_cast<size_t>(in.gcount()));
      bytes += static_cast<uint64_t>(in.gcount());
    }
    if (in.bad() || !in.eof()) throw ResultError(fmt::format("{}: cannot be read", path.string()));
  }
  return fmt::format("{} {:08x}", bytes, crc.checksum());
}

/// Whether the file has one of these digests. Reads it only if one has its size.
bool HasOneOf(const fs::path& path, const std::vector<std::string>& digests) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) {
    const std::string size = std::to_string(fs::file_size(path, error)) + ' ';
    const auto same = [&size](const std::string& digest) { return digest.starts_with(size); };
    if (!error && std::ranges::none_of(digests, same)) return false;
  }
  return std::ranges::find(digests, DigestOfFile(path)) != digests.end();
}

/// Files and links below `folder`, in the order of their names. A folder with a manifest of its own is
/// `closed`: only that manifest counts.
std::set<std::string> FilesIn(const fs::path& folder, bool closed) {
  std::set<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().lexically_relative(folder).string();
    if (!at->is_symlink() && at->is_directory()) {
      if (!closed || !fs::exists(at->path() / kManifest)) continue;
      at.disable_recursion_pending();
      found.insert(name + '/' + kManifest);
    } else {
      found.insert(name);
    }
  }
  if (error) throw ResultError(fmt::format("{}: cannot be read: {}", folder.string(), error.message()));
  found.erase(kManifest);
  return found;
}

}  // namespace

Manifest ReadManifest(const fs::path& folder) {
  Manifest found;
  std::ifstream in(folder / kManifest);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string bytes, crc, command, name;
    if (line.starts_with('#') || !(words >> bytes >> crc >> command) || words.get() != ' ') continue;
    std::getline(words, name);
    const fs::path path(name);
    if (path.filename() == kManifest && path.has_parent_path()) {
      for (const auto& [below, file] : ReadManifest(folder / path.parent_path()))
        found[path.parent_path() / below] = file;
      found[name] = {command, {}};
    } else {
      WrittenFile& file = found[name];
      file.command = command;
      file.digests.push_back(bytes + ' ' + crc);
    }
  }
  return found;
}

void WriteManifest(const fs::path& folder, const std::string& command) {
  TextFile out(folder / kManifest);
  out.Write("# Files that Headroom wrote here and may replace: bytes, CRC-32, command, name.\n");
  for (const std::string& name : FilesIn(folder, true)) {
    if (name.find('\n') != std::string::npos)
      continue;  // no line of the manifest could contain this name, so Headroom does not claim the file
    out.Print("{} {} {}\n", DigestOfFile(folder / name), command, name);
  }
  out.Close();
}

std::vector<std::string> ForeignIn(const fs::path& folder, const Manifest& manifest) {
  std::vector<std::string> foreign;
  for (const std::string& name : FilesIn(folder, false))
    if (!manifest.contains(name)) foreign.push_back(name);
  return foreign;
}

std::vector<std::string> ChangedIn(const fs::path& folder, const Manifest& manifest) {
  std::vector<std::string> changed;
  for (const std::string& name : FilesIn(folder, false)) {
    const auto listed = manifest.find(name);
    if (listed == manifest.end() || listed->second.digests.empty()) continue;
    if (!HasOneOf(folder / name, listed->second.digests)) changed.push_back(name);
  }
  return changed;
}

}  // namespace headroom
