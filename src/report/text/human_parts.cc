// Part of human_sections.h: the parts of a workload's p99 time, of messages and of operations.
#include <algorithm>
#include <functional>
#include <map>

#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Words for the parts of messages, and for the additional parts of operations.
std::string Words(const std::string& part) {
  static const std::map<std::string, const char*> kWords = {
      {"own_queue", "behind earlier messages of its queue pair"},
      {"own_packets", "its own packets"},
      {"limiter", "rate limiter"},
      {"nic", "in NICs"},
      {"port", "at the host's port"},
      {"queued", "queued"},
      {"paused", "paused"},
      {"recovery", "recovery from loss"},
      {"wire", "on the wire"},
      {"ack_queued", "its ACK queued"},
      {"ack_paused", "its ACK paused"},
      {"ack_wire", "its ACK on the wire"},
      {"window", "for its window"},
      {"context", "for a context"},
      {"core", "on cores"},
      {"core_queue", "for a core"},
      {"credits", "for credits"},
      {"chunk", "behind the chunk before it"},
      {"memory", "for registered memory"},
      {"device", "at the device"},
      {"network", "in the network"},
      {"connection", "for a connection"},
      {"order", "for what came before it"},
      {"timeout", "until a timeout"},
      {"copy", "copying data"},
      {"wake", "waking up a thread"},
      {"buffer", "for room in a buffer"},
      {"peer", "for the peer to be ready"},
      {"other", "not split"}};
  return kWords.at(part);
}

/// The place with most of a part, if that is at least half of it.
std::string Where(const ordered_json& waits, const std::string& part, double total_us) {
  std::string most;
  double held = 0;
  for (const auto& [place, wait] : waits.items()) {
    const double here = wait.value(part, 0.0);
    if (here <= held) continue;
    held = here;
    most = place.substr(0, place.rfind(':')) + " towards " + wait.value("towards", "");
  }
  return 2 * held >= total_us ? " at " + most : "";
}

/// `room`: the most columns.
std::string Sentence(const ordered_json& parts, const ordered_json& waits, size_t room) {
  std::vector<std::pair<double, std::string>> by_size;
  double all = 0;
  for (const auto& [part, us] : parts.items()) {
    by_size.emplace_back(us.is_number() ? us.get<double>() : 0.0, part);
    all += by_size.back().first;
  }
  std::ranges::stable_sort(by_size, std::greater(), &std::pair<double, std::string>::first);
  constexpr size_t kMost = 3;
  constexpr double kWorthAWord = 0.05;
  std::string out;
  for (size_t i = 0; i < std::min(kMost, by_size.size()) && by_size[i].first > kWorthAWord * all; ++i) {
    const auto& [us, part] = by_size[i];
    const std::string told = fmt::format("{}{:.0f} % {}{}", out.empty() ? "" : ", ", 100 * us / all,
                                         Words(part), Where(waits, part, us));
    if (out.size() + told.size() > room && !out.empty()) break;
    out += told;
  }
  return out;
}

/// Parts are of finished messages or operations only: says so if there are others.
std::string Finished(const ordered_json& of) {
  const double unfinished = FindNumber(of, "unfinished").value_or(0);
  if (unfinished == 0) return "";
  return fmt::format("{} of {} finished; of these: ", FormatReadable(FindNumber(of, "finished").value_or(0)),
                     FormatReadable(FindNumber(of, "offered").value_or(0)));
}

void AddRow(TextTable& table, const std::string& name, const ordered_json& of, const std::string& parts,
            const std::string& waits) {
  const auto* const split = FindMetric(of, parts);
  const auto* const where = FindMetric(of, waits);
  if (split == nullptr || where == nullptr) return;
  constexpr size_t kWidth = 24;
  constexpr size_t kRoom = 74;  // width beside the name, on a screen
  const std::string finished = Finished(of);
  const std::string sentence = Sentence(*split, *where, kRoom - finished.size());
  if (!sentence.empty()) table.AddRow({Shorten(name, kWidth), finished + sentence});
}

}  // namespace

std::string DescribeParts(const Scenario&, const ordered_json& summary) {
  TextTable table("ll", {"p99 of", "its time went"});
  for (const auto& [name, workload] : summary.at("messages").items())
    AddRow(table, name, workload, "parts_us.p99", "waits_us.p99");
  if (summary.contains("operations")) {
    for (const auto& [name, kinds] : summary.at("operations").items()) {
      for (const auto& [kind, of] : kinds.items()) {
        const bool only = kinds.size() == 2 && kind != "all";
        if (!only)
          AddRow(table, kind == "all" ? name : name + ", " + kind, of, "parts_at_us.p99", "waits_at_us.p99");
      }
    }
  }
  return table.Empty() ? "" : table.ToString();
}

}  // namespace headroom
