// Headroom and thresholds in a check.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/check/columns.h"
#include "cli/check/sections.h"

namespace headroom {
namespace {

/// Rows about switch classes. Equal rows of one tier become one row: t0#1 and t0#2 become t0#1,2, or t0 if
/// the tier has no other switch.
class ClassRows {
 public:
  struct Row {
    std::string tier, numbers;  ///< for example "t0" and "1,2"
    std::string rest;           ///< the rest of the first cell
    std::vector<std::string> cells;
    uint32_t ports = 0;
    std::string Name(const std::string& all_numbers) const {
      return Shorten(numbers == all_numbers ? tier : tier + "#" + numbers, 8) + rest;
    }
  };

  void Add(const std::string& at, const std::string& rest, std::vector<std::string> cells,
           uint32_t ports = 0) {
    const size_t hash = std::min(at.find('#'), at.size());
    const std::string tier = at.substr(0, hash);
    const std::string number = hash < at.size() ? at.substr(hash + 1) : "";
    AddNumber(all_[tier], number);
    const auto same = std::ranges::find_if(
        rows_, [&](const Row& row) { return row.tier == tier && row.rest == rest && row.cells == cells; });
    if (same == rows_.end()) {
      rows_.push_back({tier, number, rest, std::move(cells), ports});
    } else {
      AddNumber(same->numbers, number);
      same->ports += ports;
    }
  }

  const std::vector<Row>& rows() const { return rows_; }
  std::string NameOf(const Row& row) const { return row.Name(all_.at(row.tier)); }

 private:
  /// Numbers must arrive in ascending order.
  static void AddNumber(std::string& numbers, const std::string& number) {
    if (number.empty() || numbers == number || numbers.ends_with("," + number)) return;
    numbers += (numbers.empty() ? "" : ",") + number;
  }

  std::vector<Row> rows_;
  std::map<std::string, std::string> all_;  ///< numbers by tier
};

/// for example "t0 × 16"
std::string Times(const std::string& name, uint32_t n) {
  return n == 1 ? name : fmt::format("{} × {}", name, n);
}

std::string SignedSize(Bytes bytes) {
  return bytes.v < 0 ? "-" + SizeText(Bytes() - bytes) : SizeText(bytes);
}

std::string HeadroomNeeds(const HeadroomChecks& headroom) {
  ClassRows rows;
  for (const HeadroomCheck& h : headroom.links) {
    const LinkHeadroom& n = h.need;
    rows.Add(h.at, " ← " + Shorten(h.from, 6),
             {LinkText(h.link), SizeText(n.cable), SizeText(n.pause_waits), SizeText(n.pause_frame),
              SizeText(n.response), SizeText(n.over_limit + n.frame_begun), SignedSize(n.rounding),
              SizeText(n.Total())});
  }
  TextTable table("llrrrrrrr", {"at XOFF", "rate, one way", "cable", "frame", "pause", "response", "two",
                                "cells", "need"});
  for (const auto& row : rows.rows()) {
    std::vector<std::string> cells = row.cells;
    cells.insert(cells.begin(), rows.NameOf(row));
    table.AddRow(std::move(cells));
  }
  return table.ToString() +
         "  bytes that headroom must hold. cable: in flight, both directions; frame: a frame sent ahead "
         "of\n  the pause frame; pause: the pause frame; response: while the peer reacts; two: the frame "
         "that\n  exceeds the limit, and the frame that the peer finishes; cells: memory that the worst "
         "frame\n  sizes waste in cells\n";
}

std::string HeadroomByOthers(const HeadroomChecks& headroom) {
  const auto text = [](const std::optional<Bytes>& bytes) { return bytes ? SizeText(*bytes) : "-"; };
  ClassRows rows;
  for (const HeadroomCheck& h : headroom.links) {
    rows.Add(h.at, " ← " + Shorten(h.from, 6),
             {LinkText(h.link), SizeText(h.others.least), SizeText(h.need.Total()),
              (h.others.ieee_at_least ? "≥ " : "") + text(h.others.ieee), text(h.others.sonic)});
  }
  TextTable table("llrrrr", {"by formula", "rate, one way", "least", "need", "802.1Q", "SONiC"});
  for (const auto& row : rows.rows()) {
    std::vector<std::string> cells = row.cells;
    cells.insert(cells.begin(), rows.NameOf(row));
    table.AddRow(std::move(cells));
  }
  return table.ToString() +
         "  least: cable, pause and one frame; need: the sum above; 802.1Q: annex O with its allowances "
         "for\n  interfaces and response; SONiC: the Spectrum script with these cells. Both formulas "
         "assume\n  frames of 9216 B. ≥: the standard quotes no interface delay for this rate\n";
}

std::string HeadroomVerdict(const HeadroomCheck& h) {
  if (!h.pauses) return "PFC off";
  if (h.configured < h.ForSure()) return "SHORT";
  return h.configured < h.need.Total() ? "tight" : "";
}

std::string HeadroomConfigured(const HeadroomChecks& headroom) {
  ClassRows rows;
  for (const HeadroomCheck& h : headroom.links) {
    const double ratio = static_cast<double>(h.configured.v) / static_cast<double>(h.need.Total().v);
    rows.Add(h.at, " ← " + Shorten(h.from, 6),
             {LinkText(h.link), SizeText(h.need.Total()), SizeText(h.configured),
              fmt::format("{:.{}f}", ratio, ratio < 100 ? 2 : 0), Shorten(h.basis, 24), HeadroomVerdict(h)},
             h.ports);
  }
  TextTable table("lrlrrrll",
                  {"headroom", "ports", "rate, one way", "need", "xoff", "ratio", "xoff is from", ""});
  for (const auto& row : rows.rows()) {
    std::vector<std::string> cells = row.cells;
    cells.insert(cells.begin(), {rows.NameOf(row), std::to_string(row.ports)});
    table.AddRow(std::move(cells));
  }
  return table.ToString();
}

const auto kPools = Columns<HeadroomPoolCheck>()
                        .InText("headroom pool",
                                [](const HeadroomPoolCheck& p) {
                                  return Times(Shorten(p.at, 10), p.switches) + ", " + Shorten(p.pool, 22);
                                })
                        .InJson("at", &HeadroomPoolCheck::at)
                        .InJson("switches", &HeadroomPoolCheck::switches)
                        .InJson("pool", &HeadroomPoolCheck::pool)
                        .Both("size_bytes", "size", &HeadroomPoolCheck::size)
                        .Both("groups", "groups", &HeadroomPoolCheck::groups)
                        .Both("sum_xoff_bytes", "sum of xoff", &HeadroomPoolCheck::sum_xoff)
                        .InText(
                            "over",
                            [](const HeadroomPoolCheck& p) {
                              return static_cast<double>(p.sum_xoff.v) / static_cast<double>(p.size.v);
                            },
                            [](double over) { return fmt::format("{:.2f}", over); })
                        .InJson("sum_need_bytes", &HeadroomPoolCheck::sum_need)
                        .Both("groups_at_full_xoff", "at xoff", &HeadroomPoolCheck::at_full_xoff)
                        .Both("groups_at_need", "at need", &HeadroomPoolCheck::at_need);

std::string HeadroomPools(const HeadroomChecks& headroom) {
  if (headroom.pools.empty()) return "";
  return "\n" + kPools.Text(headroom.pools) +
         "  over: sum of xoff divided by size; at xoff, at need: number of groups that can hold xoff, or "
         "the\n  needed headroom, at the same time\n";
}

nlohmann::ordered_json LinkHeadroomJson(const HeadroomCheck& h) {
  return {{"at", h.at},
          {"from", h.from},
          {"link", LinkJson(h.link)},
          {"ports", h.ports},
          {"as", h.example},
          {"classes", h.classes},
          {"need_bytes",
           {{"over_the_limit", h.need.over_limit.v},
            {"cable", h.need.cable.v},
            {"frame_in_the_way", h.need.pause_waits.v},
            {"pause_frame", h.need.pause_frame.v},
            {"response", h.need.response.v},
            {"frame_begun", h.need.frame_begun.v},
            {"cells", h.need.rounding.v},
            {"total", h.need.Total().v}}},
          {"by_formula_bytes",
           {{"least", h.others.least.v},
            {"ieee_802_1q", ColumnJson(h.others.ieee)},
            {"ieee_802_1q_at_least", h.others.ieee_at_least},
            {"sonic", ColumnJson(h.others.sonic)}}},
          {"xoff_bytes", h.configured.v},
          {"basis", h.basis},
          {"has_row", h.has_row},
          {"pfc", h.pauses}};
}

nlohmann::ordered_json ThresholdJson(const ThresholdCheck& t) {
  nlohmann::ordered_json json{{"at", t.at},
                              {"rate_bps", t.rate.v},
                              {"class", t.traffic_class},
                              {"groups", t.groups},
                              {"shared_bytes", t.shared.v}};
  for (size_t i = 0; i < t.xoff_at.size(); ++i)
    json["xoff_bytes"][std::to_string(ThresholdCheck::kGroups[i])] = ColumnJson(t.xoff_at[i]);
  json["ecn"] =
      t.ecn ? nlohmann::ordered_json{{"kmin_bytes", t.ecn->kmin.v},
                                     {"kmax_bytes", t.ecn->kmax.v},
                                     {"pmax", t.ecn->pmax},
                                     {"kmin_us", InMicroseconds(SerializationTime(t.ecn->kmin, t.rate))},
                                     {"kmax_us", InMicroseconds(SerializationTime(t.ecn->kmax, t.rate))}}
            : nlohmann::ordered_json();
  json["pfc_before_ecn_from_groups"] = ColumnJson(t.pfc_before_ecn);
  return json;
}

}  // namespace

nlohmann::ordered_json HeadroomJson(const HeadroomChecks& headroom) {
  return JsonList(headroom.links, LinkHeadroomJson);
}

nlohmann::ordered_json HeadroomPoolsJson(const HeadroomChecks& headroom) {
  return kPools.Json(headroom.pools);
}

nlohmann::ordered_json ThresholdsJson(const std::vector<ThresholdCheck>& thresholds) {
  return JsonList(thresholds, ThresholdJson);
}

std::string DescribeHeadroom(const HeadroomChecks& headroom) {
  if (headroom.links.empty()) return "";
  return HeadroomNeeds(headroom) + '\n' + HeadroomByOthers(headroom) + '\n' + HeadroomConfigured(headroom) +
         HeadroomPools(headroom);
}

std::string DescribeThresholds(const std::vector<ThresholdCheck>& thresholds) {
  if (thresholds.empty()) return "";
  ClassRows rows;
  for (const ThresholdCheck& t : thresholds) {
    std::vector<std::string> cells;
    // Prints the bytes, then the time that they take at the port's rate.
    for (const auto text :
         {+[](Bytes size, Rate) { return SizeText(size); },
          +[](Bytes size, Rate rate) { return MicrosText(SerializationTime(size, rate)); }}) {
      for (const auto& xoff : t.xoff_at) cells.push_back(xoff ? text(*xoff, t.rate) : "-");
      cells.push_back(t.ecn ? text(t.ecn->kmin, t.rate) : "-");
      cells.push_back(t.ecn ? text(t.ecn->kmax, t.rate) : "-");
    }
    cells.push_back(t.ecn ? fmt::format("{:g} %", t.ecn->pmax * 100) : "-");
    rows.Add(t.at, fmt::format(", {}, {}", FormatRate(t.rate), Shorten(t.traffic_class, 10)),
             std::move(cells));
  }
  TextTable table("lrrrrrrr", {"XOFF, congested groups:", "1", "4", "16", "64", "Kmin", "Kmax", "Pmax"});
  for (const auto& row : rows.rows()) {
    const auto& c = row.cells;
    table.AddRow({rows.NameOf(row), c[0], c[1], c[2], c[3], c[4], c[5], c[12]});
    table.AddRow({"  µs to drain", c[6], c[7], c[8], c[9], c[10], c[11], ""});
  }
  return table.ToString() +
         "  bytes in a group when it pauses its peer, if this many groups of the pool are equally full\n";
}

}  // namespace headroom
