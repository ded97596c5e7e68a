// The target of an operation of kind `tensor`: a tensor of the graph, its direction and its shape. The
// request's thread is the worker's number.
#pragma once

#include <cstdint>

namespace headroom {

struct TensorTarget {
  static constexpr uint64_t kMostTensors = uint64_t{1} << 24;
  uint32_t tensor =
      0;  ///< number in its workload; it belongs to parameter server number (tensor mod servers)
  bool gradient =
      false;  ///< the parameter server fetches it from the worker; otherwise the worker fetches it
  uint32_t shape = 0;

  uint64_t number() const { return uint64_t{shape} << 32 | uint64_t{gradient} << 24 | tensor; }
  static TensorTarget Of(uint64_t number) {
    return {static_cast<uint32_t>(number % kMostTensors), (number >> 24 & 1) != 0,
            static_cast<uint32_t>(number >> 32)};
  }
};

}  // namespace headroom
