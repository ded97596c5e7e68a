// The records of a run that ended before it, on disk (`results: stream`). A key sorts them into the order of
// the rows of CSV files.
#pragma once

#include <filesystem>
#include <unordered_map>

#include "files/sorted_runs.h"
#include "run/recording/ended_records.h"

namespace headroom {

/// A result's folder for these records until the result is complete.
inline constexpr char kStreamFolder[] = ".stream";

class StreamedRecords final : public EndedRecords {
 public:
  /// The folder is made, and removed with this object. `buffer`: memory for records of each kind. Throws
  /// ResultError.
  explicit StreamedRecords(const std::filesystem::path& folder, size_t buffer = SortedRuns::kBuffer);
  ~StreamedRecords() override;

  /// Sets the function for the ideal times of messages; without it they are 0.
  void SetIdeal(std::function<Time(const MessageRecord&)> ideal) { ideal_ = std::move(ideal); }

  void Add(const MessageView& message, const Begun& begun) override;
  void Add(const OperationView& operation) override;
  void Add(const PauseRecord& pause, const Begun& begun) override;
  void Add(const MessageApart& apart) override;
  void Add(const ArrivedPackets& /*arrived*/) override {}  // the goodput of intervals is not observed

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
  void PutWaiting();

  Folder folder_;  // first: it goes when its files are gone
  SortedRuns messages_, apart_, operations_, pauses_;
  /// Found by message: what came apart from messages that may still end. Then it becomes part of the record.
  std::unordered_map<uint32_t, MessageApart> waiting_;
  std::function<Time(const MessageRecord&)> ideal_;
  std::vector<std::byte> bytes_;  ///< of the record that is being added
};

}  // namespace headroom
