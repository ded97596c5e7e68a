// Records that end, as bytes with a key that sorts them into the order of the rows of CSV files.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "files/sorted_runs.h"
#include "run/ended_records.h"

namespace headroom {

class PackedRecords : public EndedRecords {
 public:
  void Add(const MessageView& message, const Traffic::Begun& begun) override;
  void Add(const OperationView& operation) override;
  void Add(const PauseRecord& pause, uint64_t order) override;
  void Add(const Traffic::Apart& apart) override;

 protected:
  enum class Log : uint8_t { messages, apart, operations, pauses };
  virtual void Put(Log log, const SortedRuns::Key& key, std::span<const std::byte> bytes) = 0;

  // The records of Put.
  struct StoredMessage {
    MessageRecord record;
    MessageParts parts;
    bool split = false;
  };
  /// An operation without its list of participants: of these, files have the last.
  struct StoredOperation {
    OperationKind kind{};
    OperationStatus status{};
    bool ramp = false, asked = false;  ///< asked: it has a participant
    NodeId server = 0;
    uint32_t retries = 0, qp = 0;
    int64_t bytes = 0;
    Time completed;
    OperationTimes times;
    std::array<Time, kOperationParts> parts{};
  };
  /// A record between ranks.
  struct Sending {
    Log log{};
    SortedRuns::Key key{};
    std::vector<std::byte> bytes;
    template <class P>
    void Pack(P& pack) {
      pack(log, key, bytes);
    }
  };
  static OperationRecord Restored(const StoredOperation& stored, const SortedRuns::Key& key);
  /// The message's number in Traffic.
  static uint32_t NumberIn(const SortedRuns::Key& key) { return static_cast<uint32_t>(key[4]); }
  /// A record is a head, then waits.
  template <class Head>
  static Head Unpacked(std::span<const std::byte> bytes, std::vector<WaitRecord>& waits);

 private:
  std::vector<std::byte> bytes_;  ///< of the record that is being added
};

template <class Head>
Head PackedRecords::Unpacked(std::span<const std::byte> bytes, std::vector<WaitRecord>& waits) {
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  waits.resize((bytes.size() - sizeof head) / sizeof(WaitRecord));
  if (!waits.empty())
    std::memcpy(waits.data(), bytes.data() + sizeof head, waits.size() * sizeof(WaitRecord));
  return head;
}

}  // namespace headroom
