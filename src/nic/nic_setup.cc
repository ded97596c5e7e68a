// Part of Nic: its ns-3 attributes and traces, and its set-up.
#include <ns3/enum.h>
#include <ns3/pointer.h>
#include <ns3/trace-source-accessor.h>

#include <algorithm>
#include <stdexcept>

#include "dcqcn/attributes.h"
#include "nic/nic.h"
namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(Nic);

namespace {

/// Accepts the names of all sets; inside the NIC they are numbers.
ns3::Ptr<const ns3::AttributeChecker> ResourceSetChecker() {
  const auto checker = ns3::Create<ns3::EnumChecker>();
  const std::vector<std::string> names = ResourceSetNames();
  for (size_t i = 0; i < names.size(); ++i) {
    i == 0 ? checker->AddDefault(0, names[i]) : checker->Add(static_cast<int>(i), names[i]);
  }
  return checker;
}

/// A new object whose attributes have their first values. ns-3's CreateObject finds and sets each attribute
/// by its name, which takes longer than the rest of a NIC's set-up.
template <class T>
ns3::Ptr<T> Copied() {
  static const ns3::Ptr<const T> first = ns3::CreateObject<T>();
  return ns3::CopyObject(first);
}

}  // namespace

ns3::TypeId Nic::GetTypeId() {
  static ns3::TypeId tid = WithAttributes<Nic>(
      ns3::TypeId("headroom::Nic")
          .SetParent<ns3::Object>()
          .SetGroupName("Headroom")
          .AddConstructor<Nic>()
          .AddAttribute("ReactionPoint", "Rules of the senders' rates.", ns3::TypeId::ATTR_GET,
                        ns3::PointerValue(), ns3::MakePointerAccessor(&Nic::reaction_point_),
                        ns3::MakePointerChecker<ReactionPoint>())
          .AddAttribute("NotificationPoint", "Rules of the CNPs.", ns3::TypeId::ATTR_GET, ns3::PointerValue(),
                        ns3::MakePointerAccessor(&Nic::notification_point_),
                        ns3::MakePointerChecker<NotificationPoint>())
          .AddAttribute("Resources",
                        "Costs of packets in the NIC, as the name of a set; to be set "
                        "before queue pairs exist.",
                        ns3::EnumValue(0), ns3::MakeEnumAccessor(&Nic::SetResources, &Nic::GetResources),
                        ResourceSetChecker())
          .AddTraceSource("Rate", "A queue pair's rate changed: its number, the time, the rate.",
                          ns3::MakeTraceSourceAccessor(&Nic::rate_trace_), "headroom::Nic::RateTrace")
          .AddTraceSource(
              "Notification",
              "A CNP, or an ACK with an ECN echo, has arrived: the NIC, the queue pair, and whether its "
              "rate was cut.",
              ns3::MakeTraceSourceAccessor(&Nic::notification_trace_), "headroom::Nic::NotificationTrace")
          .AddTraceSource(
              "Completion",
              "A program of verbs polled a completion: the NIC, the host at the other end, the completion.",
              ns3::MakeTraceSourceAccessor(&Nic::completion_trace_), "headroom::Nic::CompletionTrace"),
      kLimiterTable, &Nic::limiter, &Nic::SetLimiter);
  return tid;
}

void Nic::Setup(const NicConfig& config, const std::vector<Port*>& ports) {
  parameters_ = config.parameters;
  paths_ = config.paths;
  name_ = config.name;
  lossless_ = config.lossless;
  std::ranges::copy(ports, ports_.begin());
  events_ = &EventQueue::Get();
  entity_ = config.entity;
  host_ = config.host;
  pool_ = &ports_[0]->pool();
  const NicParameters& p = *parameters_;
  constants_ = Interned(Constants{.hosts = config.hosts,
                                  .mtu = config.mtu,
                                  .ack_bytes = static_cast<uint32_t>(config.frames.AckWith(0).v),
                                  .gap = config.frames.gap,
                                  .tx_latency = p.tx_latency,
                                  .cnp_priority = config.cnp_priority,
                                  .hidden_fence = p.hidden_fence,
                                  .transport = p.transport,
                                  .registration_latency = p.registration_latency,
                                  .frames = config.frames,
                                  .plain_frames = config.frames.InOrder()});
  if (const RecoveryParameters& recovery = p.transport.recovery; recovery.HasContexts()) {
    own_contexts_ = std::make_unique<ContextTable>(*this, static_cast<uint32_t>(recovery.contexts));
    contexts_ = own_contexts_.get();
  }
  dcqcn_ = p.congestion_control == NicParameters::CongestionControl::dcqcn;
  notifies_ = p.congestion_control != NicParameters::CongestionControl::none;
  leaks_ = p.congestion_leaking;
  scans_ = !leaks_ && p.dcqcn.limiter.granularity == LimiterParameters::Granularity::simulator &&
           p.resources.Ideal();
  stays_ = leaks_ || scans_;
  reaction_point_ = Copied<ReactionPoint>();
  reaction_point_->SetParameters(p.dcqcn.rp);
  notification_point_ = Copied<NotificationPoint>();
  notification_point_->SetParameters(p.dcqcn.np);
  if (config.ports) {
    bond_ = std::make_unique<Bond>();
    bond_->routes = config.ports->routes;
    bond_->seed = config.ports->seed;
    bond_->detection = config.ports->detection;
  }
  for (uint32_t i = 0; i < port_count(); ++i) {
    pause_receiver(i).Setup(ports[i], config.pfc[i].response);
    pause_sender(i).Setup(ports[i], config.pfc[i]);
    ports[i]->SetSource(this);
  }
  if (p.rx_latency > Time{}) {
    receive_lane_ = events_->LaneFor(EventClass::nic_timer, p.rx_latency);
  }
  UseStream(NicTimer::pace);
  BuildStages();
}

/// Events of this kind arrive nearly in order of time, over all NICs.
void Nic::UseStream(NicTimer timer) {
  const auto number = static_cast<int>(timer);
  timer_lanes_[static_cast<size_t>(number)] = events_->StreamFor(EventClass::nic_timer, number);
}

void Nic::BuildStages() {
  stages_.reset();
  costs_ = nullptr;
  if (parameters_->resources.Ideal()) return;
  stages_ = std::make_unique<NicStages>(parameters_->resources, name_);
  costs_ = &stages_->costs;
  for (const NicTimer timer : {NicTimer::sent, NicTimer::notify, NicTimer::written, NicTimer::pump,
                               NicTimer::launched, NicTimer::taken, NicTimer::reported})
    UseStream(timer);
  if (const auto& buffer = parameters_->rx_buffer)
    stages_->rx_buffer.emplace(*buffer, pause_senders(), lossless_);
}

void Nic::SetResources(int set) {
  if (!requesters_.empty() || !responders_.empty())
    throw std::logic_error("a NIC's resources are set before it has queue pairs");
  const ResourceSet found = FindResourceSet(ResourceSetNames().at(static_cast<size_t>(set))).value();
  Change([&](NicParameters& own) {
    own.resources = found.resources;
    own.rx_buffer = found.rx_buffer;
  });
  if (ports_[0] != nullptr) BuildStages();
}

int Nic::GetResources() const {
  const std::vector<std::string> names = ResourceSetNames();
  return static_cast<int>(std::ranges::find(names, parameters_->resources.set) - names.begin());
}

}  // namespace headroom
