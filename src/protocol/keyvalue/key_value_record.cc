#include "protocol/keyvalue/key_value_record.h"

namespace headroom {

std::vector<ResourceUse> KeyValueRecord::Uses() const {
  std::vector<ResourceUse> uses;
  if (polls) return uses;
  for (const auto* threads : {&processes, &client_threads}) {
    for (const ServerProcessRecord& p : *threads)
      uses.push_back({ResourceUse::Kind::thread, p.host, p.process, p.busy(), p.span});
  }
  return uses;
}

void KeyValueRecord::PackShare(Packer& to) const {
  KeyValueRecord share = *this;
  share.PackShareOf(to);
}

/// All ranks make all processes.
std::shared_ptr<const ServiceRecord> KeyValueRecord::JoinedWith(
    Unpacker& share, const std::function<bool(NodeId)>& there) const {
  auto joined = std::make_shared<KeyValueRecord>(*this);
  KeyValueRecord other;
  other.PackShareOf(share);
  for (size_t i = 0; i < processes.size(); ++i) {
    if (there(processes[i].host)) joined->processes[i] = other.processes.at(i);
  }
  for (auto sum :
       {&KeyValueRecord::hits, &KeyValueRecord::misses, &KeyValueRecord::wrong, &KeyValueRecord::retried,
        &KeyValueRecord::stale_answers, &KeyValueRecord::reads, &KeyValueRecord::torn,
        &KeyValueRecord::refused, &KeyValueRecord::evicted, &KeyValueRecord::overwritten})
    (*joined).*sum += other.*sum;
  return joined;
}

}  // namespace headroom
