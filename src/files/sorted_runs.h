// Records on disk, sorted by a key, in memory of a fixed size: an external merge sort.
//
// Records gather in a buffer. A full buffer is sorted and written as a file, a run. As many runs as kFan of
// one level are merged into one of the next level. Reading merges all runs. A small log stays in memory.
//
// A record in a file: its length without this head (4 B), its key (40 B), its bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/staged_directory.h"

namespace headroom {

class SortedRuns {
 public:
  using Key = std::array<uint64_t, 5>;  ///< compared from the first number on
  using Use = std::function<void(const Key&, std::span<const std::byte>)>;

  static constexpr size_t kBuffer = size_t{4} << 20;  ///< bytes in memory before a run is written
  static constexpr size_t kFan = 32;                  ///< runs of a level that are merged into one
  static constexpr size_t kPage = size_t{64} << 10;   ///< bytes that are read from a run at once

  /// Files are in `folder`, which exists, and are called `name` with a number. They are removed with this
  /// object.
  SortedRuns(std::filesystem::path folder, std::string name, size_t buffer = kBuffer)
      : folder_(std::move(folder)), name_(std::move(name)), most_(buffer) {}
  ~SortedRuns();
  SortedRuns(const SortedRuns&) = delete;
  SortedRuns& operator=(const SortedRuns&) = delete;

  /// Throws ResultError if the disk is full. REQUIRES: fewer than 2^31 bytes.
  void Add(const Key& key, std::span<const std::byte> record);
  uint64_t size() const { return records_; }

  /// Reads the records in the order of the keys; among equal keys in the order of Add.
  class Cursor {
   public:
    /// REQUIRES: `log` outlives this object, and nothing is added meanwhile. Throws ResultError if a run
    /// cannot be read.
    explicit Cursor(SortedRuns& log);
    ~Cursor();
    /// Moves to the next record, at first to the first. Returns false after the last. Throws ResultError.
    bool Next();
    // The current record, valid until Next. REQUIRES: Next has returned true.
    const Key& key() const;
    std::span<const std::byte> bytes() const;

   private:
    struct Merge;
    std::unique_ptr<Merge> merge_;
  };
  /// Calls `use` for each record, in the order of a Cursor. May be called again.
  void ForEach(const Use& use);

 private:
  struct Run {
    std::filesystem::path path;
    int level = 0;
  };
  void SortBuffer();
  void WriteRun();
  void MergeLast(size_t count);
  std::filesystem::path NextPath();

  std::filesystem::path folder_;
  std::string name_;
  size_t most_;
  std::vector<std::byte> buffer_;  ///< records as in a file
  std::vector<size_t> places_;     ///< of the records in the buffer
  bool sorted_ = true;             ///< `places_` are in the order of the keys
  std::vector<Run> runs_;          ///< the oldest first, so that levels never rise
  uint64_t records_ = 0, files_ = 0;
};

}  // namespace headroom
