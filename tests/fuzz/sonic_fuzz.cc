// Fuzz target of the SONiC reader: any bytes give a switch, or findings and errors with a place, within five
// seconds of CPU; a result can be written and read again.
//
// A text before a line "#config" is a pg_profile_lookup.ini for the configuration after it. A build with
// main.cc mutates the configurations of tests/ and those beside the project, if present.
#include <optional>
#include <string>

#include "corpus.h"
#include "one_input.h"
#include "sonic/chip/dynamic_model.h"
#include "sonic/chip/sonic_switch.h"
#include "sonic/tables/check_pfc.h"
#include "sonic/tables/read.h"
#include "switch/buffer/shared_buffer.h"

namespace {

using namespace headroom;

/// Returns whether there is an error. Every finding has a text and a place.
bool Judge(const Findings& findings, const std::string& text) {
  bool error = false;
  for (const Finding& f : findings) {
    if (!f.where.starts_with("fuzz.json") || f.what.empty()) Fail("a finding without a place", text);
    error |= f.severity == Finding::Severity::error;
  }
  return error;
}

/// All eight classes, every second lossless.
TrafficClasses Classes() {
  TrafficClasses classes;
  for (uint8_t p = 0; p < kPriorities; ++p) classes[p] = {"c" + std::to_string(p), p, p, p == 3, 1, false};
  return classes;
}

void MakeSwitch(const SonicConfig& config, const std::string& text) {
  std::vector<ChipPort> ports;
  for (const SonicPort& port : config.ports)
    if (port.up() && port.external() && port.speed && ports.size() < 4)
      ports.push_back({"p" + std::to_string(ports.size()), *port.speed, Nanoseconds(5) * port.cable_m});
  const TrafficClasses classes = Classes();
  const SonicSwitchModel model = SonicSwitch(config, ports, classes);
  if (Judge(model.findings, text)) return;
  if (model.qos.size() != ports.size()) Fail("a port without maps", text);
  std::vector<BufferPort> buffer_ports;
  for (const ChipPort& port : ports) buffer_ports.push_back({port.name, port.speed, port.delay});
  ns3::CreateObject<SharedBuffer>()->Setup(model.buffer, buffer_ports, classes, model.qos);
}

void ReadAndMake(const std::string& text) {
  const std::string mark = "#config\n";
  const size_t at = text.find(mark);
  std::optional<PgProfileLookup> lookup;
  if (at != std::string::npos) lookup = ReadPgProfileLookup(text.substr(0, at), "lookup.ini");
  const PgProfileLookup* table = lookup ? &*lookup : nullptr;
  const std::string json = at == std::string::npos ? text : text.substr(at + mark.size());
  SonicFile file = ReadSonicConfig(json, "fuzz.json", table);
  const SonicFile again = ReadSonicConfig(WriteSonicConfig(file.config), "fuzz.json");
  if (again.config.json != file.config.json) Fail("not written as it was read", text);
  Judge(CheckPfcGroups(file.config), text);
  if (Judge(file.findings, text)) return;
  if (file.config.device.dynamic() && Judge(ComputeDynamicModel(file.config), text)) return;
  MakeSwitch(file.config, text);
}

}  // namespace

void Check(const std::string& text) {
  try {
    ReadAndMake(text);
  } catch (const SonicSyntaxError&) {
    // The place has line and column.
  }
}

FuzzCorpus Corpus() {
  FuzzCorpus corpus;
  corpus.folders = {{"tests/sonic/data", ".json"}, {"../shared/data/sonic/config_db", ".json"}};
  corpus.largest_seed = 250'000;
  corpus.favour_small = 8;  // those of tests/ have 8 kB, those of real switches 100 kB and more
  corpus.tokens = {"0",
                   "-1",
                   "8",
                   "3-4",
                   "99999999999999999999",
                   "1e999",
                   "\"",
                   "{",
                   "}",
                   "{}",
                   "[",
                   "]",
                   ":",
                   ",",
                   "|",
                   "null",
                   "NULL",
                   "true",
                   "[]",
                   "\\u0000",
                   "\xff",
                   "Ethernet0",
                   "Ethernet0,Ethernet4",
                   "global",
                   "GLOBAL",
                   "300m",
                   "0m",
                   "dynamic",
                   "static",
                   "both",
                   "trim",
                   "STRICT",
                   "2,3,4,6",
                   "63",
                   "15",
                   "ecn_none",
                   "ACS-MSN2700",
                   "x86_64-mlnx_msn4700-r0",
                   "\"x\": {\"y\": \"z\"},",
                   "40000 5m 1248 2288 70000 0 2288\n#config\n"};
  corpus.kept = "fuzz-input.json";
  return corpus;
}
