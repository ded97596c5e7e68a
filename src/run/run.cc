#include "run/run.h"

#include <ns3/nstime.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "protocol/messages/traffic.h"
#include "run/capture.h"
#include "run/deadlock.h"
#include "run/network.h"
#include "run/recorder.h"
#include "run/services.h"
#include "scenario/paths/cut.h"
#include "sim/parts.h"

namespace headroom {

namespace {

/// Decides when a run is over, and for which reason.
class Ending final : public EventTarget {
 public:
  Ending(Network& network, Traffic& traffic, Services& services, Recorder& recorder)
      : network_(network), traffic_(traffic), services_(services), recorder_(recorder), watch_(network) {
    traffic.SetOnDone([this] { StopIfOver(); });
    services.SetOnDone([this] { StopIfOver(); });
    traffic.SetOnQueuePairError([this](NodeId host, uint32_t qp, const std::string& why) {
      recorder_.Note({EventQueue::Get().now(), "qp_error", host, EventRecord::kNone, EventRecord::kNone,
                      "queue pair " + std::to_string(qp) + ": " + why});
    });
    network.pool().SetOnEmpty([](void* self) { static_cast<Ending*>(self)->StopIfOver(); }, this);
    Parts::Get().SetOnOver([this] { Stop(RunStatus::complete); });
    Parts::Get().SetOnAsked([this] { Interrupt(); });
    ScheduleLook();
  }

  RunStatus status() const { return status_; }
  void StopIfOver() {
    if (traffic_.Done() && services_.Done() && network_.pool().in_use() == 0 && Parts::Get().IsOver())
      Stop(RunStatus::complete);
  }
  void Interrupt() {
    if (status_ != RunStatus::complete && status_ != RunStatus::deadlock) Stop(RunStatus::interrupted);
  }

  /// The time for a deadlock check.
  void OnEvent(uint64_t) override {
    if (!watch_.Look()) return ScheduleLook();
    if (!watch_.breaks() || !noted_) {
      const PausedQueue& q = watch_.cycle().front();
      recorder_.Note({EventQueue::Get().now(), "deadlock", q.node, q.port, q.priority, watch_.Describe()});
    }
    recorder_.OnDeadlock(watch_.cycle());
    noted_ = true;
    // If a watchdog will break the deadlock, it is reported once and the run goes on.
    if (watch_.breaks()) return ScheduleLook();
    Stop(RunStatus::deadlock);
  }

 private:
  void Stop(RunStatus status) {
    status_ = status;
    ns3::Simulator::Stop();
  }
  void ScheduleLook() {
    constexpr uint64_t kAfterSamples = 15;
    EventQueue& queue = EventQueue::Get();
    queue.PushTarget(queue.now() + watch_.interval(), TimedEvent::Order(EventClass::sample, 0, kAfterSamples),
                     this, 0);
  }

  Network& network_;
  Traffic& traffic_;
  Services& services_;
  Recorder& recorder_;
  DeadlockWatch watch_;
  RunStatus status_ = RunStatus::deadline;
  bool noted_ = false;  ///< the time line contains a deadlock
};

/// The caller gets the progress, and may end the run.
void ReportProgress(const RunOptions& options, const Traffic& traffic, const Services& services,
                    Ending& ending) {
  const auto pulse = [&] {
    const Progress progress{EventQueue::Get().now(), Parts::Get().executed(),
                            traffic.finished() + services.finished(), traffic.begun() + services.begun()};
    if (options.on_progress(progress)) return;
    if (options.exchange == nullptr) return ending.Interrupt();
    Parts::Get().AskAll();
  };
  FastSimulator::SetPulse(pulse, options.progress_every);
}

/// Where records go that end.
std::shared_ptr<EndedRecords> SinkFor(const Scenario& scenario, const RunOptions& options) {
  if (options.exchange != nullptr && options.exchange->rank() > 0) return std::make_shared<SentRecords>();
  if ((scenario.results == Results::stream) != (options.ended != nullptr))
    throw std::invalid_argument("`results: stream` needs a place for records that end, and only it does");
  return options.ended ? options.ended : std::make_shared<KeptRecords>();
}

}  // namespace

RunRecord Run(const Scenario& scenario, const RunOptions& options) {
  const std::shared_ptr<EndedRecords> ended = SinkFor(scenario, options);
  StartSimulator(scenario.seed, options.driver);
  if (!options.lanes) EventQueue::Get().DisableLanes();
  // The first of ns-3's events has the same key on all ranks. Later ones depend on the hosts that a rank sets
  // up.
  ns3::Simulator::Stop(ns3::TimeStep(static_cast<uint64_t>(scenario.deadline.v)));
  const auto set_up = [&](const std::string& what) {
    if (options.on_setup) options.on_setup(what);
  };
  Network network(scenario, set_up, options.build_order, options.parts, options.exchange);
  if (options.estimate_ranks > 0) Parts::Get().CountWork(options.estimate_ranks);
  set_up("workloads and counters");
  const HostView hosts = network.hosts();
  Traffic traffic(scenario.workloads, hosts, network.nics());
  Services services(scenario, network, options.histories);
  MessageTimes times(network.pool(),
                     NumbersOfVerbs(scenario.topology.hosts, HostsOfServices(scenario).size()),
                     network.LongestWindow());
  if (scenario.observe.parts) {
    network.SplitTimes(times);
    services.SplitTimes(times);
  }
  Recorder recorder(scenario, network, traffic, ended, scenario.observe.parts ? &times : nullptr);
  recorder.Watch(services);
  Ending ending(network, traffic, services, recorder);
  std::unordered_map<uint32_t, Bytes> sizes;  // packets of a message may follow its end
  Captures captures(options.captures, options.capture_dir, network,
                    [&sizes](uint32_t message) { return sizes.at(message).v; });
  if (!options.captures.empty())
    traffic.SetOnBegun([&sizes](uint32_t message, Bytes size) { sizes.emplace(message, size); });
  if (options.check) {
    for (NodeId n = scenario.topology.hosts; n < scenario.topology.nodes.size(); ++n) {
      if (network.IsHere(n)) network.switch_at(n).CheckAlways();
    }
  }
  if (options.on_progress) ReportProgress(options, traffic, services, ending);
  if (options.on_start) options.on_start();
  traffic.Start();
  services.Start();
  EventQueue::Get().SealEntities();
  Parts::Get().Begin();
  // Without messages the run is over before it begins, and ns-3 ignores a stop before its start.
  ending.StopIfOver();
  if (ending.status() != RunStatus::complete) ns3::Simulator::Run();
  FastSimulator::SetPulse(nullptr);
  if (options.on_end) options.on_end();
  captures.Close();
  RunRecord record = recorder.Collect(ending.status());
  if (Parts::Get().rank() == 0) record.work = Parts::Get().Work();
  return record;
}

}  // namespace headroom
