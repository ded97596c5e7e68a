#include "protocol/storage/extents/erasure.h"

#include <algorithm>
#include <bit>

namespace headroom {

namespace {

constexpr int64_t kBlock = 4096;

// Multiplication in GF(2^64) with x^64 + x^4 + x^3 + x + 1.
uint64_t Times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product ^= a;
    a = a << 1 ^ ((a >> 63) != 0 ? 0x1bu : 0);
  }
  return product;
}

/// Computes a^(2^64 - 2).
uint64_t Inverse(uint64_t a) {
  uint64_t power = a, inverse = 1;
  for (int i = 1; i < 64; ++i) {
    power = Times(power, power);
    inverse = Times(inverse, power);
  }
  return inverse;
}

/// A coefficient for each global parity and data fragment. In a field of this size any values suffice: a set
/// of fragments that could suffice fails with a probability of one in 2^64.
uint64_t Coefficient(int parity, int data) {
  uint64_t x = (static_cast<uint64_t>(parity) << 32 | static_cast<uint64_t>(data + 1)) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

ErasureCode::ErasureCode(const ErasureParameters& parameters) : p_(parameters) {}

Bytes ErasureCode::FragmentSize(Bytes extent) const {
  const int64_t whole = kBlock * p_.data;
  return Bytes((extent.v + whole - 1) / whole * kBlock);
}

int ErasureCode::GroupOf(int fragment) const {
  if (p_.local == 0 || fragment >= p_.data + p_.local) return -1;
  return fragment < p_.data ? fragment / GroupSize() : fragment - p_.data;
}

ErasureCode::Fragments ErasureCode::Group(int group) const {
  const Fragments data = ((Fragments{1} << GroupSize()) - 1) << (group * GroupSize());
  return data | Bit(p_.data + group);
}

/// Each group recovers one of its own fragments, and global parities recover further losses.
bool ErasureCode::Survives(Fragments lost) const {
  int beyond = 0;
  Fragments grouped = 0;
  for (int group = 0; group < p_.local; ++group) {
    beyond += std::max(std::popcount(lost & Group(group)) - 1, 0);
    grouped |= Group(group);
  }
  return beyond + std::popcount(lost & all() & ~grouped) <= p_.global;
}

bool ErasureCode::Suffice(Fragments had, int fragment) const {
  if ((had & Bit(fragment)) != 0) return true;
  const int group = GroupOf(fragment);
  if (group >= 0 && (Group(group) & ~had) == Bit(fragment)) return true;
  return Survives(all() & ~had);
}

std::vector<int> ErasureCode::From(int fragment, Fragments lost) const {
  const Fragments there = all() & ~lost;
  if (!Suffice(there, fragment)) return {};
  if ((there & Bit(fragment)) != 0) return {fragment};
  std::vector<int> from;
  const auto take = [&](Fragments set) {
    for (int i = 0; i < fragments(); ++i)
      if ((set & Bit(i)) != 0) from.push_back(i);
  };
  const int group = GroupOf(fragment);
  if (group >= 0 && (Group(group) & ~there) == Bit(fragment)) {
    take(Group(group) & there);
    return from;
  }
  // Takes the number of data fragments, and only fragments with new information: if all data of a group are
  // present, its parity adds nothing.
  Fragments taken = there & (Bit(p_.data) - 1);
  int missing = p_.data - std::popcount(taken);
  for (int i = p_.data; i < fragments() && missing > 0; ++i) {
    const int of = GroupOf(i);
    if ((there & Bit(i)) == 0) continue;
    if (of >= 0 && (Group(of) & ~there & (Bit(p_.data) - 1)) == 0) continue;
    taken |= Bit(i), --missing;
  }
  take(taken);
  return from;
}

std::vector<ErasureCode::Piece> ErasureCode::Read(Bytes extent, uint64_t offset, uint64_t length,
                                                  Fragments lost) const {
  const auto size = static_cast<uint64_t>(FragmentSize(extent).v);
  std::vector<Piece> pieces;
  while (length > 0) {
    Piece piece{static_cast<int>(offset / size), offset % size, 0, {}};
    piece.length = std::min(length, size - piece.offset);
    piece.from = From(piece.fragment, lost);
    offset += piece.length, length -= piece.length;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

ErasureCode::Words ErasureCode::RowOf(int fragment) const {
  Words row(static_cast<size_t>(p_.data));
  const int group = GroupOf(fragment);
  for (int i = 0; i < p_.data; ++i) {
    uint64_t& c = row[static_cast<size_t>(i)];
    if (fragment < p_.data) {
      c = i == fragment ? 1 : 0;
    } else if (group >= 0) {
      c = GroupOf(i) == group ? 1 : 0;
    } else {
      c = Coefficient(fragment - p_.data - p_.local, i);
    }
  }
  return row;
}

ErasureCode::Words ErasureCode::Encode(const Words& data) const {
  Words parities;
  for (int parity = p_.data; parity < fragments(); ++parity) {
    const Words row = RowOf(parity);
    uint64_t word = 0;
    for (size_t i = 0; i < data.size(); ++i) word ^= Times(row[i], data[i]);
    parities.push_back(word);
  }
  return parities;
}

/// Gauss-Jordan elimination on the rows of `from`, each with its word; then the wanted row is expressed by
/// them.
uint64_t ErasureCode::Rebuild(int fragment, const std::vector<int>& from, const Words& words) const {
  std::vector<Words> rows;
  for (const int i : from) {
    rows.push_back(RowOf(i));
    rows.back().push_back(words[static_cast<size_t>(i)]);
  }
  Words wanted = RowOf(fragment);
  wanted.push_back(0);
  const auto less = [](Words& row, const Words& other, uint64_t times) {
    if (times == 0) return;
    for (size_t i = 0; i < row.size(); ++i) row[i] ^= Times(times, other[i]);
  };
  size_t done = 0;
  for (size_t column = 0; column < static_cast<size_t>(p_.data) && done < rows.size(); ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
                                    [&](const Words& row) { return row[column] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[done]);
    const uint64_t one = Inverse(rows[done][column]);
    for (uint64_t& c : rows[done]) c = Times(c, one);
    for (size_t row = done + 1; row < rows.size(); ++row) less(rows[row], rows[done], rows[row][column]);
    less(wanted, rows[done], wanted[column]);
    ++done;
  }
  return wanted.back();
}

}  // namespace headroom
