// Types of services, and the names that select them.
#include "protocol/service.h"

#include <gtest/gtest.h>

#include "nic/verbs/queue_pair.h"
#include "protocol/session_qp.h"
#include "support/in_child.h"
#include "support/verbs_lab.h"

namespace headroom::service_test {
namespace {

struct EchoedParameters : ServiceParameters {
  Time after;
};

/// Ends each operation at its arrival.
class Instant final : public Service {
 public:
  Instant(const EchoedParameters& parameters, const ServiceGround& ground)
      : after_(parameters.after), ground_(ground) {}
  void Start(const Attached& attached) override {
    for (NodeId host = 0; host < ground_.hosts.size(); ++host) attached(host);
  }
  void Submit(const OperationRequest& request) override {
    ground_.operations.Complete(request.operation, OperationStatus::ok);
  }
  std::shared_ptr<const ServiceRecord> Record() override {
    auto record = std::make_shared<ServiceRecord>();
    record->counts = {{"after_ps", static_cast<uint64_t>(after_.v)}};
    return record;
  }
  void ForEachQueuePair(const UseQueuePair&) const override {}

 private:
  const Time after_;
  const ServiceGround ground_;
};

const ServiceType kInstant{"instant", &MakeAs<Instant, EchoedParameters>};

TEST(Service, a_type_that_a_program_registers_is_made_by_its_name) {
  InChild([] {
    VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0}));
    Operations operations({{}}, 2, 0, Time(0));
    const std::vector<ServiceHost> hosts{{&lab.verbs(0), lab.network->context(0)},
                                         {&lab.verbs(1), lab.network->context(1)}};
    EchoedParameters parameters;
    parameters.type = "instant";
    parameters.after = Nanoseconds(3);
    const ServiceGround ground{hosts, lab.scenario.topology, operations, Time(0)};
    const auto service = MakeService(parameters, ground);
    std::vector<NodeId> clients;
    service->Start([&](NodeId client) { clients.push_back(client); });
    EXPECT_EQ(clients, (std::vector<NodeId>{0, 1}));
    OperationRequest request;
    request.client = 1;
    request.operation = operations.Begin(0, request, false);
    service->Submit(request);
    EXPECT_EQ(operations.unfinished(), 0u);
    EXPECT_EQ(std::get<uint64_t>(service->Record()->counts.at(0).second), 3000u);
    parameters.type = "nobody's";
    EXPECT_THROW(MakeService(parameters, ground), std::out_of_range);
    EXPECT_THROW(ServiceType("instant", &MakeAs<Instant, EchoedParameters>), std::logic_error);
    EXPECT_THROW(ServiceType("herd", &MakeAs<Instant, EchoedParameters>), std::logic_error);
  });
}

TEST(SessionQp, each_incarnation_has_the_tag_of_its_creation) {
  InChild([] {
    VerbsLab lab(StarScenario(2, {GigabitsPerSecond(100), Nanoseconds(500), Time{}, 0.0}));
    Process process(lab.verbs(0), lab.network->context(0), {});
    SessionQp seven(process, 3, 7, {}, "seven"), eight(process, 3, 8, {}, "eight");
    for (int incarnation = 0; incarnation < 3; ++incarnation) {
      seven.Renew();
      eight.Renew();
      EXPECT_EQ(seven.get()->requester.tag, 7);
      EXPECT_EQ(eight.get()->requester.tag, 8);
      EXPECT_EQ(eight.get()->responder.tag, 8);
    }
  });
}

}  // namespace
}  // namespace headroom::service_test
