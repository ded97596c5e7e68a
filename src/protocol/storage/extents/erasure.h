// Erasure coding of extents: data fragments, a parity for each local group, and global parities.
//
// LRC(12,2,2) of Huang et al., ATC 2012: 12 data fragments in two groups, each with its parity, and 2 global
// parities. A single lost data fragment is rebuilt from the five others of its group and their parity. More
// losses are rebuilt, if possible, from as many fragments as there are data fragments. Without local groups
// it is a Reed-Solomon code. Fragments are numbered: data, local parities, global parities.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/units.h"

namespace headroom {

/// Cycles per rebuilt byte: LRC takes 7.12 us for 4 KiB, Reed-Solomon 13.2 us (the same source), at a clock
/// of 2.5 GHz, which is ours.
inline constexpr double kLrcCycles = 4.35, kReedSolomonCycles = 8.06;

struct ErasureParameters {
  int data = 12, local = 2, global = 2;  ///< data is a multiple of local; the sum is at most 32
  double coded = 1;                      ///< coded share of the initial extents
  double cycles_per_byte = kLrcCycles;

  int fragments() const { return data + local + global; }
  /// The bytes stored for each byte of data.
  double Overhead() const { return static_cast<double>(fragments()) / data; }
  bool operator==(const ErasureParameters&) const = default;
};

class ErasureCode {
 public:
  /// A set of fragments, one bit each.
  using Fragments = uint32_t;
  static constexpr Fragments Bit(int fragment) { return Fragments{1} << fragment; }

  explicit ErasureCode(const ErasureParameters& parameters);

  /// The size of an extent's fragments: a multiple of 4 KiB, so that no block is in two fragments.
  Bytes FragmentSize(Bytes extent) const;

  /// A piece of a fragment.
  struct Piece {
    int fragment = 0;
    uint64_t offset = 0, length = 0;
    /// The fragments to read at offset and length: the fragment itself, or those from which it is rebuilt;
    /// empty if too many are lost.
    std::vector<int> from;
    bool Rebuilt() const { return from.size() != 1 || from[0] != fragment; }
  };
  /// The pieces to read for this range of an extent, in order, while the fragments in `lost` are unavailable.
  std::vector<Piece> Read(Bytes extent, uint64_t offset, uint64_t length, Fragments lost) const;

  /// The fragments to read for this one, as few as suffice.
  std::vector<int> From(int fragment, Fragments lost) const;
  /// Whether the fragments in `had` suffice for this one. A reader that requests all fragments uses the first
  /// sufficient set.
  bool Suffice(Fragments had, int fragment) const;
  /// Whether all data can be rebuilt without these fragments.
  bool Survives(Fragments lost) const;
  Fragments all() const { return fragments() == 32 ? ~Fragments{0} : Bit(fragments()) - 1; }
  int fragments() const { return p_.fragments(); }

  /// The code itself works on words of 8 bytes, elements of GF(2^64): one of each fragment at the same
  /// offset.
  using Words = std::vector<uint64_t>;
  /// The parities of the data words, local ones first. REQUIRES: a word for each data fragment.
  Words Encode(const Words& data) const;
  /// A fragment's word from the words of others; `words` has an entry for each fragment. REQUIRES: these
  /// fragments suffice.
  uint64_t Rebuild(int fragment, const std::vector<int>& from, const Words& words) const;

 private:
  int GroupSize() const { return p_.local > 0 ? p_.data / p_.local : p_.data; }
  /// The group of a data fragment or a local parity; -1 if it has none.
  int GroupOf(int fragment) const;
  Fragments Group(int group) const;
  /// The coefficients by which the data make a fragment.
  Words RowOf(int fragment) const;

  const ErasureParameters p_;
};

}  // namespace headroom
