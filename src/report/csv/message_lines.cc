#include "report/csv/message_lines.h"

#include "report/csv/csv_rows.h"

namespace headroom {

namespace {

const CsvColumns kMessageColumns = {"workload",     "bytes",    "start_ns", "delivered_ns",
                                    "completed_ns", "ideal_ns", "finished"};
constexpr size_t kMessageWorkload = 0, kMessageBytes = 1, kMessageStart = 2, kMessageDelivered = 3,
                 kMessageCompleted = 4, kMessageIdeal = 5, kMessageFinished = 6;

size_t ReadMessage(const CsvRow& row, MessageLine& line) {
  line.workload = row[kMessageWorkload];
  if (line.workload.empty()) return kMessageWorkload;
  if (!ReadCount(row[kMessageBytes], line.bytes)) return kMessageBytes;
  if (row[kMessageStart].empty() || !ReadNanoseconds(row[kMessageStart], line.start)) return kMessageStart;
  if (!ReadNanoseconds(row[kMessageDelivered], line.delivered) || line.delivered < line.start)
    return kMessageDelivered;
  if (!ReadNanoseconds(row[kMessageCompleted], line.completed) || line.completed < line.start)
    return kMessageCompleted;
  if (!ReadNanoseconds(row[kMessageIdeal], line.ideal)) return kMessageIdeal;
  return row[kMessageFinished] == (line.Finished() ? "1" : "0") ? kAsWritten : kMessageFinished;
}

}  // namespace

void ForEachMessage(const std::filesystem::path& path, const std::function<void(const MessageLine&)>& use) {
  ForEachRecord<MessageLine>(path, kMessageColumns, kMessageStart, ReadMessage, use);
}

}  // namespace headroom
