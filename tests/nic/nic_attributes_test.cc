// Attributes in an ns-3 program have the same effect as keys in a scenario.
#include <gtest/gtest.h>
#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/enum.h>
#include <ns3/pointer.h>
#include <ns3/string.h>
#include <ns3/uinteger.h>

#include <stdexcept>

#include "support/in_child.h"
#include "support/lab.h"

namespace headroom::nic_attributes_test {
namespace {

const LinkSpec kLink{GigabitsPerSecond(100), Nanoseconds(10), Time{}, 0.0};

/// Every tenth packet from host 0 is marked.
Scenario Marking() {
  Scenario s = StarScenario(2, kLink);
  s.faults = {MarkFault{0, 2, {}, 10}};
  return s;
}

/// The times at which five messages of 1 MB from host 0 to host 1 complete, which start 50 us apart.
std::string Completions(const Scenario& scenario, const std::function<void()>& before) {
  return TextFromChild([&] {
    Lab lab(scenario);
    before();
    const uint32_t qp = lab.Connect(0, 1);
    for (int i = 0; i < 5; ++i) At(Microseconds(50) * i, [&] { lab.Post(0, qp, 1'000'000); });
    RunUntil(Milliseconds(20));
    std::string text;
    for (const Lab::Message& m : lab.messages) text += std::to_string(m.completed.v) + " ";
    return text;
  });
}

void Set(const std::string& path, const ns3::AttributeValue& value) {
  ns3::Config::Set("/NodeList/*/$headroom::Nic/" + path, value);
}

TEST(NicAttributes, AdaptersDefaultsMayBeSetOneByOne) {
  Scenario keys = Marking();
  for (NicParameters& nic : keys.nics) {
    nic.dcqcn = FindGeneration("connectx-default")->dcqcn;
    nic.dcqcn.rp.max_rate = GigabitsPerSecond(50);
    nic.dcqcn.rp.clamp_target = true;
    nic.dcqcn.rp.clamp_after_time_increase = false;
    nic.dcqcn.rp.cut_shift = 10;
    nic.dcqcn.rp.least_kept = 70;
    nic.dcqcn.rp.initial_alpha = 1000;
    nic.dcqcn.rp.rate_on_first_cnp = GigabitsPerSecond(30);
    nic.dcqcn.limiter = {LimiterParameters::Granularity::burst, Bytes(4096)};
  }
  const std::string by_attributes = Completions(Marking(), [] {
    Set("ReactionPoint/Machine", ns3::StringValue("vendor"));
    Set("ReactionPoint/ReduceWindow", ns3::StringValue("4us"));
    Set("ReactionPoint/G", ns3::StringValue("0.0048828125"));
    Set("ReactionPoint/AlphaTimer", ns3::StringValue("1us"));
    Set("ReactionPoint/IncreaseTimer", ns3::StringValue("300us"));
    Set("ReactionPoint/ByteCounter", ns3::UintegerValue(32'767 * 64));
    Set("ReactionPoint/FastRecovery", ns3::UintegerValue(1));
    Set("ReactionPoint/RateAi", ns3::UintegerValue(5'000'000));
    Set("ReactionPoint/RateHai", ns3::UintegerValue(50'000'000));
    Set("ReactionPoint/MinRate", ns3::UintegerValue(1'000'000));
    Set("ReactionPoint/MaxRate", ns3::UintegerValue(50'000'000'000));
    Set("ReactionPoint/ClampTarget", ns3::BooleanValue(true));
    Set("ReactionPoint/ClampTargetAfterTimeIncrease", ns3::BooleanValue(false));
    Set("ReactionPoint/CutShift", ns3::UintegerValue(10));
    Set("ReactionPoint/LeastKept", ns3::UintegerValue(70));
    Set("ReactionPoint/InitialAlpha", ns3::UintegerValue(1000));
    Set("ReactionPoint/RateOnFirstCnp", ns3::UintegerValue(30'000'000'000));
    Set("NotificationPoint/MinCnpInterval", ns3::StringValue("4us"));
    Set("LimiterGranularity", ns3::StringValue("burst"));
    Set("LimiterBurst", ns3::UintegerValue(4096));
  });
  EXPECT_EQ(by_attributes, Completions(keys, [] {}));
  EXPECT_NE(by_attributes, Completions(Marking(), [] {}));
}

TEST(NicAttributes, SoMayPrioritiesAndWhoCoalescesCnps) {
  Scenario keys = Marking();
  for (NicParameters& nic : keys.nics) nic.dcqcn.np.coalescing = NpParameters::Coalescing::per_packet;
  const auto per_packet = [] { Set("NotificationPoint/Coalescing", ns3::StringValue("per_packet")); };
  EXPECT_EQ(Completions(Marking(), per_packet), Completions(keys, [] {}));
  for (NicParameters& nic : keys.nics) nic.dcqcn.np.priorities.mask = 0;
  const std::string uncontrolled = Completions(keys, [] {});
  for (const char* point : {"NotificationPoint", "ReactionPoint"}) {
    const auto left_out = [&] { Set(std::string(point) + "/Priorities", ns3::UintegerValue(0xF7)); };
    EXPECT_EQ(Completions(Marking(), left_out), uncontrolled) << point;
  }
}

TEST(NicAttributes, ResourcesAreSetByTheNameOfASet) {
  for (const std::string& name : ResourceSetNames()) {
    SCOPED_TRACE(name);
    Scenario keys = Marking();
    for (NicParameters& nic : keys.nics) {
      nic.resources = FindResourceSet(name)->resources;
      nic.rx_buffer = FindResourceSet(name)->rx_buffer;
    }
    const auto by_name = [&] { Set("Resources", ns3::StringValue(name)); };
    EXPECT_EQ(Completions(Marking(), by_name), Completions(keys, [] {}));
  }
}

TEST(NicAttributes, ASetThatThereIsNotIsRefusedAndOneThatComesTooLateToo) {
  InChild([] {
    Lab lab(Marking());
    Nic& nic = lab.nic(0);
    EXPECT_FALSE(nic.SetAttributeFailSafe("Resources", ns3::StringValue("gen9")));
    EXPECT_EQ(nic.resources(), nullptr);
    nic.SetAttribute("Resources", ns3::StringValue("gen1"));
    ns3::StringValue name;
    nic.GetAttribute("Resources", name);
    EXPECT_EQ(name.Get(), "gen1");
    lab.Connect(0, 1);
    EXPECT_THROW(nic.SetAttribute("Resources", ns3::StringValue("gen2")), std::logic_error);
    EXPECT_EQ(nic.resources()->parameters().set, "gen1");
  });
}

}  // namespace
}  // namespace headroom::nic_attributes_test
