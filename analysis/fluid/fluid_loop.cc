#include "analysis/fluid/fluid_loop.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace headroom {
namespace {

using Complex = std::complex<double>;

enum State { kAlpha, kTarget, kRate, kQueue };

/// rad/s; beyond the response of any timer, delay or gain of a network.
constexpr double kSlowest = 1e-3, kFastest = 1e9;
constexpr double kStep = 1.01;

/// jωI − A0 − A1 e^(−jωτ) of alpha, RT and RC.
Eigen::Matrix3cd FlowMatrix(const FluidJacobians& j, double omega, double delay) {
  const Complex late = std::polar(1.0, -omega * delay);
  Eigen::Matrix3cd m;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      const auto r = static_cast<size_t>(row), c = static_cast<size_t>(column);
      m(row, column) = -j.now[r][c] - j.delayed[r][c] * late;
    }
    m(row, row) += Complex(0, omega);
  }
  return m;
}

}  // namespace

FluidJacobians JacobiansOf(const FluidParameters& p, const FluidFixedPoint& at, const FluidEventsAt& events,
                           double lambda_by_queue) {
  const FluidEvents& e = events.value;
  const double gap = at.target - at.rate;
  FluidJacobians j;
  // alpha' = g/τ' (A − alpha)
  j.now[kAlpha][kAlpha] = -p.g / p.alpha_timer;
  // RT' = −(RT − RC) cuts + R_AI increases
  j.now[kTarget][kTarget] = -e.cuts;
  j.now[kTarget][kRate] = e.cuts;
  // RC' = −RC alpha cuts / 2 + (RT − RC) recoveries / 2
  j.now[kRate][kAlpha] = -at.rate * e.cuts / 2;
  j.now[kRate][kTarget] = e.recoveries / 2;
  j.now[kRate][kRate] = -(at.alpha * e.cuts + e.recoveries) / 2;
  // q' = Σ RC − C
  j.now[kQueue][kRate] = 1;
  // Events follow the marks and rates of one loop delay earlier.
  const auto follow = [&](State of, const FluidEvents& by, double factor) {
    j.delayed[kAlpha][of] = factor * p.g / p.alpha_timer * by.alpha;
    j.delayed[kTarget][of] = factor * (-gap * by.cuts + p.rate_ai * by.increases);
    j.delayed[kRate][of] = factor * (-at.rate * at.alpha * by.cuts + gap * by.recoveries) / 2;
  };
  follow(kRate, events.by_rate, 1);
  follow(kQueue, events.by_lambda, lambda_by_queue);
  return j;
}

FluidLoop::FluidLoop(const FluidParameters& p, const FluidFixedPoint& at)
    : FluidLoop(JacobiansOf(p, at, EventsAt(p, at.lambda, at.rate), p.Slope() * std::exp(at.lambda)),
                p.delays) {}

FluidLoop::FluidLoop(const FluidJacobians& jacobians, std::vector<FluidDelay> delays)
    : jacobians_(jacobians), delays_(std::move(delays)) {}

Complex FluidLoop::Transfer(double omega) const {
  Eigen::Vector3cd from_queue;
  for (size_t i = 0; i < 3; ++i) from_queue(static_cast<int>(i)) = jacobians_.delayed[i][kQueue];
  Complex rates = 0;
  for (const FluidDelay& d : delays_) {
    const Eigen::Vector3cd flow = FlowMatrix(jacobians_, omega, d.delay).partialPivLu().solve(from_queue);
    rates += d.flows * flow(kRate) * std::polar(1.0, -omega * d.delay);
  }
  return -jacobians_.now[kQueue][kRate] * rates / Complex(0, omega);
}

std::optional<FluidLoop::Crossover> FluidLoop::WorstCrossover() const {
  std::optional<Crossover> worst;
  double omega = kSlowest;
  Complex at = Transfer(omega);
  // An integrator that lowers the queue if it is too long: −90° at rest.
  double phase = std::arg(at);
  while (omega < kFastest) {
    const double next = omega * kStep;
    const Complex then = Transfer(next);
    if ((std::abs(at) > 1) != (std::abs(then) > 1)) {
      double low = omega, high = next;
      const bool above = std::abs(at) > 1;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        ((std::abs(Transfer(middle)) > 1) == above ? low : high) = middle;
      }
      const double there = phase + std::arg(Transfer(low) / at);
      const double margin = 180 + there * 180 / std::numbers::pi;
      if (!worst || margin < worst->margin) worst = Crossover{low, margin};
    }
    phase += std::arg(then / at);
    omega = next;
    at = then;
  }
  return worst;
}

Complex FluidLoop::FlowDeterminant(double omega, double delay) const {
  return FlowMatrix(jacobians_, omega, delay).determinant();
}

int FluidLoop::UnstableModes(const std::vector<Factor>& factors, int order) {
  double omega = kSlowest, step = kStep, turned = 0;
  std::vector<Complex> here, then(factors.size());
  for (const Factor& factor : factors) {
    here.push_back(factor(omega));
    // The function is real at rest, and has hardly turned since.
    turned += std::arg(here.back().real() < 0 ? -here.back() : here.back());
  }
  while (omega < kFastest) {
    double turn = 0, quickest = 0;
    for (size_t i = 0; i < factors.size(); ++i) {
      then[i] = factors[i](omega * step);
      const double its = std::arg(then[i] / here[i]);
      turn += its;
      quickest = std::max(quickest, std::abs(its));
    }
    // Close to a root a factor turns quickly; a step must not miss that.
    if (quickest > 0.2 && step > 1 + 1e-9) {
      step = 1 + (step - 1) / 2;
      continue;
    }
    turned += turn;
    omega *= step;
    std::swap(here, then);
    step = std::min(kStep, 1 + (step - 1) * 1.5);
  }
  return static_cast<int>(std::lround(order / 2.0 - turned / std::numbers::pi));
}

int FluidLoop::CommonUnstableModes() const {
  // s (1 + L) Π det: the order is 1 + 3 for each delay.
  std::vector<Factor> factors{[this](double omega) { return Complex(0, omega) * (1.0 + Transfer(omega)); }};
  for (const FluidDelay& d : delays_)
    factors.push_back([this, &d](double omega) { return FlowDeterminant(omega, d.delay); });
  return UnstableModes(factors, 1 + 3 * static_cast<int>(delays_.size()));
}

int FluidLoop::DifferenceUnstableModes() const {
  int modes = 0;
  for (const FluidDelay& d : delays_) {
    if (d.flows < 2) continue;
    modes += UnstableModes({[&](double omega) { return FlowDeterminant(omega, d.delay); }}, 3);
  }
  return modes;
}

}  // namespace headroom
