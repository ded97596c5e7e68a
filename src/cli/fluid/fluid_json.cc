#include "cli/fluid/fluid_json.h"

#include <algorithm>

#include "analysis/fluid/fluid_run.h"
#include "cli/fluid/fluid.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

Json SettingsJson(const FluidSettings& s) {
  return {{"cut_interval_us", InMicroseconds(s.cut_interval)},
          {"alpha_timer_us", InMicroseconds(s.alpha_timer)},
          {"increase_timer_us", InMicroseconds(s.increase_timer)},
          {"byte_counter_bytes", s.byte_counter.v},
          {"fast_recovery", s.fast_recovery},
          {"rate_ai_bps", s.rate_ai.v},
          {"min_rate_bps", s.min_rate.v},
          {"g", s.g}};
}

Json StabilityJson(const FluidCheck& check) {
  const auto margin = check.stability.Margin();
  return {{"phase_margin_deg", margin ? Json(*margin) : Json()},
          {"crossover_rad_per_s", margin ? Json(check.stability.crossover->omega) : Json()},
          {"wave_us", margin ? Json(check.Period() * 1e6) : Json()},
          {"stable", margin ? Json(check.stability.stable) : Json()},
          {"verdict", VerdictText(check)}};
}

Json RemedyJson(const FluidCheck& check, const FluidRemedy& remedy) {
  if (remedy.of == FluidRemedy::Of::rate_ai) {
    return {{"rate_ai_bps", (check.model.settings.rate_ai / remedy.factor).v},
            {"phase_margin_deg", remedy.margin}};
  }
  const EcnCurve& ecn = *check.model.ecn;
  return {{"kmax_bytes", (ecn.kmin + (ecn.kmax - ecn.kmin) * remedy.factor).v},
          {"phase_margin_deg", remedy.margin}};
}

Json FixedPointJson(const FluidCheck& check) {
  const FluidFixedPoint& at = check.stability.at;
  return {{"marked_fraction", at.p},
          {"marked_fraction_approximately", at.p_approx},
          {"queue_bytes", check.QueueBytes()},
          {"at_kmax", at.pinned},
          {"rate_bps", at.rate * check.model.wire_bits},
          {"target_rate_bps", at.target * check.model.wire_bits},
          {"alpha", at.alpha},
          {"hyper_increase_share", at.hyper}};
}

Json RunJson(const FluidCheck& check) {
  const FluidParameters& p = check.model.parameters;
  // The duration covers forty oscillations, which show the effect of a phase margin, and at least the time in
  // which alpha settles.
  const double duration = std::clamp(40 * check.Period(), 0.02, 0.5);
  FluidStart start;
  for (const FluidDelay& d : p.delays) start.groups.push_back({d.flows, d.delay, p.line, p.line, 1});
  Json run{{"at", check.at}};
  for (const FluidDelay& d : p.delays)
    run["groups"].push_back({{"flows", d.flows}, {"loop_delay_us", d.delay * 1e6}});
  for (const FluidSample& s : RunFluid(p, start, duration, duration / 2000)) {
    run["time_us"].push_back(s.time * 1e6);
    run["queue_bytes"].push_back(s.queue * check.model.queued_bytes);
    run["marked_fraction"].push_back(s.p);
    for (size_t g = 0; g < s.rates.size(); ++g)
      run["groups"][g]["rate_bps"].push_back(s.rates[g] * check.model.wire_bits);
  }
  return run;
}

}  // namespace

nlohmann::ordered_json FluidAsJson(const FluidCheck& check) {
  Json json{{"at", check.at},
            {"ports", check.ports},
            {"class", check.traffic_class},
            {"workloads", check.workloads},
            {"port_rate_bps", check.port_rate.v},
            {"flows", check.flows},
            {"share_bps", check.share_bps},
            {"loop_delay_us",
             {{"least", InMicroseconds(check.model.delays.begin()->first)},
              {"most", InMicroseconds(check.model.delays.rbegin()->first)}}},
            {"lasts_us", check.lasts * 1e6}};
  const auto& ecn = check.model.ecn;
  json["ecn"] =
      ecn ? Json{{"kmin_bytes", ecn->kmin.v}, {"kmax_bytes", ecn->kmax.v}, {"pmax", ecn->pmax}} : Json();
  json["refused"] = check.Applies() ? Json() : Json(check.model.refusal);
  if (!check.Applies()) return json;
  json["dcqcn"] = SettingsJson(check.model.settings);
  json["fixed_point"] = FixedPointJson(check);
  json["stability"] = StabilityJson(check);
  json["remedies"] = Json::array();
  for (const FluidRemedy& remedy : check.remedies) json["remedies"].push_back(RemedyJson(check, remedy));
  return json;
}

nlohmann::ordered_json FluidAnswerAsJson(const FluidAnswer& answer) {
  const Scenario& s = answer.file.scenario;
  Json json{{"scenario", s.name}, {"file", s.file}, {"seed", s.seed}};
  json["bottlenecks"] = Json::array();
  for (const FluidCheck& check : answer.checks.bottlenecks) json["bottlenecks"].push_back(FluidAsJson(check));
  json["flows"] = Json::array();
  for (const SharedFlow& f : answer.checks.shared.flows) {
    Json full;
    if (f.bottleneck) {
      const PathHop& hop = answer.checks.shared.bottlenecks[*f.bottleneck].hop;
      full = s.topology.nodes[hop.from.node].name + ":" + hop.from.port;
    }
    json["flows"].push_back({{"workload", s.workloads[f.workload].name},
                             {"from", s.topology.nodes[f.flow.from].name},
                             {"to", s.topology.nodes[f.flow.to].name},
                             {"source_port", f.flow.source_port},
                             {"class", s.classes[f.flow.priority].name},
                             {"max_min_bps", f.rate_bps},
                             {"bottleneck", full}});
  }
  json["at_a_rate"] = answer.checks.shared.at_a_rate;
  return json;
}

nlohmann::ordered_json FluidRunsAsJson(const FluidAnswer& answer) {
  Json json = FluidAnswerAsJson(answer);
  json["runs"] = Json::array();
  for (const FluidCheck& check : answer.checks.bottlenecks) {
    if (check.Applies()) json["runs"].push_back(RunJson(check));
  }
  return json;
}

}  // namespace headroom
