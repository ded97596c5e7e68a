#include "analysis/fluid_loop.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace headroom {
namespace {

using Complex = std::complex<double>;

enum State { kAlpha, kTarget, kRate, kQueue };

/// rad/s; beyond what any timer, delay or gain of a network answers to.
constexpr double kSlowest = 1e-3, kFastest = 1e9;
constexpr double kStep = 1.01;

template <int kOrder>
Eigen::Matrix<Complex, kOrder, kOrder> Characteristic(const FluidJacobians& j, double omega, double delay) {
  const Complex late = std::polar(1.0, -omega * delay);
  Eigen::Matrix<Complex, kOrder, kOrder> m;
  for (int row = 0; row < kOrder; ++row) {
    for (int column = 0; column < kOrder; ++column) {
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
  // q' = N RC − C
  j.now[kQueue][kRate] = p.flows;
  // Events follow marks and rates of a loop delay ago.
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
                p.delay) {}

FluidLoop::FluidLoop(const FluidJacobians& jacobians, double delay) : jacobians_(jacobians), delay_(delay) {}

std::complex<double> FluidLoop::Transfer(double omega) const {
  Eigen::Vector3cd from_queue;
  for (size_t i = 0; i < 3; ++i) from_queue(static_cast<int>(i)) = jacobians_.delayed[i][kQueue];
  from_queue *= std::polar(1.0, -omega * delay_);
  const Eigen::Vector3cd flow = Characteristic<3>(jacobians_, omega, delay_).partialPivLu().solve(from_queue);
  return -jacobians_.now[kQueue][kRate] * flow(kRate) / Complex(0, omega);
}

std::optional<FluidLoop::Crossover> FluidLoop::WorstCrossover() const {
  std::optional<Crossover> worst;
  double omega = kSlowest;
  Complex at = Transfer(omega);
  // An integrator that lowers the queue where it is too long: −90° at rest.
  double phase = std::arg(at);
  while (omega < kFastest) {
    const double next = omega * kStep;
    const Complex then = Transfer(next);
    const double turned = std::arg(then / at);
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
    omega = next;
    at = then;
    phase += turned;
  }
  return worst;
}

template <int kOrder>
int FluidLoop::UnstableModes() const {
  const auto at = [&](double omega) {
    return Characteristic<kOrder>(jacobians_, omega, delay_).determinant();
  };
  double omega = kSlowest, step = kStep, turned = 0;
  Complex here = at(omega);
  // At rest the determinant is real; it has hardly turned since.
  turned = std::arg(here.real() < 0 ? -here : here);
  while (omega < kFastest) {
    const Complex then = at(omega * step);
    const double turn = std::arg(then / here);
    // Close to a root it turns quickly; a step must not miss that.
    if (std::abs(turn) > 0.2 && step > 1 + 1e-9) {
      step = 1 + (step - 1) / 2;
      continue;
    }
    turned += turn;
    omega *= step;
    here = then;
    step = std::min(kStep, 1 + (step - 1) * 1.5);
  }
  return static_cast<int>(std::lround((kOrder * std::numbers::pi / 2 - turned) / std::numbers::pi));
}

int FluidLoop::CommonUnstableModes() const { return UnstableModes<4>(); }
int FluidLoop::DifferenceUnstableModes() const { return UnstableModes<3>(); }

}  // namespace headroom
