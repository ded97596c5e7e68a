// The records of a run that ended before it, on disk (`results: stream`).
#pragma once

#include <filesystem>
#include <unordered_map>

#include "run/stream/packed_records.h"

namespace headroom {

/// A result's folder for these records until the result is complete.
inline constexpr char kStreamFolder[] = ".stream";

class StreamedRecords final : public PackedRecords {
 public:
  /// The folder is made, and removed with this object. `buffer`: memory for records of each kind. Throws
  /// ResultError.
  explicit StreamedRecords(const std::filesystem::path& folder, size_t buffer = SortedRuns::kBuffer);
  ~StreamedRecords() override;

  /// Sets the function for the ideal times of messages; without it they are 0.
  void SetIdeal(std::function<Time(const MessageRecord&)> ideal) { ideal_ = std::move(ideal); }

  // Freight: gets the records of other ranks.
  void Pack(int to_rank, Packer& to) override;
  void Unpack(int from_rank, Unpacker& from) override;

  void ForEachMessage(const std::function<void(const MessageView&)>& use) override;
  void ForEachOperation(const std::function<void(const OperationView&)>& use) override;
  void ForEachPause(const std::function<void(const PauseRecord&)>& use) override;
  uint64_t messages() const override { return messages_.size(); }

 private:
  /// Removes a folder.
  struct Folder {
    explicit Folder(const std::filesystem::path& path);
    ~Folder();
    std::filesystem::path path;
  };
  void Put(Log log, const SortedRuns::Key& key, std::span<const std::byte> bytes) override;
  void PutMessage(const SortedRuns::Key& key, std::span<const std::byte> bytes);
  void PutApart(const Traffic::Apart& apart);
  void PutWaiting();

  Folder folder_;  // first: it goes when its files are gone
  SortedRuns messages_, apart_, operations_, pauses_;
  /// Found by message: what came apart from messages that may still end. Then it becomes part of the record.
  std::unordered_map<uint32_t, Traffic::Apart> waiting_;
  std::function<Time(const MessageRecord&)> ideal_;
};

}  // namespace headroom
