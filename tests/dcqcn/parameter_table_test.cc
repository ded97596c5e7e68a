// One description of each parameter: each parameter of the tables is a key, which is written with its
// default, and an attribute of ns-3 with the same default and bounds.
#include "dcqcn/parameter_table.h"

#include <gtest/gtest.h>
#include <ns3/string.h>

#include <set>

#include "dcqcn/attributes.h"
#include "dcqcn/notification_point.h"
#include "dcqcn/reaction_point.h"
#include "nic/nic.h"
#include "scenario/keys/hosts/nic_keys.h"
#include "scenario/yaml/parse_yaml.h"
#include "sim/simulator.h"
#include "support/in_child.h"

namespace headroom::parameter_table_test {
namespace {

template <class Object, class P, size_t N>
void ExpectKnown(const std::array<Parameter<P>, N>& table, const char* section) {
  NicParameters nic;
  const Node written = ParseYaml(keys::NicKeys().WriteLines(&nic, {}), nullptr);
  const Node* const keys = written.Find("dcqcn")->Find(section);
  ASSERT_NE(keys, nullptr) << section;
  const auto object = ns3::CreateObject<Object>();
  std::set<std::string> names;
  for (const Parameter<P>& parameter : table) {
    EXPECT_NE(keys->Find(parameter.key), nullptr) << parameter.key;
    EXPECT_TRUE(names.insert(parameter.attribute).second) << parameter.attribute;
    ns3::TypeId::AttributeInformation info;
    ASSERT_TRUE(Object::GetTypeId().LookupAttributeByName(parameter.attribute, &info)) << parameter.attribute;
    const AsAttribute<P> as{parameter};
    const auto standard = as.Of(P{});
    ns3::StringValue is;
    object->GetAttribute(parameter.attribute, is);
    EXPECT_EQ(is.Get(), standard->SerializeToString(as.Checker())) << parameter.attribute;
    EXPECT_TRUE(info.checker->Check(*standard)) << parameter.attribute;
    // An attribute returns the value that was set.
    EXPECT_TRUE(object->SetAttributeFailSafe(parameter.attribute, *standard)) << parameter.attribute;
  }
}

TEST(ParameterTable, IsWhatKeysAndAttributesComeFrom) {
  InChild([] {
    StartSimulator(1);
    ExpectKnown<NotificationPoint>(kNpTable, "np");
    ExpectKnown<ReactionPoint>(kRpTable, "rp");
    ExpectKnown<Nic>(kLimiterTable, "limiter");
  });
}

TEST(ParameterTable, BoundsAttributes) {
  InChild([] {
    StartSimulator(1);
    const auto point = ns3::CreateObject<ReactionPoint>();
    EXPECT_FALSE(point->SetAttributeFailSafe("CutShift", ns3::UintegerValue(16)));
    EXPECT_TRUE(point->SetAttributeFailSafe("CutShift", ns3::UintegerValue(15)));
    EXPECT_EQ(point->parameters().cut_shift, 15);
    EXPECT_FALSE(point->SetAttributeFailSafe("AlphaTimer", ns3::TimeValue(ns3::Seconds(11))));
    EXPECT_FALSE(point->SetAttributeFailSafe("G", ns3::DoubleValue(1.5)));
    EXPECT_FALSE(point->SetAttributeFailSafe("Machine", ns3::StringValue("other")));
    EXPECT_TRUE(point->SetAttributeFailSafe("Machine", ns3::StringValue("hpcc")));
    EXPECT_EQ(point->parameters().machine, RpParameters::Machine::hpcc);
  });
}

}  // namespace
}  // namespace headroom::parameter_table_test
