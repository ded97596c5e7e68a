#include "scenario/read_workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/keys/class_keys.h"

namespace headroom {

namespace {

using ReadType = void (*)(MapReader&, const WorkloadContext&, Workload&);
struct Type {
  const char* name;
  ReadType read;
};
constexpr Type kTypes[] = {{"poisson", ReadPoisson}, {"incast", ReadIncast}, {"permutation", ReadPermutation},
                           {"stream", ReadStream},   {"list", ReadList},     {"hpcc", ReadHpccFlowFile},
                           {"verbs", ReadPosting}};

/// `per_message`, or {per_pair: n}.
void ReadQp(const Node& node, WorkloadParameters& workload, Errors& errors) {
  if (node.IsScalar()) {
    if (node.text != "per_message")
      throw ScenarioError(node.where, Quote(node.text) + " is not a way to use QPs",
                          "allowed: per_message, {per_pair: n}");
    workload.qp_per_message = true;
    return;
  }
  workload.qp_per_message = false;
  MapReader map(node, errors);
  map.Need({"per_pair"});
  map.Integer("per_pair", workload.qps_per_pair, 1, 65536);
  map.Finish();
}

/// The class where none is given: storage, else the only one that is not for CNPs.
uint8_t DefaultPriority(const Position& where, const TrafficClasses& classes) {
  if (const auto storage = keys::FindClass(classes, "storage")) return *storage;
  std::vector<uint8_t> data;
  for (const TrafficClass& c : classes)
    if (!c.name.empty() && c.name != "cnp") data.push_back(c.priority);
  if (data.size() == 1) return data.front();
  throw ScenarioError(where, "the key \"priority\" is missing and there is no class \"storage\"");
}

Workload ReadWorkload(const Node& node, const WorkloadContext& context, Errors& errors) {
  Workload workload;
  WorkloadParameters& parameters = workload.parameters;
  workload.source.where = node.where;
  MapReader map(node, errors);
  map.Need({"name", "type"});
  map.Read("name", [&](const Node& value) { parameters.name = ParseName(value); });
  map.Read("verb", [&](const Node& value) {
    std::vector<std::string> names;
    for (const auto& verb : kVerbs) names.push_back(verb.first);
    parameters.verb = kVerbs[ParseChoice(value, names, {"cas", "faa", "atomic"})].second;
  });
  const bool own_priority = map.Read(
      "priority", [&](const Node& value) { parameters.priority = keys::ParseClass(value, context.classes); });
  map.NotYet({"protocol"});
  const Type* type = nullptr;
  map.Read("type", [&](const Node& value) {
    std::vector<std::string> names;
    for (const Type& known : kTypes) names.push_back(known.name);
    type = &kTypes[ParseChoice(value, names)];
  });
  if (!type) {
    map.FinishMissing();
    return workload;
  }
  parameters.type = type->name;
  parameters.qp_per_message = parameters.type == "hpcc";
  if (!own_priority && parameters.type != "hpcc")  // flows of HPCC's files bring their own
    errors.Guard([&] { parameters.priority = DefaultPriority(node.where, context.classes); });
  if (parameters.type != "verbs") {  // whose processes have their own
    map.NotYet({"transport"});
    map.Field("register", parameters.registers);
    map.Read("qp", [&](const Node& value) { ReadQp(value, parameters, errors); });
  }
  type->read(map, context, workload);
  map.Finish();
  return workload;
}

}  // namespace

std::vector<Workload> ReadWorkloads(const Node& list, const WorkloadContext& context, Errors& errors) {
  std::vector<Workload> workloads;
  std::set<std::string> names;
  for (const Node& node : ParseList(list)) {
    errors.Guard([&] {
      workloads.push_back(ReadWorkload(node, context, errors));
      const std::string& name = workloads.back().parameters.name;
      if (!name.empty() && !names.insert(name).second)
        throw ScenarioError(node.Find("name")->where, fmt::format("a second workload \"{}\"", name));
    });
  }
  if (list.items.empty()) throw ScenarioError(list.where, "there is no workload");
  return workloads;
}

}  // namespace headroom
