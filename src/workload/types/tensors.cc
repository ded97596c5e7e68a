// Type tensors: training steps on a service of type tensorflow (workload/operations/tensors.h).
#include "workload/operations/tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "protocol/tensorflow/control_message.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/scenario.h"
#include "workload/io_span.h"
#include "workload/operations/tensor_target.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

class TensorType final : public ArrivalsOf<TensorType, TensorArrivals> {
 public:
  using ArrivalsOf::ArrivalsOf;

  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<TensorGenerator>(a, workload, index, ground);
  }
  Time NeededArrival() const override { return a.start; }
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override {
    const auto& largest = *std::ranges::max_element(a.tensors, {}, &TensorArrivals::Tensor::size);
    return {Alone(hosts, largest.size, a.start, a.servers, a.workers)};
  }

  void CheckTargets(const TargetCheck& check) const override {
    check.Paths(a.workers, a.servers);
    check.Paths(a.servers, a.workers);
  }
  /// Adds the bytes of each pair of a worker and a parameter server, in one direction.
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    ForEachTensor([&](uint32_t tensor, Bytes size) {
      const NodeId server = a.servers[tensor % a.servers.size()];
      for (const NodeId worker : a.workers) {
        sink.Add(server, worker, static_cast<double>(size.v));
        if (a.gradients) sink.Add(worker, server, static_cast<double>(size.v));
      }
    });
  }
  /// Offers the messages of the first step, without the initial requests for metadata.
  void OfferFlows(const WorkloadParameters& workload, const HostView&, FlowSink& sink) const override {
    ForEachTensor([&](uint32_t tensor, Bytes size) {
      const NodeId server = a.servers[tensor % a.servers.size()];
      for (const NodeId worker : a.workers) {
        if (sink.Full()) return;
        sink.Offer(server, worker, workload.priority, static_cast<double>(size.v));
        if (a.gradients) sink.Offer(worker, server, workload.priority, static_cast<double>(size.v));
      }
    });
  }
  /// Mean over tensors: a request, its acknowledgement and the tensor; for reshaped ones also the update and
  /// its answers. The first step, which has no metadata, is not average.
  void AddTraffic(const Scenario&, TrafficSink& sink) const override {
    const double each = 1.0 / (a.workers.size() * a.OperationsOfStep());
    ForEachTensor([&](uint32_t tensor, Bytes size, double reshaped) {
      const NodeId server = a.servers[tensor % a.servers.size()];
      for (const NodeId worker : a.workers) {
        AddTensor(server, worker, size, reshaped, each, sink);
        if (a.gradients) AddTensor(worker, server, size, reshaped, each, sink);
      }
    });
  }

  double Expected(const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    const double steps = span.v == 0 ? 0 : std::ceil(InSeconds(span) / Period(s));
    return steps * static_cast<double>(a.workers.size()) * a.OperationsOfStep();
  }
  double MeanBytes() const override { return static_cast<double>(a.TotalBytes()) / a.Count(); }
  /// The operations per second; none if lines may delay steps.
  std::optional<double> PerSecond(const HostView& hosts) const override {
    constexpr double kFull = 0.9;
    if (InSeconds(a.every) * kFull <= LeastStep(hosts)) return std::nullopt;
    return static_cast<double>(a.workers.size()) * a.OperationsOfStep() / InSeconds(a.every);
  }
  Forecast Count(const WorkloadParameters&, const Scenario& s) const override { return Exactly(Expected(s)); }
  std::optional<Forecast> Open(const WorkloadParameters&, const Scenario&,
                               const Forecast& count) const override {
    return Min(count, Exactly(static_cast<double>(a.workers.size()) * a.OperationsOfStep()));
  }

  std::optional<AskedService> Asks() const override {
    return AskedService{ServiceOperation::Of::own, a.service};
  }
  std::vector<OperationKind> Kinds() const override { return {OperationKind::tensor}; }
  IoSpan Span(Time warmup, Time duration) const override {
    return {std::max(warmup, a.start), std::min(a.stop.value_or(duration), duration), {}, false};
  }

 private:
  template <class Use>
  void ForEachTensor(const Use& use) const {
    uint32_t tensor = 0;
    for (const TensorArrivals::Tensor& t : a.tensors) {
      for (int i = 0; i < t.count; ++i, ++tensor) {
        if constexpr (requires { use(tensor, t.size, t.reshaped); })
          use(tensor, t.size, t.reshaped);
        else
          use(tensor, t.size);
      }
    }
  }
  static void AddTensor(NodeId from, NodeId to, Bytes size, double reshaped, double times,
                        TrafficSink& sink) {
    const auto add = [&](NodeId sender, NodeId receiver, int64_t bytes, double n) {
      sink.AddMessages(sender, receiver, Operation::write_imm, bytes, n * times);
    };
    add(to, from, ControlMessage::kBytes, 1 + reshaped);  // requests, and repeated ones
    add(from, to, 0, 1 + reshaped);                       // their acknowledgements
    add(from, to, ControlMessage::kBytes, reshaped);
    add(to, from, 0, reshaped);
    add(from, to, size.v, 1);
  }
  /// Minimum time of a step in seconds: only payload, over the line of a worker and, evenly spread, over the
  /// lines of the parameter servers.
  double LeastStep(const HostView& hosts) const {
    const double bits = 8 * static_cast<double>(a.TotalBytes());
    double slowest = 0, servers = 0;
    for (const NodeId worker : a.workers)
      slowest = std::max(slowest, bits / static_cast<double>(hosts.line_rates[worker].v));
    for (const NodeId server : a.servers) servers += static_cast<double>(hosts.line_rates[server].v);
    return std::max(slowest, bits * static_cast<double>(a.workers.size()) / servers);
  }
  double Period(const Scenario& s) const {
    const double bytes = static_cast<double>(a.TotalBytes());
    const double all = bytes * static_cast<double>(a.workers.size());
    const double line =
        std::max(bytes / LineBytes({a.workers[0]}, Seconds(1), s), all / LineBytes(a.servers, Seconds(1), s));
    return std::max({InSeconds(a.every), line, 1e-6});
  }
};

}  // namespace

std::unique_ptr<Arrivals> ArrivalsFrom(TensorArrivals a) {
  return std::make_unique<TensorType>(std::move(a));
}

}  // namespace headroom

namespace headroom::keys {

namespace {

constexpr const char* kTensorflowWorkloadPage = "models/tensorflow.md";

KindOf<Workload> ServiceOfTensors() {
  return ServiceKind<TensorArrivals>(
      {"tensorflow"}, +[](const ServiceEntry& entry, TensorArrivals& a, Workload& w) {
        a.workers = entry.parameters->clients;
        a.servers = entry.parameters->servers;
        w.source.from = entry.source.clients;
        w.source.to = entry.source.servers;
        w.parameters.priority = entry.parameters->priority;
      });
}

KindOf<std::vector<TensorArrivals::Tensor>> Tensors() {
  using T = TensorArrivals::Tensor;
  constexpr Bytes kMost{int64_t{1} << 30};
  static const KeysOf<T> keys(
      {.name = "tensors", .page = kTensorflowWorkloadPage},
      {{"size", &T::size, Sizes(Bytes(1), kMost), "size of a tensor", {.required = true}},
       {"count", &T::count, Integers(1, 100'000), "number of tensors of this size"},
       {"reshaped", &T::reshaped, Fractions(1, true),
        "share of the steps in which a tensor's shape changes"}});
  return ListOf(Mapping(keys));
}

void CheckTensors(const Node& node, Workload& w, Reading& reading) {
  const TensorArrivals& a = DataOf<TensorArrivals>(w);
  CheckStop(node, a.start, a.stop, reading);
  int64_t count = 0;
  for (const TensorArrivals::Tensor& t : a.tensors) count += t.count;
  if (count >= static_cast<int64_t>(TensorTarget::kMostTensors))
    reading.errors.Add(ScenarioError(node.Find("tensors")->where,
                                     fmt::format("{} tensors are too many", count),
                                     fmt::format("allowed: up to {}", TensorTarget::kMostTensors - 1)));
}

const KeysOf<Workload>& TensorKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_tensors",
       .page = kTensorflowWorkloadPage,
       .help = "training steps: workers fetch tensors from parameter servers, and parameter servers "
               "fetch gradients from workers",
       .type = "tensors"},
      [] {
        std::vector<KeyOf<Workload>> all =
            OperationKeys("tensors", "operations of a service", "services: [{priority: …}]");
        all.insert(
            all.end(),
            {{"service", ServiceOfTensors(), "service of type tensorflow", {.required = true}},
             Of("tensors", &TensorArrivals::tensors, Tensors(), "tensors of a step", {.required = true}),
             Of("every", &TensorArrivals::every, Times(),
                "period of a worker's steps; a step that takes longer delays the next"),
             Of("gradients", &TensorArrivals::gradients, Flag(),
                "parameter servers fetch a gradient of each tensor from each worker"),
             Of("start", &TensorArrivals::start, Times(), "time of the first step"),
             Of("stop", &TensorArrivals::stop, Maybe(Times(Time(1))), "time at which steps stop starting",
                {.standard = "the duration"})});
        return all;
      }(),
      CheckTensors, StartingWith<TensorType>);
  return keys;
}

const RegisteredType kTensors({.place = 15, .keys = TensorKeys});

}  // namespace

}  // namespace headroom::keys
