// An example of a service, mirror. A client WRITEs the bytes of each operation to a server. The operation
// ends with the WRITE's completion. The workload `copies` requests a number of operations one by one.
#include <iostream>
#include <map>

#include "protocol/service.h"
#include "run/run.h"
#include "scenario/keys/services/service_types.h"
#include "scenario/keys/workloads/service_of.h"
#include "scenario/read/load.h"
#include "workload/operation_generator.h"
#include "workload/types/messages_between.h"

using namespace headroom;
using namespace headroom::keys;

static KeysOf<ServiceEntry>& mirror_keys = AddServiceType("mirror", "copies at a server");
static const OwnKey<Bytes> region =
    AddKey<Bytes>(mirror_keys, "region", Sizes(Bytes(1)), Kibibytes(1024), "of the server, for each client");

class Mirror final : public Service {
 public:
  Mirror(const ServiceParameters& p, const ServiceGround& ground) : p_(p), ground_(ground) {
    Verbs& there = *ground.hosts[p.servers[0]].verbs;
    for (const NodeId client : p.clients) {
      Verbs& here = *ground.hosts[client].verbs;
      End& end = ends_[client];
      end.cq = here.CreateCq(1 << 16);
      end.cq->SetHandler([this, &end] { Poll(end); });
      end.cq->RequestNotify();
      QpInitAttr attr;
      attr.priority = p.priority;
      attr.tag = ground.tag;
      attr.send_cq = attr.recv_cq = end.cq;
      end.qp = here.CreateQp(attr);
      attr.send_cq = attr.recv_cq = there.CreateCq(1);
      ConnectQps(here, end.qp, there, there.CreateQp(attr));
      end.rkey = there.RegMr(0, static_cast<uint64_t>(region.Of(p).v), kLocalWrite | kRemoteWrite)->rkey;
    }
  }
  void Start(const Attached& attached) override {
    for (const NodeId client : p_.clients) attached(client);
  }
  void Submit(const OperationRequest& request) override {
    const End& end = ends_.at(request.client);
    SendWr wr;
    wr.wr_id = request.operation;
    wr.opcode = WrOpcode::rdma_write;
    wr.signaled = true;
    wr.sge.length = request.bytes;
    wr.rkey = end.rkey;
    if (const Trail* trail = ground_.operations.trail()) wr.cause = trail->current();
    ground_.operations[request.operation].participants.Add(p_.servers[0]);
    if (ground_.hosts[request.client].verbs->PostSend(end.qp, wr) != 0)
      ground_.operations.Complete(request.operation, OperationStatus::failed);
  }
  std::shared_ptr<const ServiceRecord> Record() override {
    auto record = std::make_shared<ServiceRecord>();
    record->counts = {{"copies", copies_}};
    return record;
  }
  void ForEachQueuePair(const UseQueuePair& use) const override {
    for (const auto& [client, end] : ends_) use(client, Verbs::NumberOf(end.qp));
  }

 private:
  struct End {
    CompletionQueue* cq = nullptr;
    QueuePair* qp = nullptr;
    uint32_t rkey = 0;
  };
  void Poll(End& end) {
    for (Wc wc; end.cq->Poll(wc);) {
      const Trail::CurrentStep current(ground_.operations.trail(),
                                       [&](Trail& t) { return t.Add(wc, EventQueue::Get().now()); });
      const bool well = wc.status == WcStatus::success;
      copies_ += well;
      ground_.operations.Complete(static_cast<uint32_t>(wc.wr_id),
                                  well ? OperationStatus::ok : OperationStatus::failed);
    }
    end.cq->RequestNotify();
  }
  const ServiceParameters p_;
  const ServiceGround ground_;
  std::map<NodeId, End> ends_;
  uint64_t copies_ = 0;
};
static const ServiceType kMirror{"mirror", &MakeAs<Mirror, ServiceParameters>};

struct Copies {
  uint32_t service = 0;
  std::vector<NodeId> from, to;
  Bytes size{4096};
  int count = 100;
  bool operator==(const Copies&) const = default;
};
class CopiesGenerator final : public OperationGenerator {
 public:
  CopiesGenerator(const Copies& a, uint32_t index, OperationOffers& offers)
      : a_(a), index_(index), left_(static_cast<size_t>(a.count) * a.from.size()), offers_(offers) {}
  void Start() override {}
  void OnAttached(NodeId client) override { Offer(client); }
  void OnEnded(const OperationRecord& ended) override {
    if (ended.number + 1 < static_cast<uint32_t>(a_.count)) Offer(ended.client);
  }
  void OnEvent(uint64_t) override {}

 private:
  void Offer(NodeId client) {
    OperationRequest request;
    request.client = client;
    request.kind = OperationKind::write;
    request.bytes = static_cast<uint32_t>(a_.size.v);
    offers_.Offer(index_, request, false);
    if (--left_ == 0) offers_.OnExhausted();
  }
  const Copies a_;
  const uint32_t index_;
  size_t left_;
  OperationOffers& offers_;
};

class CopiesType final : public ArrivalsOf<CopiesType, Copies> {
 public:
  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters&, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<CopiesGenerator>(a, index, ground.offers);
  }
  std::optional<AskedService> Asks() const override {
    return AskedService{ServiceOperation::Of::own, a.service};
  }
  std::vector<OperationKind> Kinds() const override { return {OperationKind::write}; }
  void AddShares(const WorkloadParameters&, const HostView&, ShareSink& sink) const override {
    for (const NodeId client : a.from) sink.Add(client, a.to[0], 1);
  }
  double Expected(const Scenario&) const override { return static_cast<double>(a.from.size()) * a.count; }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
};

static const KeysOf<Workload>& CopiesKeys() {
  const auto service = ServiceKind<Copies>(
      {"mirror"}, +[](const ServiceEntry& entry, Copies& copies, Workload&) {
        copies.from = entry.parameters->clients;
        copies.to = entry.parameters->servers;
      });
  static const KeysOf<Workload> all =
      TypeKeys<CopiesType>("copies", "each client asks for copies, one after the other",
                           {{"service", service, "whose server copies", {.required = true}},
                            Of("size", &Copies::size, Sizes(Bytes(1)), "of each copy"),
                            Of("count", &Copies::count, Integers(1, 1000), "of each client")});
  return all;
}
const RegisteredType kCopies({.keys = CopiesKeys});

static const char* const kScenario = R"(
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}
services: [{name: mirror, type: mirror, clients: "h[1-3]", servers: h0}]
workloads: [{name: copies, type: copies, service: mirror, size: 64KiB, count: 50}]
duration: 10ms
)";

int main() {
  const RunRecord record = Run(LoadScenarioText(kScenario, "mirror.yaml", "."), {});
  Time parts, all;
  for (const OperationRecord& o : record.operations) {
    all += o.completed - o.start;
    for (const Time part : o.parts) parts += part;
  }
  std::cout << record.operations.size() << " copies of " << InMicroseconds(all) / 150 << " us\n";
  return record.operations.size() == 150 && parts == all ? 0 : 1;
}
