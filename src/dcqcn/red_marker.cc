#include "dcqcn/red_marker.h"

namespace headroom {

EcnParameters AtRate(EcnParameters ecn, Rate port_rate) {
  if (!ecn.per_rate) return ecn;
  const auto scaled = [&](Bytes threshold) {
    return Bytes(static_cast<int64_t>(static_cast<Uint128>(threshold.v) * static_cast<Uint128>(port_rate.v) /
                                      static_cast<Uint128>(ecn.per_rate->v)));
  };
  ecn.kmin = scaled(ecn.kmin);
  ecn.kmax = scaled(ecn.kmax);
  ecn.per_rate.reset();
  return ecn;
}

RedMarker::RedMarker(const EcnParameters& parameters, Rate port_rate, const std::string& name)
    : kmin_(AtRate(parameters, port_rate).kmin.v),
      kmax_(AtRate(parameters, port_rate).kmax.v),
      slope_(kmax_ > kmin_ ? parameters.pmax / static_cast<double>(kmax_ - kmin_) : 0),
      random_(name + "/ecn") {}

}  // namespace headroom
