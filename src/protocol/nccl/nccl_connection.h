// A connection of NCCL's net_ib: it carries messages in one direction, from the sender's end to the
// receiver's.
//
//   receiver: an empty RECV on each queue pair that is used, then
//             <- CTS: a WRITE of n entries to slot (tail mod 256) of the sender's FIFO, with idx = tail + 1
//   sender:   when slot (head mod 256) has n entries with idx = head + 1:
//             n = 1 -> one WRITE_WITH_IMM of the data, immediate data: its size
//                      (adaptive routing, above 8192 B: a WRITE of the data, then an empty WRITE_WITH_IMM)
//             n > 1 -> n WRITEs, then a WRITE_WITH_IMM of their sizes, 4 B each
//
// A request ends at the receiver with a WRITE_WITH_IMM on each queue pair in use, at the sender with its
// completions. Each end has at most `steps` requests open. All queue pairs are used if data are split, else
// one, in round-robin order. Threads poll and never sleep: an entry in the FIFO is seen immediately, and sent
// at the thread's turn.
//
// Source: NVIDIA/nccl at v2.30.7-1, src/transport/net_ib/p2p.cc. Data are only counted; entries and sizes are
// carried.
#pragma once

#include <functional>
#include <vector>

#include "protocol/nccl/clear_to_send.h"
#include "protocol/nccl/message_cut.h"
#include "protocol/process.h"
#include "sim/deque.h"

namespace headroom {

/// The source port of a connection's queue pair number i, from that of its first.
inline uint16_t NcclPort(uint16_t first, int i) { return static_cast<uint16_t>(first ^ i); }

/// Counts of one end, or sums over several.
struct NcclCounts {
  uint64_t clear_to_sends = 0;  ///< WRITEs by the receiver
  uint64_t data_messages = 0;   ///< WRITE_WITH_IMMs by the sender
  uint64_t writes = 0;          ///< WRITEs by the sender before these
  uint64_t sent_bytes = 0, received_bytes = 0;
  uint64_t received = 0;    ///< groups of chunks received
  uint64_t unexpected = 0;  ///< messages of another size than requested
  NcclCounts& operator+=(const NcclCounts& other);
};

/// The common parts of both ends. An end and the objects that it refers to must outlive the run.
class NcclEnd : public Endpoint {
 public:
  /// `on_failure`: called when a completion failed.
  NcclEnd(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
          std::function<void()> on_failure);
  const std::vector<QueuePair*>& qps() const { return qps_; }
  const NcclCounts& counts() const { return counts_; }
  Process& process() { return process_; }
  /// Afterwards nothing is sent, and completions have no effect.
  void Close() { closed_ = true; }

  void OnTurn() override {}
  int64_t BytesOf(const Wc&) const override { return 0; }
  int64_t BytesOfTurn() const override { return 0; }

 protected:
  static constexpr uint64_t kSizeBytes =
      4;  ///< size of a chunk's entry in the record that the receiver reads
  /// The queue pairs for request number `turn`.
  std::vector<QueuePair*> QpsOf(uint64_t turn) const;
  void Post(QueuePair* qp, SendWr wr);

  Process& process_;
  const NcclParameters& p_;
  std::function<void()> on_failure_;
  uint64_t base_;
  std::vector<QueuePair*> qps_;
  bool closed_ = false;
  NcclCounts counts_;
};

class NcclReceiver final : public NcclEnd {
 public:
  NcclReceiver(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
               std::function<void()> on_failure);
  /// Sets the address of the sender's FIFO.
  void Know(uint64_t address, uint32_t rkey) { fifo_ = {address, rkey}; }
  const MemoryRegion& size_records() const { return *size_region_; }
  /// Receives a message, after all earlier messages.
  void Receive(const MessageCut& cut);
  void OnCompletion(const Wc& wc) override;

 private:
  struct Far {
    uint64_t address = 0;
    uint32_t rkey = 0;
  };
  struct Open {
    uint64_t number = 0;
    std::vector<uint32_t> sizes;
    uint32_t pending = 0;  ///< outstanding WRITE_WITH_IMMs
  };
  struct Message {
    MessageCut cut;
    uint64_t next = 0;  ///< next step
  };
  void PostNext();
  void PostClearToSend(uint64_t number, const std::vector<uint32_t>& sizes);
  bool IsRight(const Open& request, const Wc& wc) const;

  Deque<Message> messages_;
  Deque<Open> open_;
  uint64_t tail_ = 0;
  Far fifo_;
  std::vector<uint8_t> entries_, sizes_;
  MemoryRegion *entry_region_, *size_region_, *data_region_;
};

class NcclSender final : public NcclEnd {
 public:
  /// `done` is called for each operation once per group of chunks.
  NcclSender(Process& process, const NcclParameters& parameters, uint8_t priority, uint8_t tag,
             std::function<void()> on_failure, std::function<void(uint32_t operation)> done);
  static void Join(NcclSender& sender, NcclReceiver& receiver, uint16_t source_port);
  /// Sends a message, after all earlier messages.
  void Send(uint32_t operation, const MessageCut& cut);
  void OnCompletion(const Wc& wc) override;

 private:
  struct Open {
    uint64_t number = 0;
    uint32_t operation = 0;
    uint32_t pending = 0;  ///< outstanding completions
  };
  struct Message {
    uint32_t operation = 0;
    MessageCut cut;
    uint64_t asked_by = 0;  ///< the step of the trail that requested it
    uint64_t next = 0;      ///< next step
  };
  using Entries = std::vector<ClearToSend>;
  void SendNext();
  /// The entries of slot head mod 256; empty if some are missing.
  Entries EntriesFor(size_t group) const;
  void PostData(uint64_t number, const std::vector<uint32_t>& sizes, const Entries& entries);
  void PostPart(uint64_t number, const std::vector<uint32_t>& sizes, const Entries& entries, uint32_t part,
                uint32_t parts, QueuePair* qp);
  uint32_t RequestsOf(const std::vector<uint32_t>& sizes) const;

  std::function<void(uint32_t)> done_;
  Deque<Message> messages_;
  std::vector<Open> open_;
  uint64_t head_ = 0;
  uint64_t room_since_ =
      0;  ///< the step of the trail that ended the last request while all permitted requests were open
  std::vector<uint8_t> fifo_, sizes_;
  MemoryRegion *fifo_region_, *size_region_, *data_region_;
  uint64_t records_address_ = 0;  ///< of the sizes, at the receiver
  uint32_t records_key_ = 0;
};

}  // namespace headroom
