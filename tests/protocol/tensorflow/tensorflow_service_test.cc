// Complete runs of training steps: every tensor and gradient arrives once, and their times are split by their
// causes. A failed completion ends the job.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "analysis/bounds/services/operation_traffic.h"
#include "analysis/check/check.h"
#include "run/run.h"
#include "scenario/read/load.h"
#include "support/dice.h"
#include "support/in_child.h"
#include "support/operation_parts.h"
#include "support/service_counts.h"
#include "workload/operations/tensors.h"

namespace headroom::tensorflow_service_test {
namespace {

Scenario Training(const std::string& service, const std::string& tensors, const std::string& more = "",
                  double loss = 0) {
  return LoadScenarioText(
      fmt::format("topology: {{type: star, hosts: [w0, w1, w2, p0, p1], link: {{rate: 100Gbps, length: 100m, "
                  "loss: {}%}}}}\n"
                  "services: [{{name: train, type: tensorflow, workers: \"w*\", parameter_servers: \"p*\", "
                  "timeout: 6{}}}]\n"
                  "workloads: [{{name: steps, type: tensors, service: train, {}}}]\n"
                  "nics: [{{match: \"*\", congestion_control: none}}]\nduration: 2ms\ndeadline: 1s\n{}",
                  100 * loss, service, tensors, more),
      "x.yaml", ".");
}

TEST(TensorflowService, every_tensor_and_gradient_of_every_step_arrives_once) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    InChild([seed] {
      Dice d(seed);
      const double loss = d.OneIn(2) ? 0.001 : 0;
      const std::string service =
          fmt::format("{}{}", d.OneIn(3) ? ", copyable: false" : "", d.OneIn(2) ? ", compute: 50us" : "");
      const int64_t many = d.Between(1, 5), few = d.Between(1, 3);
      const bool gradients = !d.OneIn(4);
      const std::string tensors = fmt::format(
          "tensors: [{{size: {}B, count: {}, reshaped: {}%}}, {{size: {}KiB, count: {}}}], every: {}us, "
          "gradients: {}",
          d.Between(1, 5000), many, d.Between(0, 3) * 25, d.Between(1, 300), few, d.Between(200, 900),
          gradients);
      const RunRecord record = headroom::Run(Training(service, tensors, "", loss), {});
      EXPECT_EQ(record.status, RunStatus::complete);
      EXPECT_TRUE(record.conservation.Ok());
      auto counts = CountsOf(record);
      const auto operations = record.operations.size();
      const auto of_step = static_cast<size_t>((many + few) * (gradients ? 2 : 1));
      EXPECT_EQ(operations % of_step, 0u);
      EXPECT_GE(operations, 3 * of_step);
      for (const char* count : {"requests", "tensors", "arrived"})
        EXPECT_EQ(counts[count], operations) << count;
      EXPECT_EQ(counts["metadata_updates"], counts["re_requests"]);
      EXPECT_GE(counts["metadata_updates"], 3 * of_step);  // all tensors that are new
      EXPECT_EQ(counts["acks"], counts["requests"] + 2 * counts["re_requests"]);
      EXPECT_EQ(counts["unexpected"], 0u);
      EXPECT_EQ(counts["aborted"], 0u);
      for (const OperationRecord& o : record.operations) {
        ASSERT_TRUE(o.Finished());
        EXPECT_EQ(o.status, OperationStatus::ok);
        EXPECT_EQ(o.participants.size(), 1u);
        EXPECT_EQ(Sum(o), o.completed - o.start);
      }
    });
  }
}

/// Each gradient is requested when the step begins. It cannot leave before its worker has all tensors and has
/// computed for 300 us; that is time of the peer.
TEST(TensorflowService, gradients_wait_for_tensors_and_for_computing) {
  InChild([] {
    const RunRecord record =
        headroom::Run(Training(", compute: 300us", "tensors: [{size: 64KiB, count: 4}], every: 1ms"), {});
    std::map<uint32_t, Time> fetched;  // for each worker, in the first step
    for (const OperationRecord& o : record.operations) {
      if (o.client < 3 && o.start == Time(0)) fetched[o.thread] = std::max(fetched[o.thread], o.completed);
    }
    int gradients = 0;
    for (const OperationRecord& o : record.operations) {
      if (o.client < 3 || o.start > Time(0)) continue;
      ++gradients;
      EXPECT_GT(o.completed, fetched[o.thread] + Microseconds(300));
      EXPECT_GT(Part(o, OperationPart::peer), Microseconds(250));
    }
    EXPECT_EQ(gradients, 12);
  });
}

TEST(TensorflowService, a_failed_completion_ends_the_job) {
  InChild([] {
    const RunRecord record =
        headroom::Run(Training(", retries: 0", "tensors: [{size: 300KiB, count: 4}], every: 200us",
                               "faults: [{type: link_down, link: [s0, w0], start: 1050us, stop: 1900us}]\n"),
                      {});
    EXPECT_EQ(CountsOf(record)["aborted"], 1u);
    size_t failed = 0;
    for (const OperationRecord& o : record.operations) {
      EXPECT_TRUE(o.Finished());
      failed += o.status == OperationStatus::failed;
    }
    EXPECT_GT(failed, 0u);
    EXPECT_LT(failed, record.operations.size());
  });
}

/// If every tensor is reshaped in each step all operations are alike: the run's load on the links is the one
/// that `check` expects.
TEST(TensorflowService, check_knows_what_it_puts_on_links) {
  InChild([] {
    const Scenario s = Training(
        "",
        "tensors: [{size: 4KiB, count: 3, reshaped: 100%}, {size: 70000B, reshaped: 100%}], every: 400us");
    const RunRecord record = headroom::Run(s, {});
    const Fabric fabric(s);
    OperationTraffic traffic(fabric);
    s.workloads[0].arrivals->AddTraffic(s, traffic);
    double measured = 0;
    for (const PortRecord& port : record.ports)
      measured += static_cast<double>(port.priority[3].tx_wire_bytes);
    double expected = 0;
    for (const double bytes : traffic.OnLinks().wire) expected += bytes;
    EXPECT_NEAR(measured, expected * static_cast<double>(record.operations.size()), 1e-6 * measured);
  });
}

std::string FindingsOf(const Scenario& s) {
  std::string text;
  for (const Finding& finding : CheckScenario(Fabric(s)).findings) text += finding.what + "\n";
  return text;
}

/// Steps that `check` finds impossible take longer than their period.
TEST(TensorflowService, check_finds_steps_that_cannot_end_in_their_period) {
  const std::pair<const char*, const char*> cases[] = {
      {"tensors: [{size: 400KB, count: 6}], every: 190us", "the line of p0 carries"},
      {"tensors: [{size: 400KB, count: 6}], every: 1ms", ""}};
  for (const auto& [tensors, with] : cases) {
    InChild([tensors = tensors, with = std::string(with)] {
      const Scenario s = Training("", tensors);
      const std::string findings = FindingsOf(s);
      const bool found = findings.find("longer than every") != std::string::npos;
      EXPECT_EQ(found, !with.empty()) << findings;
      EXPECT_NE(findings.find(with), std::string::npos) << findings;
      if (!found) return;
      // A step that ends in time is followed by the next after `every`.
      const Time every = s.workloads[0].arrivals.As<TensorArrivals>().every;
      std::set<Time> starts;
      for (const OperationRecord& o : headroom::Run(s, {}).operations)
        if (o.thread == 0) starts.insert(o.start);
      ASSERT_GE(starts.size(), 3u);
      for (auto start = std::next(starts.begin()); start != starts.end(); ++start)
        EXPECT_GT(*start - *std::prev(start), every);
    });
  }
}

std::string RefusalOf(const std::string& service, const std::string& tensors) {
  try {
    Training(service, tensors);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

TEST(TensorflowService, keys_are_refused_with_what_mends_them) {
  InChild([] {
    const auto refused = [](const std::string& service, const std::string& tensors, const char* with) {
      EXPECT_NE(RefusalOf(service, tensors).find(with), std::string::npos) << RefusalOf(service, tensors);
    };
    refused(", transport: grpc", "tensors: [{size: 1KB}]", "allowed: rdma");
    refused(", retries: 8", "tensors: [{size: 1KB}]", "allowed: 0 to 7");
    refused(", staged: 3", "tensors: [{size: 1KB}]", "neither true nor false");
    refused(", retris: 6", "tensors: [{size: 1KB}]", "did you mean \"retries\"?");
    refused("", "tensors: []", "the list is empty");
    refused("", "tensors: [{size: 1KB}], priority: storage", "services: [{priority");
    refused("}, {name: other, type: tensorflow, workers: [w0, p0], parameter_servers: \"p*\"",
            "tensors: [{size: 1KB}]", "\"p0\" is both worker and parameter server");
  });
}

}  // namespace
}  // namespace headroom::tensorflow_service_test
