#include "cli/progress_line.h"
#include "report/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace headroom {

std::string ProgressText(const std::string& name, const Scenario& scenario, const Progress& p,
                         double wall_seconds) {
  std::string text =
      fmt::format("{}  {:.3f} of {:.3f} ms simulated  {:.1f} M events/s  {} of {} messages done", name,
                  InMicroseconds(p.now) / 1e3, InMicroseconds(scenario.duration) / 1e3,
                  static_cast<double>(p.events) / 1e6 / std::max(wall_seconds, 1e-9), p.messages_finished,
                  p.messages_offered);
  // Until arrivals end, progress is the share of time; afterwards it is the share of finished messages.
  const double time_done = InSeconds(p.now) / InSeconds(scenario.duration);
  const double messages_done = p.messages_offered > 0 ? static_cast<double>(p.messages_finished) /
                                                            static_cast<double>(p.messages_offered)
                                                      : 0;
  const double done = time_done < 1 ? time_done : messages_done;
  if (done > 0.01 && wall_seconds > 1)
    text += fmt::format("  about {:.0f} s left", wall_seconds * (1 - done) / done);
  return text;
}

ProgressLine::ProgressLine(ProgressTo to, double patience_cpu_s, Clock::duration every)
    : to_(to), patience_cpu_s_(patience_cpu_s), every_(every), start_(Clock::now()), last_(start_) {}

bool ProgressLine::IsDue(Clock::duration every) {
  const auto now = Clock::now();
  if (now - last_ < every) return false;
  last_ = now;
  return true;
}

void ProgressLine::Step(const std::string& what) {
  if (to_ == ProgressTo::terminal) return Show(what + " …");
  if (to_ == ProgressTo::log) {
    if (IsDue(every_)) fmt::print(stderr, "headroom: {} …\n", Visible(what));
    return;
  }
  const double cpu_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  if (told_ || cpu_s < patience_cpu_s_) return;
  told_ = true;
  fmt::print(stderr, "headroom: {}: this takes a while; {:.0f} s of CPU so far\n", Visible(what), cpu_s);
}

void ProgressLine::Start() {
  start_ = Clock::now();
  told_ = true;  // the steps after a run are short
}

void ProgressLine::Update(const std::string& name, const Scenario& scenario, const Progress& progress) {
  const bool log = to_ == ProgressTo::log;
  if (to_ == ProgressTo::nobody || !IsDue(log ? every_ : std::chrono::milliseconds(200))) return;
  const std::string text =
      ProgressText(name, scenario, progress, std::chrono::duration<double>(last_ - start_).count());
  if (log) {
    fmt::print(stderr, "headroom: {}\n", text);
  } else {
    Show(text);
  }
}

void ProgressLine::Show(const std::string& text) {
  shown_ = true;
  fmt::print(stderr, "\r{:<100.100}", Visible(text));
  std::fflush(stderr);
}

void ProgressLine::Clear() {
  if (shown_) fmt::print(stderr, "\r{:100}\r", "");
  shown_ = false;
}

}  // namespace headroom
