#include "analysis/fluid/fluid_run.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

/// in s; a twentieth of the shortest timer of DCQCN.
constexpr double kLongestStep = 2e-6;

/// Values with their slopes: first the queue, then alpha, RT and RC of each group.
using Values = std::vector<double>;

class FluidRun {
 public:
  FluidRun(const FluidParameters& p, const FluidStart& start) : p_(p), groups_(start.groups) {
    double longest = 0;
    for (const FluidGroup& g : groups_) {
      longest = std::max(longest, g.delay);
      if (g.delay > 0) step_ = std::min(step_, g.delay);
    }
    x_.push_back(start.queue);
    for (const FluidGroup& g : groups_) x_.insert(x_.end(), {g.alpha, g.target, g.rate});
    // Before the start, values are constant.
    past_.assign(static_cast<size_t>(std::ceil(longest / step_)) + 2, {x_, Values(x_.size())});
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

  /// One value at a delay before a position in the current step. REQUIRES: delay ≥ step_.
  double Late(size_t i, double delay, double share) const {
    // Counts in steps before this one. Its own slot is filled as soon as a value after its beginning is
    // needed.
    const double back = std::max(0.0, delay / step_ - share);
    const auto whole = static_cast<size_t>(std::ceil(back));
    const Moment& a = past_[Slot(steps_ + past_.size() - whole)];
    const double t = static_cast<double>(whole) - back;
    if (t == 0) return a.x[i];
    const Moment& b = past_[Slot(steps_ + past_.size() - whole + 1)];
    const double u = 1 - t;
    return u * u * (1 + 2 * t) * a.x[i] + t * t * (1 + 2 * u) * b.x[i] +
           step_ * t * u * (u * a.slope[i] - t * b.slope[i]);
  }

  Values Slope(const Values& x, double share) const {
    Values slope(x.size());
    double sum = 0;
    for (size_t g = 0; g < groups_.size(); ++g) {
      const double alpha = x[3 * g + 1], target = x[3 * g + 2], rate = x[3 * g + 3];
      const double delay = groups_[g].delay;
      const double lambda = LambdaAt(p_, delay > 0 ? Late(0, delay, share) : x[0]);
      const FluidEvents e = EventsAt(p_, lambda, delay > 0 ? Late(3 * g + 3, delay, share) : rate).value;
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
  size_t steps_ = 0;
  Values x_;
  std::vector<Moment> past_;  ///< a ring, by number of the step, as long as the longest delay
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
