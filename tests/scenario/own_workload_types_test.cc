// Types of workloads that a program registers: they are read, refused and written like all others.
#include <gtest/gtest.h>

#include "scenario/keys/workloads/workload_keys.h"
#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/in_child.h"
#include "workload/types/listed_messages.h"

namespace headroom::own_workload_types_test {
namespace {

/// A message from host 0 to host 1.
struct Single {
  Bytes size{1000};
  bool operator==(const Single&) const = default;
};
class SingleType final : public ArrivalsOf<SingleType, Single, ListedMessages> {
 public:
  std::optional<Time> LastArrival() const override { return Time(0); }
  std::optional<std::vector<ListedMessage>> Listed(const WorkloadParameters&) const override {
    return std::vector<ListedMessage>{{Time(0), 0, 1, a.size, {}}};
  }
  double Expected(const Scenario&) const override { return 1; }
  double MeanBytes() const override { return static_cast<double>(a.size.v); }
};

template <int number>
const keys::KeysOf<Workload>& SingleKeys() {
  static const keys::KeysOf<Workload> all = keys::TypeKeys<SingleType>(
      number == 0 ? "single" : "poisson", "one message",
      {keys::Of("size", &Single::size, keys::Sizes(Bytes(1), Bytes(1 << 20)), "of the message")});
  return all;
}

ScenarioFile With(const std::string& more) {
  const std::string network = "topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 3m}}\n";
  return LoadScenarioFileText(network + "workloads: [{name: w, type: single" + more + "}]\n", "x.yaml", ".");
}

std::string RefusalOf(const std::string& more) {
  try {
    With(more);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(OwnWorkloadTypes, AreReadRefusedAndWrittenAsOthers) {
  InChild([] {
    EXPECT_NE(RefusalOf("").find("\"single\""), std::string::npos);
    const keys::RegisteredType registered({.keys = SingleKeys<0>});
    EXPECT_EQ(keys::WorkloadTypes().back().keys().section().type, "single");
    const ScenarioFile file = With(", size: 64KiB");
    EXPECT_EQ(file.scenario.workloads[0].arrivals->MeanBytes(), 65'536);
    EXPECT_EQ(With("").scenario.workloads[0].arrivals.As<Single>(), Single());
    EXPECT_EQ(RefusalOf(", size: 2MiB"), "x.yaml:2:43: \"2MiB\" is out of range; allowed: 1B to 1MiB");
    EXPECT_NE(RefusalOf(", sise: 1KiB").find("did you mean \"size\"?"), std::string::npos);
    const std::string text = WriteResolved(file).yaml;
    EXPECT_NE(text.find("size: 64KiB"), std::string::npos) << text;
    EXPECT_EQ(LoadScenarioFileText(text, "again.yaml", ".").scenario.workloads, file.scenario.workloads);
  });
}

TEST(OwnWorkloadTypes, HaveANameOfTheirOwn) {
  InChild([] {
    const keys::RegisteredType registered({.keys = SingleKeys<1>});
    EXPECT_THROW(keys::WorkloadTypes(), std::invalid_argument);
  });
}

}  // namespace
}  // namespace headroom::own_workload_types_test
