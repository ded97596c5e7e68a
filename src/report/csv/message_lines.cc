#include "report/csv/message_lines.h"

#include "report/csv/csv_rows.h"

namespace headroom {

namespace {

constexpr const char* kMessageColumns =
    "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,slowdown,"
    "finished";
constexpr size_t kMessageWorkload = 1, kMessageBytes = 7, kMessageStart = 8, kMessageDelivered = 9,
                 kMessageCompleted = 10, kMessageIdeal = 11, kMessageFinished = 13;

/// The first column that differs from Headroom's format; 0 if none does.
size_t Read(const CsvRow& row, MessageLine& line) {
  line.workload = row[kMessageWorkload];
  if (line.workload.empty()) return kMessageWorkload;
  if (!ReadCount(row[kMessageBytes], line.bytes)) return kMessageBytes;
  if (row[kMessageStart].empty() || !ReadNanoseconds(row[kMessageStart], line.start)) return kMessageStart;
  if (!ReadNanoseconds(row[kMessageDelivered], line.delivered) || line.delivered < line.start)
    return kMessageDelivered;
  if (!ReadNanoseconds(row[kMessageCompleted], line.completed) || line.completed < line.start)
    return kMessageCompleted;
  if (!ReadNanoseconds(row[kMessageIdeal], line.ideal)) return kMessageIdeal;
  return row[kMessageFinished] == (line.Finished() ? "1" : "0") ? 0 : kMessageFinished;
}

}  // namespace

void ForEachMessage(const std::filesystem::path& path, const std::function<void(const MessageLine&)>& use) {
  ForEachRecord<MessageLine>(path, kMessageColumns, kMessageStart, Read, use);
}

}  // namespace headroom
