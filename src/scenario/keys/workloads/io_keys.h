// What workloads of I/Os share: types io, fio and trace.
#pragma once

#include "scenario/keys/workloads/workload_keys.h"

namespace headroom::keys {

constexpr const char* kIosPage = "models/io-workloads.md";

/// Sets whose disks they are, and with them where the data go.
KindOf<Workload> ServiceOfIo();
/// Some of its compute hosts.
KeyOf<Workload> FromOfIo();
/// They are compute hosts of the service. False where the service could not be read.
bool CheckFrom(const Node& node, const IoArrivals& io, const Reading& reading);
/// How large an I/O of the service may be, and what says so: it is in one extent, and of sK-RDMA in one
/// buffer of the pool.
struct LargestIo {
  Bytes bytes;
  const char* what;
};
LargestIo LargestOf(const StorageParameters& service);
KindOf<IoAddresses> Addresses();

/// A file of another tool, which goes with the resolved scenario.
KindOf<Workload> OtherFile();
/// What is written where it was given.
template <class F>
KindOf<F> Unless0(const KindOf<F>& kind) {
  return {kind.shape, kind.read, [write = kind.write](const F& value, const Writing& writing) {
            return value == F{} ? std::string() : write(value, writing);
          }};
}
template <class F>
auto OfRecorded(F RecordedSource::*field) {
  return [field](Workload& w) -> F& { return w.source.recorded.*field; };
}

/// The jobs of a fio job file, each a workload; `read` is what the entry says.
std::vector<Workload> JobsOf(const Node& node, const Workload& read, const Reading& reading);

}  // namespace headroom::keys
