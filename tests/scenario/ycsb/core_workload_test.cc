// Workload files of YCSB: Java's syntax, the meaning of keys, and the places of refusals.
#include "scenario/ycsb/core_workload.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "scenario/read/load.h"
#include "scenario/write/write.h"
#include "support/test_folder.h"
#include "workload/key_value_arrivals.h"

namespace headroom::ycsb_test {
namespace {

namespace fs = std::filesystem;

const fs::path kLetters = fs::path(HEADROOM_SOURCE_DIR) / "scenarios/ycsb";

/// A folder with a workload file, which the test removes.
class Ycsb : public ::testing::Test {
 protected:
  fs::path Write(const std::string& text) const { return folder_.Write("w.properties", text); }
  std::vector<std::pair<std::string, std::string>> Properties(const std::string& text) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const ycsb::Property& p : ycsb::ReadProperties(Write(text), {})) all.emplace_back(p.key, p.value);
    return all;
  }
  static std::string Text(const std::string& file, const std::string& more = "",
                          const std::string& service = "") {
    return "duration: 1ms\n"
           "topology: {type: star, hosts: [s, c0, c1], link: {rate: 56Gbps, length: 2m}}\n"
           "services: [{name: cache, type: herd, servers: s, clients: \"c*\", client_processes: 3, window: "
           "4" +
           service + "}]\nworkloads: [{name: w, type: ycsb, service: cache, file: " + file + more + "}]\n";
  }
  Scenario Load(const std::string& properties, const std::string& more = "") const {
    Write(properties);
    return LoadScenarioText(Text("w.properties", more), "s.yaml", folder_.path());
  }
  static KeyValueArrivals Letter(const char* letter) {
    const Scenario s =
        LoadScenarioText(Text(std::string("workload") + letter + ".properties"), "s.yaml", kLetters);
    return s.workloads.at(0).arrivals.As<KeyValueArrivals>();
  }
  KeyValueArrivals Of(const std::string& properties, const std::string& more = "") const {
    return Load("recordcount=1000\n" + properties, more).workloads.at(0).arrivals.As<KeyValueArrivals>();
  }
  /// The message without the folder. The properties begin in line 2.
  std::string MessageOf(const std::string& properties, const std::string& more = "") const {
    try {
      Of(properties, more);
    } catch (const ScenarioError& error) {
      return folder_.Without(error.what());
    }
    return "";
  }

  const TestFolder folder_;
};

TEST_F(Ycsb, properties_are_javas) {
  using All = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(Properties("a=1\nb: 2\nc 3\n  d  =  4\n"), (All{{"a", "1"}, {"b", "2"}, {"c", "3"}, {"d", "4"}}));
  EXPECT_EQ(Properties("# no\n  ! no\n\n\t\na=b # no comment\r\n"), (All{{"a", "b # no comment"}}));
  EXPECT_EQ(Properties("a=one\\\n   two\\\n\tthree\nb=2\n"), (All{{"a", "onetwothree"}, {"b", "2"}}));
  EXPECT_EQ(Properties("a=1\\\n# still the value\n"), (All{{"a", "1# still the value"}}));
  EXPECT_EQ(Properties("# a comment does not go on \\\na=1\n"), (All{{"a", "1"}}));
  EXPECT_EQ(Properties("a\\ b\\=c=x\\ty\nd=1\\\\\ne=2\n"),
            (All{{"a b=c", "x\ty"}, {"d", "1\\"}, {"e", "2"}}));
  EXPECT_EQ(Properties("a=\\u00b5s\\u20ac\n"), (All{{"a", "µs€"}}));
  EXPECT_EQ(Properties("a=1\nb=2\na=3"), (All{{"a", "3"}, {"b", "2"}}));
  EXPECT_EQ(Properties("empty\na=\n"), (All{{"empty", ""}, {"a", ""}}));
  EXPECT_EQ(Properties("last=1\\"), (All{{"last", "1"}}));
  EXPECT_THROW(Properties("a=\\u12"), ScenarioError);
}

TEST_F(Ycsb, the_letters_are_what_they_are) {
  struct Expected {
    const char* letter;
    double puts, inserts, modifies;
    KeyChoice choice;
  };
  for (const Expected& e : {Expected{"a", 0.5, 0, 0, KeyChoice::scrambled_zipf},
                            {"b", 0.05, 0, 0, KeyChoice::scrambled_zipf},
                            {"c", 0, 0, 0, KeyChoice::scrambled_zipf},
                            {"d", 0, 0.05, 0, KeyChoice::latest},
                            {"f", 0, 0, 0.5, KeyChoice::scrambled_zipf}}) {
    const KeyValueArrivals kv = Letter(e.letter);
    EXPECT_DOUBLE_EQ(kv.puts, e.puts) << e.letter;
    EXPECT_DOUBLE_EQ(kv.inserts, e.inserts) << e.letter;
    EXPECT_DOUBLE_EQ(kv.modifies, e.modifies) << e.letter;
    EXPECT_EQ(kv.choice, e.choice) << e.letter;
    EXPECT_EQ(kv.keys, 1000);
    EXPECT_EQ(kv.operations, 1000);
    EXPECT_EQ(kv.value, Bytes(1000));
    EXPECT_EQ(kv.key, Bytes(23));
    EXPECT_EQ(kv.processes, 3);
    EXPECT_EQ(kv.window, 4);
    EXPECT_EQ(kv.from, (std::vector<NodeId>{1, 2}));
  }
}

TEST_F(Ycsb, scans_are_refused_by_name) {
  try {
    Letter("e");
    FAIL() << "workload E has scans";
  } catch (const ScenarioError& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "workloade.properties:9:1: scanproportion=0.95 is not supported: services of keys keep no "
                  "order of keys, so they have no scans"),
              std::string::npos)
        << e.what();
  }
}

TEST_F(Ycsb, defaults_are_those_of_the_code) {
  const KeyValueArrivals kv = Of("");
  EXPECT_DOUBLE_EQ(kv.puts, 0.05);
  EXPECT_EQ(kv.choice, KeyChoice::uniform);
  EXPECT_EQ(kv.operations, 0);
  EXPECT_EQ(kv.value, Bytes(1000));
  EXPECT_EQ(kv.threads, 0);
  EXPECT_EQ(kv.target, 0);
}

TEST_F(Ycsb, proportions_are_weights) {
  const KeyValueArrivals kv = Of("readproportion=1\nupdateproportion=2\ninsertproportion=1\n");
  EXPECT_DOUBLE_EQ(kv.puts, 0.5);
  EXPECT_DOUBLE_EQ(kv.inserts, 0.25);
}

TEST_F(Ycsb, what_is_set_goes_over_the_file) {
  const KeyValueArrivals kv =
      Of("threadcount=2\nfieldcount=4\n", ", set: {threadcount: 8, target: 50000, fieldlength: 8}");
  EXPECT_EQ(kv.threads, 8);
  EXPECT_EQ(kv.target, 50'000);
  EXPECT_EQ(kv.value, Bytes(32));
}

TEST_F(Ycsb, times_are_scaled) {
  EXPECT_EQ(Of("maxexecutiontime=60\n", ", time_scale: 1/100000, start: 100us").stop, Microseconds(700));
  EXPECT_EQ(Of("maxexecutiontime=60\n", ", time_scale: 1/100000, stop: 200us").stop, Microseconds(200));
  EXPECT_EQ(Of("", ", time_scale: 1/1000").stop, std::nullopt);
}

TEST_F(Ycsb, what_no_store_of_values_does_is_refused_with_file_and_line) {
  const std::pair<const char*, const char*> all[] = {
      {"readproportion=0.5\nscanproportion=0.1\n",
       "w.properties:3:1: scanproportion=0.1 is not supported: services of keys keep no order of keys, so "
       "they have no scans"},
      {"readallfields=false\n",
       "w.properties:2:1: readallfields=false is not supported: a key has one value, not 10 fields"},
      {"fieldlengthdistribution=zipfian\n",
       "w.properties:2:1: fieldlengthdistribution=zipfian is not supported"},
      {"insertstart=5\n", "w.properties:2:1: insertstart=5 is not supported"},
      {"dataintegrity=true\n", "w.properties:2:1: dataintegrity=true is not supported"},
      {"fieldcount=20\n", "w.properties:2:1: a value of 2KB does not fit into a slot for requests"},
      {"requestdistribution=zipfain\n", "did you mean \"zipfian\""},
      {"recordcuont=5\n", "w.properties:2:1: YCSB's core workloads have no key \"recordcuont\""},
      {"readproportion=a\n", "w.properties:2:1: readproportion=a is not a number"},
      {"recordcount=0\n", "w.properties:2:1: recordcount is missing or 0, so there are no keys to read"},
      {"recordcount=1.5\n", "w.properties:2:1: recordcount=1.5 is not a whole number"},
      {"readproportion=0\nupdateproportion=0\n", "w.properties:2:1: all proportions are 0"},
      {"threadcount=25\n",
       "w.properties:2:1: the workload has 25 threads, but the clients of the service have only 24 open "
       "operations"},
      {"maxexecutiontime=60\n",
       "w.properties:2:1: maxexecutiontime=60 is given, but not the simulated time for it"}};
  for (const auto& [properties, message] : all)
    EXPECT_NE(MessageOf(properties).find(message), std::string::npos) << MessageOf(properties);
  EXPECT_NE(MessageOf("", ", set: {scanproportion: 1}").find("s.yaml:4:"), std::string::npos);
}

/// A key causes no refusal if the others make it irrelevant.
TEST_F(Ycsb, keys_that_cannot_matter_are_passed_over) {
  for (const std::string reads :
       {"readproportion=1\nupdateproportion=0\nwriteallfields=false\n",
        "readproportion=0\nupdateproportion=1\nreadallfields=false\ndataintegrity=true\n",
        "readproportion=0\nupdateproportion=0\ninsertproportion=1\nreadallfields=false\nwriteallfields="
        "false\n",
        "readallfields=false\nreadallfieldsbyname=true\n",
        "requestdistribution=zipfian\nhotspotdatafraction=7\n",
        "exponential.frac=0\nexponential.percentile=200\n", "minfieldlength=5\nfieldlengthhistogram=x.txt\n",
        "redis.host=127.0.0.1\nmongodb.url=mongodb://x\njdbc.fetchsize=9\n",
        "label=a\ndb=site.ycsb.BasicDB\n"})
    EXPECT_EQ(MessageOf(reads), "") << reads;
  EXPECT_NE(MessageOf("readproportion=0.5\nreadmodifywriteproportion=0.5\nupdateproportion=0\n"
                      "writeallfields=false\n")
                .find("w.properties:5:1: writeallfields=false"),
            std::string::npos);
  EXPECT_NE(MessageOf("requestdistribution=hotspot\nhotspotdatafraction=7\n").find("out of range"),
            std::string::npos);
  EXPECT_EQ(MessageOf("redis_host=x\n"),
            "w.properties:2:1: YCSB's core workloads have no key \"redis_host\"; allowed: keys of "
            "CoreWorkload, of YCSB's client and of its bindings");
}

TEST_F(Ycsb, a_whole_value_may_be_one_field) {
  EXPECT_EQ(Of("readallfields=false\nfieldcount=1\n").value, Bytes(100));
}

TEST_F(Ycsb, resolved_text_is_the_same_scenario) {
  Write("recordcount=50\nthreadcount=3\nmaxexecutiontime=1\n");
  const ScenarioFile file =
      LoadScenarioFileText(Text("w.properties", ", set: {target: 7000}, time_scale: 1/2000, start: 10us") +
                               "observe: {operations: none}\n",
                           "s.yaml", folder_.path());
  const Resolved resolved = WriteResolved(file);
  ASSERT_EQ(resolved.files.size(), 1u);
  fs::create_directories(folder_ / "again");
  fs::copy_file(resolved.files[0].from, folder_ / "again" / resolved.files[0].name);
  const ScenarioFile again = LoadScenarioFileText(resolved.yaml, "resolved.yaml", folder_ / "again");
  const auto& kv = again.scenario.workloads.at(0).arrivals.As<KeyValueArrivals>();
  EXPECT_EQ(kv, file.scenario.workloads.at(0).arrivals.As<KeyValueArrivals>());
  EXPECT_EQ(kv.stop, Microseconds(510));
  EXPECT_EQ(again.scenario.observe.operations.one_in, 0u);
  EXPECT_EQ(WriteResolved(again).yaml, resolved.yaml);
}

}  // namespace
}  // namespace headroom::ycsb_test
