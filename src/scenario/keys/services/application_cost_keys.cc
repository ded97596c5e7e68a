#include "scenario/keys/services/application_cost_keys.h"

#include <algorithm>

namespace headroom::keys {

namespace {

/// The keys of a stack that has its own defaults.
template <TcpStackCosts ApplicationCosts::*Stack>
const KeysOf<TcpStackCosts>& StackKeys(const char* section) {
  using C = TcpStackCosts;
  static const KeysOf<C> keys({.name = section, .page = kApplicationPage, .cost = Cost::diagnosis},
                              {{"call", &C::call, Times(Time(0), Milliseconds(1)),
                                "time of a thread for each call that sends or receives up to 64 KiB"},
                               {"delay", &C::delay, Times(Time(0), Milliseconds(1)),
                                "delay of sent or received data at each end, without work of the thread"}},
                              {}, [] { return ApplicationCosts{}.*Stack; });
  return keys;
}

const std::vector<KeyOf<ApplicationCosts>>& AllCosts() {
  using C = ApplicationCosts;
  const auto times = [] { return Times(Time(0), Milliseconds(10)); };
  static const std::vector<KeyOf<C>> keys{
      {"post", &C::post, times(), "time to post a work request"},
      {"completion", &C::completion, times(), "time to take a completion and post its RECV again"},
      {"copy", &C::copy, Rates(), "rate at which data are copied"},
      {"registration", &C::registration, times(), "time to register memory, or to undo this"},
      {"queue_pair", &C::queue_pair, times(), "time to create a queue pair with its completion queue"},
      {"wake", &C::wake, times(), "time from an event until a sleeping thread runs"},
      {"turn", &C::turn, times(), "time of one turn of an event loop"},
      {"kernel", &C::kernel, Mapping(StackKeys<&C::kernel>("kernel_tcp_costs")),
       "costs of TCP in the kernel"},
      {"user_space", &C::user_space, Mapping(StackKeys<&C::user_space>("user_space_tcp_costs")),
       "costs of TCP in user space (libvma)"},
      {"smc_r", &C::smc_r, Mapping(StackKeys<&C::smc_r>("smc_r_costs")),
       "costs of SMC-R sockets; only the receiver has the delay"}};
  return keys;
}

Section SectionOf(const char* name) {
  return {.name = name, .page = kApplicationPage, .cost = Cost::diagnosis};
}

}  // namespace

const KeysOf<ApplicationCosts>& ApplicationCostKeys() {
  static const KeysOf<ApplicationCosts> keys(SectionOf("application_costs"), AllCosts());
  return keys;
}

KeysOf<ApplicationCosts> ApplicationCostKeysOf(const char* section, const std::vector<const char*>& names) {
  std::vector<KeyOf<ApplicationCosts>> keys;
  for (const KeyOf<ApplicationCosts>& key : AllCosts()) {
    if (std::ranges::find(names, key.name) != names.end()) keys.push_back(key);
  }
  return {SectionOf(section), keys};
}

}  // namespace headroom::keys
