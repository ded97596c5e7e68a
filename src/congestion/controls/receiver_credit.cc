// Credits of the receiver: it paces its senders, one credit for each packet.
//
// Our own scheme, after no publication. The first bandwidth-delay product of a queue pair's new backlog needs
// no credits. For the rest the queue pair requests credits from its receiver. The receiver gives credits at a
// share of its line rate, in round-robin order over its senders (nic/credit_scheduler.h). A retransmitted
// packet takes a credit as well.
//
// A queue pair never has more than two bandwidth-delay products of credits that it has requested and not
// spent. So a sender that is delayed, or gone, wastes at most this much of its receiver's capacity.
#include <algorithm>
#include <optional>

#include "scenario/keys/hosts/control_keys.h"

namespace headroom {
namespace {

struct ReceiverCreditParameters {
  double share = 0.98;
  std::optional<Bytes> free;
  std::optional<Time> retry;
  bool control_class = true;
  bool operator==(const ReceiverCreditParameters&) const = default;

  CreditParameters credits() const { return {.share = share, .control_class = control_class}; }
};

class ReceiverCredit final : public Control {
 public:
  explicit ReceiverCredit(const ReceiverCreditParameters& p) : Control(kCredits), p_(p) {}

  void Begin(const ControlPath& path) override {
    const int64_t product = BytesIn(path.round_trip, path.line).v;
    const int64_t fills = (product + path.full.v - 1) / path.full.v;
    first_ = p_.free ? (p_.free->v + path.mtu - 1) / path.mtu : fills;
    most_ = 2 * fills;
    // A queue pair at its receiver's full rate must not spend this many credits before an answer can arrive.
    step_ = std::max<int64_t>(1, fills / 2);
    patience_ = p_.retry.value_or(path.round_trip * 4 + Microseconds(100));
    free_ = credits_ = left_ = 0;
    asked_ = credited_ = 0;
    tries_ = 0;
    ask_ = Ask::none;
    timer_ = kNever;
    rate_ = path.line;
    Set();
  }

  void OnBacklog(Time now, uint64_t packets, bool fresh) override {
    // Credits may come more slowly than ACKs. So a backlog that waits for credits is not fresh, although all
    // earlier packets are acknowledged.
    const bool begins = fresh && left_ == 0;
    left_ = static_cast<int64_t>(packets);
    if (begins) {
      free_ = first_;
      credits_ = 0;
    }
    AskFor(now);
    Set();
  }

  void OnSent(Time now, int64_t) override {
    left_ = std::max<int64_t>(0, left_ - 1);
    --(free_ > 0 ? free_ : credits_);
    AskFor(now);
    Set();
  }

  void OnCredit(Time now, uint64_t total) override {
    if (total <= credited_) return;
    credits_ += static_cast<int64_t>(total - credited_);
    credited_ = total;
    tries_ = 0;
    timer_ = Due() > 0 ? now + patience_ : kNever;
    Set();
  }

  void OnTimer(Time now) override {
    timer_ = kNever;
    if (Due() <= 0 || left_ == 0) return;
    ask_ = Ask::again;
    constexpr int kMostTries = 6;
    tries_ = std::min(tries_ + 1, kMostTries);
    timer_ = now + patience_ * (int64_t{1} << tries_);
  }

 private:
  /// Credits that were requested and have not arrived.
  int64_t Due() const { return static_cast<int64_t>(asked_) - static_cast<int64_t>(credited_); }

  void AskFor(Time now) {
    const int64_t has = credits_ + Due(), more = std::min(left_ - free_, most_) - has;
    if (more > 0 && has <= most_ - step_) {
      asked_ += static_cast<uint64_t>(more);
      ask_ = Ask::more;
    }
    if (Due() > 0 && left_ > 0 && timer_ == kNever) timer_ = now + patience_;
  }

  void Set() { window_ = free_ + credits_ > 0 ? UINT64_MAX : 0; }

  const ReceiverCreditParameters& p_;
  int64_t first_ = 0;    ///< packets of a fresh backlog that need no credits
  int64_t most_ = 0;     ///< largest number of credits that it may hold or wait for
  int64_t step_ = 0;     ///< it requests more after spending this many
  int64_t free_ = 0;     ///< packets that may still go without credits
  int64_t credits_ = 0;  ///< unspent credits; below 0: packets were sent again ahead of their credits
  int64_t left_ = 0;     ///< packets to send
  Time patience_;        ///< time without credits until it repeats its request
  int tries_ = 0;
};

const keys::KeysOf<ReceiverCreditParameters>& ReceiverCreditKeys() {
  using P = ReceiverCreditParameters;
  static const keys::KeysOf<P> keys = keys::ControlKeys<P>(
      "receiver_credit", "models/congestion-control.md",
      {{"share",
        &P::share,
        keys::Fractions(),
        "share of its line rate for which a host gives credits; for hosts with other controls: 98%",
        {.tried = {"0.9"}}},
       {"free",
        &P::free,
        keys::Maybe(keys::Sizes(Bytes(0))),
        "payload that a queue pair sends without credits when it starts to send",
        {.standard = "bandwidth-delay product of the queue pair's path", .tried = {"*4", "/4"}}},
       {"retry",
        &P::retry,
        keys::Maybe(keys::Times(Nanoseconds(1), Seconds(1))),
        "time without credits after which a queue pair asks again; doubled after each request",
        {.standard = "100us plus four round trips of the queue pair's path"}},
       {"priority", &P::control_class, keys::OneOf<bool>({{"cnp", true}, {"same", false}}),
        "traffic class of credits and requests: the class of CNPs, or the class of the data"}});
  return keys;
}

const auto kReceiverCredit = keys::RegisteredControl::Of<ReceiverCredit>(5, ReceiverCreditKeys);

}  // namespace
}  // namespace headroom
