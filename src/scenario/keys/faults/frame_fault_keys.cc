// Faults of single frames: marked, lost.
#include <algorithm>

#include "scenario/keys/faults/fault_places.h"
#include "scenario/keys/faults/fault_types.h"
#include "scenario/keys/faults/timed_fault.h"

namespace headroom::keys {

namespace {

/// Data frames, by number.
KindOf<std::vector<uint64_t>> Packets() {
  KindOf<std::vector<uint64_t>> kind = ListOf<uint64_t>(Integers(0, INT64_MAX));
  kind.read = [read = kind.read](const Node& node, std::vector<uint64_t>& packets, Reading& reading) {
    read(node, packets, reading);
    std::ranges::sort(packets);
    packets.erase(std::unique(packets.begin(), packets.end()), packets.end());
  };
  kind.write = [write = kind.write](const std::vector<uint64_t>& packets, const Writing& writing) {
    return packets.empty() ? "" : write(packets, writing);
  };
  return kind;
}

}  // namespace

const KeysOf<MarkFault>& KeysFor(const MarkFault&) {
  using F = MarkFault;
  const KindOf<uint64_t> number = Integers(1, INT64_MAX);
  const KindOf<uint64_t> every{
      number.shape, number.read,
      [number](const uint64_t& n, const Writing& writing) { return n > 0 ? number.write(n, writing) : ""; }};
  static const KeysOf<F> keys(
      {.name = "fault_mark",
       .page = kFaultPage,
       .help = "sets CE on chosen data frames",
       .type = "mark",
       .not_yet = {"start", "stop", "repeat"},
       .one_of = {{"packets", "every"}}},
      {FaultType<F>("mark"),
       FaultLink<F>(&F::from, &F::to, "direction of the frames: from x to y"),
       {"packets", &F::packets, Packets(), "numbers of the frames to mark, counted from 0"},
       {"every", &F::every, every, "n, to mark every n-th frame"}});
  return keys;
}

const KeysOf<LossFault>& KeysFor(const LossFault&) {
  using F = LossFault;
  static const KeysOf<F> keys =
      TimedFault<F>("loss", "loses random frames of one direction of a link",
                    {FaultLink<F>(&F::from, &F::to, "direction of the frames: from x to y"),
                     {"probability",
                      &F::probability,
                      Fractions(),
                      "probability of loss, independent for each frame",
                      {.required = true}}});
  return keys;
}

}  // namespace headroom::keys
