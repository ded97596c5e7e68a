#include "scenario/keys/services/application_cost_keys.h"

namespace headroom::keys {

namespace {

const KeysOf<TcpStackCosts>& StackKeys() {
  using C = TcpStackCosts;
  static const KeysOf<C> keys({.name = "tcp_stack_costs", .page = kApplicationPage},
                              {{"call", &C::call, Times(Time(0), Milliseconds(1)),
                                "of a thread, for each call that sends or receives up to 64 KiB"},
                               {"delay", &C::delay, Times(Time(0), Milliseconds(1)),
                                "of what is sent or received, at each end, without work of the thread"}});
  return keys;
}

}  // namespace

const KeysOf<ApplicationCosts>& ApplicationCostKeys() {
  using C = ApplicationCosts;
  const auto times = [] { return Times(Time(0), Milliseconds(10)); };
  static const KeysOf<C> keys(
      {.name = "application_costs", .page = kApplicationPage},
      {{"post", &C::post, times(), "to post a work request"},
       {"completion", &C::completion, times(), "to take a completion and post its RECV again"},
       {"copy", &C::copy, Rates(), "of copied data"},
       {"registration", &C::registration, times(), "to register memory, or undo it"},
       {"queue_pair", &C::queue_pair, times(), "to make a queue pair with its completion queue"},
       {"wake", &C::wake, times(), "from an event until a sleeping thread runs"},
       {"turn", &C::turn, times(), "of a turn of an event loop"},
       {"kernel", &C::kernel, Mapping(StackKeys()), "TCP in the kernel"},
       {"user_space", &C::user_space, Mapping(StackKeys()), "TCP in user space (libvma)"}});
  return keys;
}

}  // namespace headroom::keys
