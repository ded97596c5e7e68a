#include "protocol/smc/smc_carrier.h"

#include <utility>

#include "ip/ip_stack.h"

namespace headroom {

SmcCarrier::SmcCarrier(const ApplicationCosts& costs, const SmcParameters& parameters, uint8_t tcp_priority,
                       const std::string& name)
    : costs_(costs), parameters_(parameters), name_(name), tcp_(costs, tcp_priority) {}

SmcHost& SmcCarrier::HostAt(const StreamSite& site) {
  std::unique_ptr<SmcHost>& host = hosts_[site.host];
  if (host == nullptr)
    host = std::make_unique<SmcHost>(site.process->verbs(), site.ip->Node(site.host)->GetId(),
                                     site.process->trail(), parameters_,
                                     name_ + '/' + std::to_string(site.host));
  return *host;
}

StreamCarrier::Ends SmcCarrier::Make(const StreamSite& opener, const StreamSite& accepter,
                                     const std::string& name) {
  Ends tcp = tcp_.Make(opener, accepter, name);
  return {std::make_unique<SmcStream>(opener, HostAt(opener), accepter.host, true, std::move(tcp.opener),
                                      costs_, parameters_),
          std::make_unique<SmcStream>(accepter, HostAt(accepter), opener.host, false, std::move(tcp.accepter),
                                      costs_, parameters_)};
}

}  // namespace headroom
