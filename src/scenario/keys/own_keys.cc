#include "scenario/keys/own_keys.h"

#include <list>

namespace headroom::keys {

KeysOf<NicParameters>& AddSection(KeysOf<NicParameters>& to, Section section, const char* help) {
  static std::list<KeysOf<NicParameters>> sections;  // sections live as long as the program runs
  const std::string name = section.name;
  KeysOf<NicParameters>& added =
      sections.emplace_back(std::move(section), std::vector<KeyOf<NicParameters>>{});
  try {
    to.Add(KeyOf<NicParameters>(name.c_str(), Mapping(added), help));
  } catch (...) {
    sections.pop_back();
    throw;
  }
  return added;
}

}  // namespace headroom::keys
