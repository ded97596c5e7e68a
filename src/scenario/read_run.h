// The keys of the run as a whole: name, seed, times, payload and frame sizes.
#pragma once

#include "scenario/scenario.h"
#include "scenario/yaml/reader.h"

namespace headroom {

/// Reads name (default: the file's, without extension), seed, duration, deadline, warmup, mtu and frames.
/// `scenario.file` is known.
void ReadRun(MapReader& map, Scenario& scenario);

/// Once the workloads are known: fills in the times that are not given and checks that they fit together.
/// duration is needed where a workload goes on by itself (poisson, stream);
/// else it is 10 ms, or just after the last arrival where that is later. deadline is 10 × duration.
/// Errors go to the map's.
void CheckTimes(MapReader& map, Scenario& scenario);

/// Frame sizes of the HPCC simulator.
FrameFormat HpccFrames();

}  // namespace headroom
