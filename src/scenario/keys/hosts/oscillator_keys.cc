// The clock of a node's ports: {ppm: 30, jitter: frame}, or exact.
#include "scenario/keys/hosts/nic_keys.h"

namespace headroom::keys {

namespace {

const KeysOf<OscillatorParameters>& OscillatorKeys() {
  using Oscillator = OscillatorParameters;
  static const KeysOf<Oscillator> keys(
      {.name = "oscillator", .page = "models/links-and-ports.md", .cost = Cost::fixed},
      {{"ppm", &Oscillator::ppm, Numbers(0, Oscillator::kMostPpm),
        "largest deviation of the frequency, in either direction; each node's deviation is drawn from the "
        "seed"},
       {"jitter", &Oscillator::jitter, OrWord("frame", kNever, Times(Time(0), Oscillator::kMostJitter)),
        "largest lag of a frame in a sequence without gaps, always less than the frame's own time; frame: no "
        "other bound"}});
  return keys;
}

}  // namespace

KindOf<OscillatorParameters> Oscillators() {
  return OrWord("exact", OscillatorParameters::Exact(), Mapping(OscillatorKeys()));
}

}  // namespace headroom::keys
