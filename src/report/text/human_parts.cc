// Of human_sections.h: where the time of a workload's p99 went.
#include <algorithm>

#include "nic/transport/message_parts.h"
#include "report/text/human_sections.h"
#include "report/text/metric_text.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

constexpr const char* Words(MessagePart part) {
  constexpr const char* words[] = {"behind earlier messages of its queue pair",
                                   "its own packets",
                                   "rate limiter",
                                   "in NICs",
                                   "at the host's port",
                                   "queued",
                                   "paused",
                                   "recovery from loss",
                                   "on the wire",
                                   "its ACK queued",
                                   "its ACK paused",
                                   "its ACK on the wire",
                                   "not split"};
  return words[static_cast<int>(part)];
}

/// The place that holds most of a part, where that is at least half of it.
std::string Where(const ordered_json& waits, const char* part, double total_us) {
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

std::string Sentence(const ordered_json& parts, const ordered_json& waits) {
  std::vector<std::pair<double, MessagePart>> by_size;
  double all = 0;
  for (int i = 0; i < kMessageParts; ++i) {
    const auto part = static_cast<MessagePart>(i);
    const ordered_json value = parts.value(MessagePartName(part), ordered_json());
    by_size.emplace_back(value.is_number() ? value.get<double>() : 0.0, part);
    all += by_size.back().first;
  }
  std::stable_sort(by_size.begin(), by_size.end(), [](auto& a, auto& b) { return a.first > b.first; });
  constexpr size_t kMost = 3;
  constexpr double kWorthAWord = 0.05;
  std::string out;
  for (size_t i = 0; i < kMost && by_size[i].first > kWorthAWord * all; ++i) {
    const auto& [us, part] = by_size[i];
    out += fmt::format("{}{:.0f} % {}{}", out.empty() ? "" : ", ", 100 * us / all, Words(part),
                       Where(waits, MessagePartName(part), us));
  }
  return out;
}

}  // namespace

std::string DescribeParts(const Scenario&, const ordered_json& summary) {
  TextTable table("ll", {"p99 of", "its time went"});
  for (const auto& [name, workload] : summary.at("messages").items()) {
    const auto* parts = FindMetric(workload, "parts_us.p99");
    const auto* waits = FindMetric(workload, "waits_us.p99");
    if (parts == nullptr || waits == nullptr) continue;
    constexpr size_t kWidth = 24;
    const std::string sentence = Sentence(*parts, *waits);
    if (!sentence.empty()) table.AddRow({Shorten(name, kWidth), sentence});
  }
  return table.Empty() ? "" : table.ToString();
}

}  // namespace headroom
