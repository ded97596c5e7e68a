#include "scenario/read/read_hosts.h"

#include "scenario/keys/hosts/host_keys.h"

namespace headroom {

std::vector<HostParameters> ReadHosts(const Node* list, const std::vector<std::string>& names,
                                      Errors& errors) {
  std::vector<HostParameters> hosts(names.size());
  if (!list) return hosts;
  keys::Reading reading{.errors = errors};
  for (const MatchedGroup& group : MatchEntries(*list, names, {}, errors)) {
    errors.Guard([&] {
      HostParameters host;
      if (!group.entries.empty()) keys::HostKeys().Read(group.merged, &host, reading);
      for (const size_t member : group.members) hosts[member] = host;
    });
  }
  return hosts;
}

}  // namespace headroom
