#include "report/csv/operation_lines.h"

#include "report/csv/csv_rows.h"

namespace headroom {

namespace {

constexpr const char* kOperationColumns =
    "id,workload,service,kind,client,bytes,start_ns,completed_ns,status,retries,server,qp,ramp,t1_ns";
constexpr size_t kOfWorkload = 1, kOfKind = 3, kOfClient = 4, kOfBytes = 5, kOfStart = 6, kOfCompleted = 7,
                 kOfStatus = 8, kOfRamp = 12, kOfT1 = 13;

/// The enumerator with this name; the number of names if none has it.
template <class Enumeration, class NameOf>
bool ReadName(std::string_view text, size_t count, NameOf name_of, Enumeration& value) {
  for (size_t i = 0; i < count; ++i) {
    value = static_cast<Enumeration>(i);
    if (text == name_of(value)) return true;
  }
  return false;
}

/// The column that differs from Headroom's format; 0 if none does.
size_t Read(const CsvRow& row, OperationLine& line) {
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
             : 0;
}

}  // namespace

void ForEachOperation(const std::filesystem::path& path,
                      const std::function<void(const OperationLine&)>& use) {
  ForEachRecord<OperationLine>(path, kOperationColumns, kOfStart, Read, use);
}

}  // namespace headroom
