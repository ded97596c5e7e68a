// Types that read and write disks of a service: the common parts of io, fio and trace, in a run and as keys.
#pragma once

#include "protocol/storage/storage_parameters.h"
#include "scenario/keys/workloads/workload_keys.h"
#include "workload/io_arrivals.h"

namespace headroom {

/// Answers questions with ios().
class IosOfDisks : public Arrivals {
 public:
  Time NeededArrival() const override;
  std::vector<LoneMessage> LastAlone(const HostView& hosts) const override;
  void AddShares(const WorkloadParameters& workload, const HostView& hosts, ShareSink& sink) const override;
  void OfferFlows(const WorkloadParameters& workload, const HostView& hosts, FlowSink& sink) const override;
  double Expected(const Scenario& scenario) const override;
  double MeanBytes() const override;
  double MeanPieces(double step) const override;
  std::optional<double> PerSecond(const HostView& hosts) const override;
  double Legs(const Scenario& scenario) const override;
  Forecast Count(const WorkloadParameters& workload, const Scenario& scenario) const override;
  std::optional<Forecast> Open(const WorkloadParameters& workload, const Scenario& scenario,
                               const Forecast& count) const override;
  std::optional<double> Depth() const override;
  double Stretch(const Scenario& scenario, const Forecast& count) const override;

  std::optional<AskedService> Asks() const override;
  std::vector<OperationKind> Kinds() const override;
  IoSpan Span(Time warmup, Time duration) const override;
  ServiceLoad Load() const override;

 protected:
  virtual const IoArrivals& ios() const = 0;
  /// Number of loops per host.
  virtual int Clones() const { return 1; }
};

template <class Self>
class DiskType : public ArrivalsOf<Self, IoArrivals, IosOfDisks> {
 public:
  using ArrivalsOf<Self, IoArrivals, IosOfDisks>::ArrivalsOf;

 protected:
  const IoArrivals& ios() const override { return this->a; }
};

/// The arrivals as one of the types.
std::unique_ptr<Arrivals> IoFrom(IoArrivals a);
std::unique_ptr<Arrivals> FioFrom(IoArrivals a);
std::unique_ptr<Arrivals> TraceFrom(IoArrivals a);

}  // namespace headroom

namespace headroom::keys {

constexpr const char* kIosPage = "models/io-workloads.md";

/// Sets the service with the disks, and so the destinations of the data.
KindOf<Workload> ServiceOfIo();
/// Selects some of its compute hosts.
KeyOf<Workload> FromOfIo();
/// Checks that they are compute hosts of the service. Returns false if the service could not be read.
bool CheckFrom(const Node& node, const IoArrivals& io, const Reading& reading);
/// The largest I/O of the service, and its limit: one extent, or for sK-RDMA one buffer of the
/// pool.
struct LargestIo {
  Bytes bytes;
  const char* what;
};
LargestIo LargestOf(const StorageParameters& service);
KindOf<IoAddresses> Addresses();

/// A file of another tool, which is copied with the resolved scenario.
KindOf<Workload> OtherFile();
/// A value written only if it was given.
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
/// The first keys of these types.
std::vector<KeyOf<Workload>> IoTypeKeys(const char* type);

}  // namespace headroom::keys
