// Checks a scenario's classes against the maps of the switch.
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "sonic/chip/sonic_switch_parts.h"
#include "sonic/tables/missing_group.h"

namespace headroom {

namespace {

constexpr const char* kOtherDscp =
    "give the class a DSCP that the switch maps to a lossless group, or give the group a profile with xoff";
class ClassCheck {
 public:
  ClassCheck(const SonicConfig& config, const SonicSwitchModel& model, SonicFindings& findings)
      : config_(config), model_(model), findings_(findings) {}

  void Run(const TrafficClass& c) {
    class_ = &c;
    for (size_t in = 0; in < model_.file_ports.size(); ++in) {
      port_ = model_.file_ports[in];
      if (!NumbersFit()) continue;
      const PortQos& qos = model_.qos[in];
      const uint8_t tc = qos.dscp_to_tc[c.dscp], group = qos.tc_to_group[tc];
      CheckGroup(qos, tc, group);
      for (size_t out = 0; out < model_.file_ports.size(); ++out)
        CheckQueue(out, model_.qos[out].tc_to_queue[tc]);
    }
  }

 private:
  std::string Name() const { return fmt::format("class \"{}\" (DSCP {})", class_->name, class_->dscp); }

  /// Whether the class's traffic class, group and queue are numbers that Headroom supports.
  bool NumbersFit() {
    const SonicMap* map = MapAtPort(config_, port_, config_.dscp_to_tc, &SonicPortQos::dscp_to_tc_map);
    const auto tc = Target(map, class_->dscp, "traffic class");
    if (!tc) return false;
    return Target(MapAtPort(config_, port_, config_.tc_to_pg, &SonicPortQos::tc_to_pg_map), *tc, "group") &&
           Target(MapAtPort(config_, port_, config_.tc_to_queue, &SonicPortQos::tc_to_queue_map), *tc,
                  "queue");
  }

  std::optional<int> Target(const SonicMap* map, int from, const char* what) {
    if (!map) return 0;
    const auto found = map->to.find(from);
    if (found == map->to.end() || !found->second) return 0;
    const int to = *found->second;
    if (to < kPriorities) return to;
    findings_.Error(found->second.place,
                    fmt::format("{} is in {} {}, but Headroom has only 0 to 7", Name(), what, to),
                    "map it to one of these, or give the class another DSCP");
    return std::nullopt;
  }

  void CheckGroup(const PortQos& qos, int tc, int group) {
    const SonicGroupRow* row = config_.FindGroup(port_, group);
    const SonicProfile* profile = row && row->profile ? config_.FindProfile(*row->profile) : nullptr;
    const std::string at = fmt::format("{} is in traffic class {}, group {}", Name(), tc, group);
    const SonicPlace no_row{"BUFFER_PG", fmt::format("{}|{}", port_, group), ""};
    const bool pauses = (PrioritiesFor(qos, group) & 1u << class_->priority) != 0;
    if (class_->lossless) {
      if (!profile || !profile->lossless()) {
        const std::string what = fmt::format(
            "{} is lossless in the scenario, but not on this switch: DSCP {} is traffic class "
            "{}, group {}, which has no headroom",
            ClassName(), class_->dscp, tc, group);
        const SonicPort* port = config_.FindPort(port_);
        if (row || !pauses || !port) {
          findings_.Error(row ? row->profile.place : no_row, what, kOtherDscp);
        } else {
          const MissingGroup reason = WhyNoLosslessGroup(config_, *port);
          findings_.Error(no_row, what + ", although PFC is enabled for it: " + reason.why, reason.change);
        }
      } else if (!pauses) {
        findings_.Error(
            PfcPlace(),
            fmt::format("{} is lossless in the scenario, but not on this switch: group {} sends no pause "
                        "of its priority, {}",
                        ClassName(), group, class_->priority),
            "add the priority to pfc_enable, or give the class the priority of its group");
      }
      return;
    }
    if (!row || (!profile && !row->computed)) {
      findings_.Error(no_row, at + ", which has no profile", "add a row, or give the class another DSCP");
    } else if (profile && profile->lossless() && qos.pfc_enable != 0) {
      findings_.Warning(row->profile.place,
                        at + ", which is lossless on this switch but not in the scenario");
    }
  }

  void CheckQueue(size_t out, int queue) {
    if (!queues_seen_.emplace(class_->priority, out, queue).second) return;
    const std::string& port = model_.file_ports[out];
    const SonicBufferQueueRow* row = config_.FindBufferQueue(port, queue);
    if (!row)
      findings_.Error({"BUFFER_QUEUE", fmt::format("{}|{}", port, queue), ""},
                      fmt::format("{} is in queue {}, which has no profile", Name(), queue),
                      "add a row, or give the class another DSCP");
    if (class_->lossless && model_.qos[out].pfc_to_queue[class_->priority] != queue)
      findings_.Error(
          {"MAP_PFC_PRIORITY_TO_QUEUE", "", ""},
          fmt::format("a pause of priority {} stops queue {}, but {} is in queue {}", class_->priority,
                      model_.qos[out].pfc_to_queue[class_->priority], Name(), queue),
          "map the priority to the class's queue");
  }

  /// The priorities whose pauses belong to the group and are enabled.
  static unsigned PrioritiesFor(const PortQos& qos, int group) {
    unsigned mask = 0;
    for (unsigned p = 0; p < kPriorities; ++p)
      if (qos.pfc_to_group[p] == group) mask |= qos.pfc_enable & 1u << p;
    return mask;
  }

  std::string ClassName() const { return fmt::format("class \"{}\"", class_->name); }

  SonicPlace PfcPlace() const {
    const SonicPortQos* row = config_.FindPortQos(port_);
    return row ? row->pfc_enable.place : SonicPlace{"PORT_QOS_MAP", port_, "pfc_enable"};
  }

  const SonicConfig& config_;
  const SonicSwitchModel& model_;
  SonicFindings& findings_;
  const TrafficClass* class_ = nullptr;
  std::string port_;
  std::set<std::tuple<int, size_t, int>> queues_seen_;
};

}  // namespace

void CheckSonicClasses(const SonicConfig& config, const TrafficClasses& classes,
                       const SonicSwitchModel& model, SonicFindings& findings) {
  ClassCheck check(config, model, findings);
  for (const TrafficClass& c : classes)
    if (!c.name.empty()) check.Run(c);
}

}  // namespace headroom
