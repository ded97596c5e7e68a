#include "report/csv/operation_lines.h"

#include "report/csv/csv_rows.h"

namespace headroom {

namespace {

const CsvColumns kOperationColumns = {"workload",     "kind",   "client", "bytes", "start_ns",
                                      "completed_ns", "status", "ramp",   "t1_ns"};
constexpr size_t kOfWorkload = 0, kOfKind = 1, kOfClient = 2, kOfBytes = 3, kOfStart = 4, kOfCompleted = 5,
                 kOfStatus = 6, kOfRamp = 7, kOfT1 = 8;

/// The enumerator with this name; the number of names if none has it.
template <class Enumeration, class NameOf>
bool ReadName(std::string_view text, size_t count, NameOf name_of, Enumeration& value) {
  for (size_t i = 0; i < count; ++i) {
    value = static_cast<Enumeration>(i);
    if (text == name_of(value)) return true;
  }
  return false;
}

size_t ReadOperation(const CsvRow& row, OperationLine& line) {
  line.workload = row[kOfWorkload];
  line.client = row[kOfClient];
  if (line.workload.empty()) return kOfWorkload;
  if (line.client.empty()) return kOfClient;
  if (!ReadName(row[kOfKind], kOperationKinds, OperationKindName, line.kind)) return kOfKind;
  if (!ReadCount(row[kOfBytes], line.bytes)) return kOfBytes;
  if (row[kOfStart].empty() || !ReadNanoseconds(row[kOfStart], line.start)) return kOfStart;
  if (!ReadNanoseconds(row[kOfCompleted], line.completed) || line.completed < line.start) return kOfCompleted;
  const bool named = ReadName(row[kOfStatus], 3, OperationStatusName, line.status);
  if (line.Finished() ? !named : !row[kOfStatus].empty()) return kOfStatus;
  if (row[kOfRamp] != "0" && row[kOfRamp] != "1") return kOfRamp;
  line.ramp = row[kOfRamp] == "1";
  const bool posted = ReadNanoseconds(row[kOfT1], line.posted);
  return !posted || line.posted < line.start || (line.posted != kNever && line.posted > line.completed)
             ? kOfT1
             : kAsWritten;
}

}  // namespace

void ForEachOperation(const std::filesystem::path& path,
                      const std::function<void(const OperationLine&)>& use) {
  ForEachRecord<OperationLine>(path, kOperationColumns, kOfStart, ReadOperation, use);
}

}  // namespace headroom
