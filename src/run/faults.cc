#include "run/faults.h"

#include <fmt/format.h>

#include <bit>

#include "run/network.h"

namespace headroom {

/// Starts and stops one fault.
class Faults::Timer final : public EventTarget {
 public:
  Timer(Faults& faults, EntityId entity, const Change& note, const FaultTimes& times,
        std::function<void()> start, std::function<void()> stop)
      : faults_(faults),
        note_(note),
        times_(times),
        start_(std::move(start)),
        stop_(std::move(stop)),
        entity_(entity) {
    Push(times_.start, kStart);
  }

  void OnEvent(uint64_t arg) override {
    const bool start = arg == kStart;
    (start ? start_ : stop_)();
    note_.at = EventQueue::Get().now();
    note_.start = start;
    if (Parts::Get().Reports()) {
      faults_.changes_.push_back(note_);
      faults_.noted_.Note();
    }
    if (start && times_.stop != kNever) return Push(times_.stop, kStop);
    if (!start && ++done_ < times_.count) Push(times_.start, kStart);
  }

 private:
  static constexpr uint64_t kStart = 0, kStop = 1;
  void Push(Time at, uint64_t arg) {
    EventQueue::Get().PushTarget(at + times_.every * done_, TimedEvent::Order(EventClass::fault, entity_),
                                 this, arg);
  }

  Faults& faults_;
  Change note_;
  FaultTimes times_;
  std::function<void()> start_, stop_;
  EntityId entity_;
  int done_ = 0;
};

namespace {

/// The priority that a mask names; −1 unless it names exactly one.
int OnlyPriority(uint8_t mask) { return std::has_single_bit(mask) ? std::countr_zero(mask) : -1; }

const char* FramesName(const PauseStormParameters& storm) {
  if (storm.frames == PauseStormParameters::Frames::global) return " of global pauses";
  if (storm.frames == PauseStormParameters::Frames::disabled) return " of PFC that names no priority";
  return storm.quanta == 0 ? " of resumes" : "";
}

}  // namespace

Faults::Faults(Network& network)
    : network_(network),
      down_(network.scenario().topology.links.size()),
      routed_(network.scenario().topology.links.size()) {
  if (network.scenario().faults.empty()) return;
  entity_ = EventQueue::Get().AddEntity(UINT32_MAX);
  for (const Fault& fault : network.scenario().faults) {
    std::visit([this](const auto& f) { Apply(f); }, fault);
  }
}

Faults::~Faults() = default;

EntityId Faults::AddEntity(NodeId node) const { return EventQueue::Get().AddEntity(network_.context(node)); }

void Faults::Schedule(const Change& note, const FaultTimes& times, std::function<void()> start,
                      std::function<void()> stop) {
  timers_.push_back(
      std::make_unique<Timer>(*this, AddEntity(note.node), note, times, std::move(start), std::move(stop)));
}

void Faults::ScheduleAtBothEnds(const Change& note, const FaultTimes& times, std::function<void()> start,
                                std::function<void()> stop) {
  timers_.push_back(std::make_unique<Timer>(*this, EventQueue::Get().AddEntity(UINT32_MAX), note, times,
                                            std::move(start), std::move(stop)));
}

std::vector<std::pair<size_t, int>> Faults::LinksBetween(NodeId from, NodeId to) const {
  std::vector<std::pair<size_t, int>> found;
  const std::vector<TopologyLink>& links = network_.scenario().topology.links;
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i].a.node == from && links[i].b.node == to) found.emplace_back(i, 0);
    if (links[i].b.node == from && links[i].a.node == to) found.emplace_back(i, 1);
  }
  return found;
}

const LinkEnd& Faults::EndOf(size_t link, int side) const {
  const TopologyLink& l = network_.scenario().topology.links[link];
  return side == 0 ? l.a : l.b;
}

void Faults::Apply(const MarkFault& fault) {
  for (const auto& [link, side] : LinksBetween(fault.from, fault.to))
    network_.link(link).SetMarks(side, fault.packets, fault.every);
}

void Faults::Apply(const LossFault& fault) {
  for (const auto& [i, side] : LinksBetween(fault.from, fault.to)) {
    Link* link = &network_.link(i);
    const size_t number = link->AddTimedLoss(side, fault.probability);
    const LinkEnd& end = EndOf(i, side);
    Schedule(
        {end.node, Index(end), -1, fmt::format("loss of {}", fault.probability)}, fault.times,
        [link, side = side, number] { link->SetTimedLoss(side, number, true); },
        [link, side = side, number] { link->SetTimedLoss(side, number, false); });
  }
}

void Faults::Apply(const PauseStormFault& fault) {
  const EntityId entity = AddEntity(fault.node);
  PauseStorm* storm = nullptr;
  if (network_.IsBuilt(fault.node)) {
    storms_.push_back(std::make_unique<PauseStorm>(fault.storm, &network_.port(fault.node, fault.port),
                                                   &network_.pause_sender(fault.node, fault.port), entity));
    storm = storms_.back().get();
  }
  Schedule(
      {fault.node, static_cast<int>(fault.port), OnlyPriority(fault.storm.priorities),
       fmt::format("pause_storm{}", FramesName(fault.storm))},
      fault.times, [storm] { storm->Start(); }, [storm] { storm->Stop(); });
}

void Faults::Apply(const SlowReceiverFault& fault) {
  const Change note{fault.host, 0, -1, fmt::format("slow_receiver, {} bit/s", fault.rate.v)};
  if (!network_.scenario().nics[fault.host].resources.Ideal()) {
    return Schedule(
        note, fault.times,
        [this, host = fault.host, rate = fault.rate] { network_.nic(host).SlowDown(rate); },
        [this, host = fault.host] { network_.nic(host).Recover(); });
  }
  SlowReceiver* slow = network_.slow_receiver(fault.host);
  Schedule(
      note, fault.times, [slow, rate = fault.rate] { slow->SlowDown(rate); }, [slow] { slow->Recover(); });
}

void Faults::Apply(const CorruptFault& fault) {
  Verbs* verbs = nullptr;
  size_t number = 0;
  if (network_.IsBuilt(fault.host)) {
    verbs = &network_.nic(fault.host).verbs();
    const std::string& name = network_.scenario().topology.nodes[fault.host].name;
    number = verbs->AddCorruption(fault.probability, name + "/corrupt");
  }
  Schedule(
      {fault.host, 0, -1, fmt::format("corrupt, {} of the packets", fault.probability)}, fault.times,
      [verbs, number] { verbs->SetCorruption(number, true); },
      [verbs, number] { verbs->SetCorruption(number, false); });
}

void Faults::Apply(const ExtentNodeDownFault& fault) {
  const std::string& service = network_.scenario().services[fault.service]->name;
  const auto set = [this, service = fault.service, node = fault.node](bool away) {
    if (on_extent_node_) on_extent_node_(service, node, away);
  };
  Schedule(
      {fault.node, -1, -1, "extent_node_down of " + service}, fault.times, [set] { set(true); },
      [set] { set(false); });
}

void Faults::Restart(NodeId node, const char* what, const FaultTimes& times) {
  Schedule(
      {node, -1, -1, what}, times, [this, node] { network_.BeginRestart(node); },
      [this, node] { network_.EndRestart(node); });
}

void Faults::Apply(const PortBlockedFault& fault) {
  const auto queues = [this, fault] {
    if (fault.priorities == 0xff || fault.node < network_.scenario().topology.hosts) return fault.priorities;
    const PortQos& qos = network_.switch_at(fault.node).qos(fault.port);
    uint8_t mask = 0;
    for (int p = 0; p < kPriorities; ++p) {
      if (((fault.priorities >> p) & 1) != 0) mask |= static_cast<uint8_t>(1u << qos.pfc_to_queue[p]);
    }
    return mask;
  };
  const auto port = [this, fault]() -> Port& { return network_.port(fault.node, fault.port); };
  Schedule(
      {fault.node, static_cast<int>(fault.port), OnlyPriority(fault.priorities), "port_blocked"}, fault.times,
      [port, queues] { port().Block(queues()); }, [port, queues] { port().Unblock(queues()); });
}

void Faults::Apply(const MacsecFault& fault) {
  for (const auto& [i, side] : LinksBetween(fault.a, fault.b)) {
    Link* link = &network_.link(i);
    const bool read = fault.a_encrypts == fault.b_expects && fault.b_encrypts == fault.a_expects;
    // The ends of the link from which no PFC frame can be read, and the receiver of these frames on this
    // rank.
    std::vector<std::pair<int, EventTarget*>> unreadable;
    const auto add = [&, i = i](int from) {
      const LinkEnd& to = EndOf(i, 1 - from);
      if (!network_.IsBuilt(to.node)) return;
      corrupt_.push_back(std::make_unique<CorruptPfc>(&network_.port(to.node, to.port_index)));
      unreadable.emplace_back(from, corrupt_.back().get());
    };
    if (fault.a_encrypts != fault.b_expects) add(side);
    if (fault.b_encrypts != fault.a_expects) add(1 - side);
    const LinkEnd& end = EndOf(i, side);
    const char* what = read ? "macsec, both ends alike" : "macsec, PFC cannot be read";
    ScheduleAtBothEnds(
        {end.node, Index(end), -1, what}, fault.times,
        [link, unreadable] {
          for (const auto& [from, target] : unreadable) link->SetPfcTarget(from, target);
        },
        [link, unreadable] {
          for (const auto& [from, target] : unreadable) link->SetPfcTarget(from, nullptr);
        });
  }
}

}  // namespace headroom
