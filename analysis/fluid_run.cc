#include "analysis/fluid_run.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

/// s; a twentieth of the shortest timer of DCQCN.
constexpr double kLongestStep = 2e-6;

/// Values with their slopes: the queue first, then alpha, RT and RC of each group.
using Values = std::vector<double>;

class FluidRun {
 public:
  FluidRun(const FluidParameters& p, const FluidStart& start) : p_(p), groups_(start.groups) {
    if (p.delay > 0) {
      delay_steps_ = static_cast<size_t>(std::ceil(p.delay / kLongestStep));
      step_ = p.delay / static_cast<double>(delay_steps_);
    }
    x_.push_back(start.queue);
    for (const FluidGroup& g : groups_) x_.insert(x_.end(), {g.alpha, g.target, g.rate});
    // Before the start: the same, at rest.
    past_.assign(delay_steps_ + 1, {x_, Values(x_.size())});
  }

  double step() const { return step_; }
  FluidSample Sample() const {
    FluidSample s{.time = static_cast<double>(steps_) * step_, .queue = x_[0], .p = 0, .rates = {}};
    s.p = -std::expm1(-LambdaAt(p_, x_[0]));
    for (size_t i = 0; i < groups_.size(); ++i) s.rates.push_back(x_[3 * i + 3]);
    return s;
  }

  void Step() {
    const Values k1 = Slope(x_, 0);
    past_[Slot(steps_)] = {x_, k1};
    const Values k2 = Slope(Ahead(k1, step_ / 2), 0.5);
    const Values k3 = Slope(Ahead(k2, step_ / 2), 0.5);
    const Values k4 = Slope(Ahead(k3, step_), 1);
    for (size_t i = 0; i < x_.size(); ++i) x_[i] += step_ / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    Bound(x_);
    ++steps_;
  }

 private:
  struct Moment {
    Values x, slope;
  };

  size_t Slot(size_t step) const { return step % past_.size(); }

  Values Ahead(const Values& slope, double by) const {
    Values x = x_;
    for (size_t i = 0; i < x.size(); ++i) x[i] += by * slope[i];
    Bound(x);
    return x;
  }
  void Bound(Values& x) const {
    x[0] = std::max(0.0, x[0]);
    for (size_t i = 1; i < x.size(); i += 3) {
      for (size_t rate : {i + 1, i + 2}) x[rate] = std::clamp(x[rate], p_.least_rate, p_.line);
    }
  }

  /// One value a delay before the step under way and a share of it; REQUIRES: a delay.
  double Late(size_t i, double share) const {
    // The slot of the step itself is filled before anything is asked that lies a step back or more.
    const Moment& a = past_[Slot(steps_ + past_.size() - delay_steps_)];
    if (share == 0) return a.x[i];
    // With a delay of one step the far end is now.
    const Moment& b = past_[Slot(steps_ + past_.size() - delay_steps_ + 1)];
    if (share == 1) return b.x[i];
    return (a.x[i] + b.x[i]) / 2 + step_ / 8 * (a.slope[i] - b.slope[i]);
  }

  Values Slope(const Values& x, double share) const {
    const bool late = delay_steps_ > 0;
    const double lambda = LambdaAt(p_, late ? Late(0, share) : x[0]);
    Values slope(x.size());
    double sum = 0;
    for (size_t g = 0; g < groups_.size(); ++g) {
      const double alpha = x[3 * g + 1], target = x[3 * g + 2], rate = x[3 * g + 3];
      const FluidEvents e = EventsAt(p_, lambda, late ? Late(3 * g + 3, share) : rate).value;
      slope[3 * g + 1] = p_.g / p_.alpha_timer * (e.alpha - alpha);
      slope[3 * g + 2] = -(target - rate) * e.cuts + p_.rate_ai * e.increases;
      slope[3 * g + 3] = (-rate * alpha * e.cuts + (target - rate) * e.recoveries) / 2;
      sum += groups_[g].flows * rate;
    }
    slope[0] = x[0] > 0 || sum > p_.capacity ? sum - p_.capacity : 0;
    return slope;
  }

  const FluidParameters& p_;
  std::vector<FluidGroup> groups_;
  double step_ = kLongestStep;
  size_t delay_steps_ = 0;  ///< 0: no delay
  size_t steps_ = 0;
  Values x_;
  std::vector<Moment> past_;  ///< a ring: the last delay_steps_ + 1 moments, by number of the step
};

}  // namespace

std::vector<FluidSample> RunFluid(const FluidParameters& p, const FluidStart& start, double duration,
                                  double every) {
  FluidRun run(p, start);
  const auto steps = static_cast<size_t>(std::ceil(duration / run.step()));
  const auto stride = std::max<size_t>(1, static_cast<size_t>(std::llround(every / run.step())));
  std::vector<FluidSample> samples{run.Sample()};
  for (size_t i = 1; i <= steps; ++i) {
    run.Step();
    if (i % stride == 0) samples.push_back(run.Sample());
  }
  return samples;
}

}  // namespace headroom
