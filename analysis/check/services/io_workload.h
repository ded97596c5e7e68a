// Compares a workload of type io with its possible limits: closed forms of its protocol
// (analysis/bounds/services/io_cost.h), cores, disks and lines.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/services/io_cost.h"
#include "workload/io_arrivals.h"

namespace headroom {

/// A workload of type io, evaluated without others. Disks are those of its hosts; a sample represents many.
struct IoCheck {
  enum class Limit { depth, credits, stream, fence, cores, node_cores, disks, line, node_line, rate };
  struct Bound {
    Limit limit;
    double iops;  ///< I/Os per second of one disk
  };
  /// An I/O of this kind and size, between the two nearest hosts.
  struct Alone {
    bool writes = false;
    Bytes size;
    IoParts parts;
  };
  std::string workload, service;
  const char* protocol = "";  ///< protocol of the front leg
  double mean_bytes = 0;
  /// Mean time of a disk's undisturbed I/O, by distance: a lower bound over TCP, and with front ends and
  /// partition servers in between.
  Time least_alone, most_alone;
  std::vector<Alone> alone;   ///< empty if there are front ends in between
  double rate = 0;            ///< requested rate of a disk; 0: closed loop
  std::vector<Bound> bounds;  ///< for the disk with the highest bound
  const Bound& Least() const;
  const Bound* Find(Limit limit) const;
};
const char* LimitName(IoCheck::Limit limit);
const char* ProtocolName(StorageProtocol protocol);

/// Number per second if `n` take this time; infinite if the time is 0.
double PerSecond(double n, double picoseconds);

/// For example "12,345", rounded down.
std::string IopsText(double iops);

/// At most this many hosts, evenly spread, that represent all.
std::vector<NodeId> SampleOf(const std::vector<NodeId>& hosts);
IoEnds EndsOf(const Fabric& fabric, NodeId client, NodeId server);

class IoWorkload {
 public:
  /// REQUIRES: the workload has type io, fio or trace. `service`: the service that it names, possibly with
  /// other legs; must outlive this object.
  IoWorkload(const Fabric& fabric, const WorkloadParameters& workload, const StorageParameters& service);
  const IoCheck& check() const { return check_; }
  /// The servers that its first disk calls.
  const std::vector<NodeId>& servers() const { return servers_; }
  const WorkloadParameters& workload() const { return workload_; }
  const IoArrivals& io() const { return io_; }
  const StorageParameters& service() const { return service_; }
  Time request() const { return request_; }
  /// Minimum bits on the wire for the data of an average I/O: written, or read. For TCP, includes the header
  /// of the request or answer.
  double DataBits(bool writes) const;
  double Bits(bool writes) const;
  /// I/Os per second that the disks of one extent node permit, with one read or these writes each; infinite
  /// without a limit.
  double DiskIops(int replicas) const;

 private:
  struct DiskSums;
  DiskSums SumsOf(NodeId host) const;
  double CoresOf(NodeId host, double streams, double carried, double requests) const;
  double Streams(double others) const;
  void AddAlone(NodeId host);
  std::vector<IoCheck::Bound> BoundsOf(NodeId host, const DiskSums& sums) const;
  void BoundSystem();

  const Fabric& fabric_;
  const Scenario& scenario_;
  const WorkloadParameters& workload_;
  const IoArrivals& io_;
  const StorageParameters& service_;
  IoCheck check_;
  std::vector<NodeId> servers_;
  Time request_;
};

}  // namespace headroom
