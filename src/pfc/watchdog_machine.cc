#include "pfc/watchdog_machine.h"

namespace headroom {

namespace {

/// Whether `part` is more than `percent` of the span.
bool Exceeds(Time part, int percent, Time span) { return part * 100 > span * percent; }

/// Whether the countdown is over at this poll.
bool Elapsed(const WatchdogParameters& p, Time left, Time waited) {
  // One vendor's script uses the measured time between polls, and allows for jitter.
  if (p.vendor == WatchdogVendor::mellanox) return Exceeds(p.detection - left + waited, 99, p.detection);
  return left <= p.poll;
}

}  // namespace

std::optional<bool> WatchdogMachine::StormPoll(const WatchdogParameters& p,
                                               const WatchdogReading& now) const {
  if (p.vendor == WatchdogVendor::cisco) return now.paused;
  if (!pfc_frames_ || !seen_) return std::nullopt;
  const bool frames = now.pfc_frames > *pfc_frames_;
  if (p.vendor == WatchdogVendor::broadcom)
    return frames && now.on_to_off == seen_->on_to_off && seen_->paused && now.paused;

  if (!pause_duration_) return std::nullopt;
  const Time duration = now.pause_duration - *pause_duration_;
  const bool empty = now.occupancy == 0;
  const bool stands = now.tx_packets == seen_->tx_packets;
  switch (p.vendor) {
    case WatchdogVendor::mellanox:
      return !empty && stands && Exceeds(duration, 99, now.waited.value_or(p.poll));
    case WatchdogVendor::teralynx:
      return (empty || stands) && frames && Exceeds(duration, 80, p.poll);
    default:
      return stands && (empty ? Exceeds(duration, 80, p.poll) : frames);
  }
}

WatchdogMachine::Event WatchdogMachine::Detect(const WatchdogParameters& p, const WatchdogReading& now) {
  Event event = Event::none;
  const Time waited = p.vendor == WatchdogVendor::mellanox ? now.waited.value_or(p.poll) : p.poll;
  const Time left = detection_left_.value_or(p.detection);
  const std::optional<bool> storm = StormPoll(p, now);
  if (storm.has_value()) {
    detection_left_ = p.detection;
    if (*storm && Elapsed(p, left, waited)) {
      event = Event::storm;
    } else if (*storm) {
      detection_left_ = left - waited;
    } else if (stormed_) {
      event = Event::restore;  // the action is alert
    }
  }
  seen_ = Seen{now.on_to_off, now.tx_packets, now.paused};
  // The scripts that use the duration forget their reference values after a detection, and need one poll to
  // set new ones.
  const bool forgets =
      event == Event::storm && p.vendor != WatchdogVendor::broadcom && p.vendor != WatchdogVendor::cisco;
  pfc_frames_ = forgets ? std::nullopt : std::optional(now.pfc_frames);
  pause_duration_ = forgets ? std::nullopt : std::optional(now.pause_duration);
  return event;
}

WatchdogMachine::Event WatchdogMachine::Restore(const WatchdogParameters& p, const WatchdogReading& now) {
  if (!p.restoration) return Event::none;
  Event event = Event::none;
  const bool cisco = p.vendor == WatchdogVendor::cisco;
  if (cisco || pfc_frames_) {
    const bool quiet = cisco ? !now.paused : now.pfc_frames == *pfc_frames_;
    const Time left = restoration_left_.value_or(*p.restoration);
    restoration_left_ = *p.restoration;
    if (quiet && left <= p.poll) {
      event = Event::restore;
    } else if (quiet) {
      restoration_left_ = left - p.poll;
    }
  }
  pfc_frames_ = now.pfc_frames;
  return event;
}

WatchdogMachine::Event WatchdogMachine::Poll(const WatchdogParameters& parameters,
                                             const WatchdogReading& reading) {
  const bool detects = !stormed_ || parameters.action == WatchdogAction::alert;
  const Event event = detects ? Detect(parameters, reading) : Restore(parameters, reading);
  if (event == Event::storm) stormed_ = true;
  if (event == Event::restore) stormed_ = false;
  return event;
}

}  // namespace headroom
