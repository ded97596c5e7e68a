// `run --pcap` as tshark reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "support/text_file.h"

namespace headroom::run_command_pcap_test {
namespace {

namespace fs = std::filesystem;

std::string Output(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string text;
  char part[65536];
  for (size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

/// Fields of each packet of a capture, in order.
std::vector<std::vector<std::string>> Fields(const fs::path& file, const std::string& fields,
                                             const std::string& filter = "") {
  std::string command = "tshark -n -r " + file.string() + " -T fields -E separator=,";
  if (!filter.empty()) command += " -Y '" + filter + "'";
  std::istringstream names(fields);
  for (std::string name; names >> name;) command += " -e " + name;
  std::vector<std::vector<std::string>> packets;
  std::istringstream lines(Output(command + " 2>/dev/null"));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string>& packet = packets.emplace_back();
    std::istringstream values(line + ",");
    for (std::string value; std::getline(values, value, ',');) packet.push_back(value);
  }
  return packets;
}

class Pcap : public testing::Test {
 protected:
  Pcap() : dir_(fs::temp_directory_path() / ("headroom-pcap-" + std::to_string(getpid()))) {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  ~Pcap() override { fs::remove_all(dir_); }
  int Run(const std::string& yaml, const std::string& arguments) {
    std::ofstream(dir_ / "s.yaml") << yaml;
    const std::string command = std::string(HEADROOM_PROGRAM) + " run " + (dir_ / "s.yaml").string() +
                                " --out " + (dir_ / "out").string() + " " + arguments + " > " +
                                (dir_ / "said").string() + " 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  fs::path Capture(const std::string& name) const { return dir_ / "out" / "pcap" / name; }
  fs::path dir_;
};

constexpr char kStar[] =
    "name: star\nduration: 1ms\ntopology: {type: star, hosts: 3, link: {rate: 100Gbps, delay: 100ns}}\n"
    "switches: [{match: \"*\", buffer: {profile: azure-24mb}}]\n";

TEST_F(Pcap, everyVerbIsDissectedAsWhatItIs) {
  const std::map<std::string, std::vector<std::string>> expected = {
      // opcodes (decimal) of 2500 B and of their answer, at the receiver's port
      {"write", {"6", "7", "8"}},
      {"write_with_imm", {"6", "7", "9"}},
      {"send", {"0", "1", "2"}},
      {"send_with_imm", {"0", "1", "3"}},
      {"send_with_invalidate", {"0", "1", "22"}},
      {"read", {"12", "13", "14", "15"}}};
  for (const auto& [verb, opcodes] : expected) {
    const std::string workloads = "workloads: [{name: w, type: list, verb: " + verb +
                                  ", messages: [{from: h0, to: h1, size: 2500B}]}]\n";
    ASSERT_EQ(Run(kStar + workloads, "--pcap h1 --force"), 0) << ReadTextFile(dir_ / "said");
    std::vector<std::string> seen;
    for (const auto& packet :
         Fields(Capture("h1-p0.pcap"), "infiniband.bth.opcode infiniband.bth.psn", "udp.port == 4791")) {
      if (packet[0] != "17") seen.push_back(packet[0]);
    }
    EXPECT_EQ(seen, opcodes) << verb;
    EXPECT_TRUE(Fields(Capture("h1-p0.pcap"), "frame.number", "_ws.malformed || _ws.expert.severity == error")
                    .empty());
  }
}

TEST_F(Pcap, timesLengthsAndAcksAreThoseOfTheRun) {
  // One WRITE of 1024 B has 1102 B with FCS, leaves at 0 and arrives after 2 × (89.76 + 100) ns and 500 ns of
  // the switch; its ACK has 66 B.
  ASSERT_EQ(Run(std::string(kStar) +
                    "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1024B}]}]\n",
                "--pcap h0 --pcap h1:p0"),
            0);
  const std::string fields =
      "frame.time_epoch frame.len ip.src ip.dst ip.dsfield.dscp infiniband.bth.psn infiniband.aeth.syndrome "
      "infiniband.aeth.msn infiniband.reth.dmalen";
  const auto sent = Fields(Capture("h0-p0.pcap"), fields), received = Fields(Capture("h1-p0.pcap"), fields);
  ASSERT_EQ(sent.size(), 2u);
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(sent[0][0], "0.000000000");
  EXPECT_EQ(received[0][0], "0.000000879");
  EXPECT_EQ(sent[0][1], "1098");
  EXPECT_EQ(sent[0][2], "10.0.0.1");
  EXPECT_EQ(sent[0][3], "10.0.0.2");
  EXPECT_EQ(sent[0][4], "3");
  EXPECT_EQ(sent[0][8], "1024");
  EXPECT_EQ(received[1][1], "62");
  EXPECT_EQ(received[1][2], "10.0.0.2");
  EXPECT_EQ(received[1][6], "31");
  EXPECT_EQ(received[1][7], "1");
}

TEST_F(Pcap, responsesSayHowManyMessagesAreExecuted) {
  // Two READs of 2500 B have first, middle and last responses, and an AETH on the first and on the last.
  ASSERT_EQ(
      Run(std::string(kStar) + "workloads: [{name: w, type: list, verb: read, messages: [{from: h0, to: h1, "
                               "size: 2500B}, {from: h0, to: h1, size: 2500B}]}]\n",
          "--pcap s0"),
      0);
  std::vector<std::string> sequences;
  for (const auto& packet : Fields(Capture("s0-p0.pcap"), "infiniband.aeth.msn",
                                   "infiniband.bth.opcode in {13, 14, 15} && ip.src == 10.0.0.1"))
    sequences.push_back(packet[0]);
  EXPECT_EQ(sequences, (std::vector<std::string>{"1", "", "1", "2", "", "2"}));
}

TEST_F(Pcap, losesMarksAndPausesAreSeen) {
  // Two senders share a port with a small buffer and ECN, and frames are lost on their way to it: there are
  // NAKs, CNPs and pauses.
  const std::string yaml =
      "name: busy\nduration: 1ms\nmtu: 1024\ntopology: {type: star, hosts: 3, link: {rate: 100Gbps, delay: "
      "100ns}}\n"
      "switches: [{match: \"*\", buffer: {profile: hpcc, size: 256KiB}, ecn: {storage: {kmin: 20KB, kmax: "
      "80KB, pmax: "
      "20%}}}]\n"
      "faults: [{type: loss, link: [s0, h2], probability: 1/200}]\n"
      "workloads: [{name: w, type: incast, size: 500KB, from: \"*\", to: h2}]\n";
  ASSERT_EQ(Run(yaml, "--pcap \"*\""), 0) << ReadTextFile(dir_ / "said");
  const std::string summary = ReadTextFile(dir_ / "out" / "summary.json");
  const auto at = [&](const std::string& file, const std::string& filter) {
    return Fields(Capture(file), "frame.number", filter).size();
  };
  const size_t naks =
      at("h0-p0.pcap", "infiniband.aeth.syndrome.opcode == 3 || infiniband.aeth.syndrome == 0x60") +
      at("h1-p0.pcap", "infiniband.aeth.syndrome.opcode == 3 || infiniband.aeth.syndrome == 0x60");
  EXPECT_GT(naks, 0u);
  EXPECT_NE(summary.find("\"naks\": " + std::to_string(naks)), std::string::npos) << naks;
  // No queue pair has one of the two numbers that are for management packets.
  EXPECT_EQ(at("h2-p0.pcap", "infiniband.bth.destqp < 2"), 0u);
  EXPECT_EQ(at("h2-p0.pcap", "udp.port == 4791 && !(infiniband.bth.opcode in {6, 7, 8, 10, 17, 129})"), 0u);
  const size_t cnps = at("h2-p0.pcap", "infiniband.bth.opcode == 0x81");
  EXPECT_GT(cnps, 0u);
  EXPECT_NE(summary.find("\"sent\": " + std::to_string(cnps)), std::string::npos) << cnps;
  EXPECT_GT(at("h2-p0.pcap", "ip.dsfield.ecn == 3"), 0u);
  // A pause at the switch's port is the same at the host's.
  const auto pauses = Fields(Capture("s0-p0.pcap"), "eth.dst macc.cbfc.enbv macc.cbfc.pause_time.c3", "macc");
  EXPECT_GT(pauses.size(), 0u);
  EXPECT_EQ(at("h0-p0.pcap", "macc"), pauses.size());
  EXPECT_EQ(pauses[0][0], "01:80:c2:00:00:01");
}

TEST_F(Pcap, whatMatchesNothingIsRefused) {
  const std::string yaml = std::string(kStar) + "workloads: [{name: w, type: permutation, size: 1KB}]\n";
  EXPECT_EQ(Run(yaml, "--pcap h9"), 2);
  EXPECT_EQ(ReadTextFile(dir_ / "said"),
            "headroom: --pcap h9: no port matches; allowed: NODE or NODE:PORT, with * and ?\n");
  EXPECT_EQ(Run("frames: hpcc\n" + yaml, "--pcap h0"), 2);
  EXPECT_FALSE(fs::exists(dir_ / "out"));
}

}  // namespace
}  // namespace headroom::run_command_pcap_test
