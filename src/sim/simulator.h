// ns-3's simulator as Headroom uses it: set up once per process, driven by Headroom's own fast loop.
#pragma once

#include <ns3/simulator-impl.h>

#include <functional>

#include "sim/event_queue.h"

namespace headroom {

/// The ns3::SimulatorImpl that drives the queue. Results do not depend on it; the fast loop only saves time.
enum class Driver { fast, ns3_default };

/// Sets the time resolution to picoseconds, the scheduler, the driver, and the random run. Call it first in
/// main, once per process: ns-3's simulator is global, and would ignore a late call. Throws std::logic_error
/// on a second call.
void StartSimulator(uint64_t run, Driver driver = Driver::fast);

/// Headroom's own loop: executes Headroom's events directly from the queue and ns-3's in between, in one
/// thread.
class FastSimulator final : public ns3::SimulatorImpl {
 public:
  static ns3::TypeId GetTypeId();
  FastSimulator();

  static constexpr uint64_t kPulseEvents = 1u << 18;
  /// `pulse` is called after each `every` events, between two events; for progress and interruption.
  static void SetPulse(std::function<void()> pulse, uint64_t every = kPulseEvents) {
    pulse_ = std::move(pulse);
    pulse_every_ = every;
  }

  void Destroy() override;
  bool IsFinished() const override;
  void Stop() override { stop_ = true; }
  void Stop(const ns3::Time& delay) override;
  ns3::EventId Schedule(const ns3::Time& delay, ns3::EventImpl* event) override;
  void ScheduleWithContext(uint32_t context, const ns3::Time& delay, ns3::EventImpl* event) override;
  ns3::EventId ScheduleNow(ns3::EventImpl* event) override;
  ns3::EventId ScheduleDestroy(ns3::EventImpl* event) override;
  void Remove(const ns3::EventId& id) override;
  void Cancel(const ns3::EventId& id) override;
  bool IsExpired(const ns3::EventId& id) const override;
  void Run() override;
  ns3::Time Now() const override;
  ns3::Time GetDelayLeft(const ns3::EventId& id) const override;
  ns3::Time GetMaximumSimulationTime() const override;
  void SetScheduler(ns3::ObjectFactory factory) override;
  uint32_t GetSystemId() const override { return 0; }
  uint32_t GetContext() const override { return in_ns3_event_ || !queue_ ? context_ : Queue().context(); }
  uint64_t GetEventCount() const override;

 private:
  void DoDispose() override;
  ns3::EventId ScheduleAt(uint64_t ts, uint32_t context, ns3::EventImpl* event);
  void RunParts();
  /// The queue of the part that runs, or whose set-up runs.
  EventQueue& Queue() const;
  void RunNs3Event();
  void PulseWhereDue();

  static std::function<void()> pulse_;
  static uint64_t pulse_every_;

  ns3::Ptr<EventQueue> queue_;
  std::vector<ns3::EventId> at_destroy_;
  bool stop_ = false;
  uint32_t uid_;
  uint32_t context_;
  bool in_ns3_event_ = true;
  uint64_t ns3_events_run_ = 0;
  uint64_t next_pulse_ = 0;  ///< number of events at which the next pulse is due
};

}  // namespace headroom
