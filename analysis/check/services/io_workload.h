// A workload of type io against what may limit it: closed forms of its protocol
// (analysis/bounds/services/io_cost.h), cores, disks and lines.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/services/io_cost.h"
#include "workload/io_arrivals.h"

namespace headroom {

/// A workload of type io, as if it were alone. Disks are those of its hosts; a sample represents many.
struct IoCheck {
  enum class Limit { depth, credits, stream, fence, cores, node_cores, disks, line, node_line, rate };
  struct Bound {
    Limit limit;
    double iops;  ///< of one disk
  };
  /// An I/O of this kind and size, between the two hosts that are nearest.
  struct Alone {
    bool writes = false;
    Bytes size;
    IoParts parts;
  };
  std::string workload, service;
  const char* protocol = "";  ///< of the front leg
  double mean_bytes = 0;
  /// Time of an undisturbed I/O, mean of a disk, by distance: a lower bound over TCP, and with front ends and
  /// partition servers between.
  Time least_alone, most_alone;
  std::vector<Alone> alone;   ///< none where these are between
  double rate = 0;            ///< that a disk asks for; 0: closed loop
  std::vector<Bound> bounds;  ///< of the disk that may reach most
  const Bound& Least() const;
  const Bound* Find(Limit limit) const;
};
const char* LimitName(IoCheck::Limit limit);
const char* ProtocolName(StorageProtocol protocol);

/// This many in this time: any number if it is 0.
double PerSecond(double n, double picoseconds);

/// "12,345", rounded down.
std::string IopsText(double iops);

/// At most this many, evenly spread, that represent all.
std::vector<NodeId> SampleOf(const std::vector<NodeId>& hosts);
IoEnds EndsOf(const Fabric& fabric, NodeId client, NodeId server);

class IoWorkload {
 public:
  /// REQUIRES: it is of type io, fio or trace. `service`: that it names, maybe with other legs; outlives
  /// this.
  IoWorkload(const Fabric& fabric, const WorkloadParameters& workload, const StorageParameters& service);
  const IoCheck& check() const { return check_; }
  /// The server that its first disk asks.
  const std::vector<NodeId>& servers() const { return servers_; }
  const WorkloadParameters& workload() const { return workload_; }
  const IoArrivals& io() const { return io_; }
  const StorageParameters& service() const { return service_; }
  Time request() const { return request_; }
  /// On the wire for the data of an average I/O, at least: what is written, or what is read. With the header
  /// of TCP's request or answer, too.
  double DataBits(bool writes) const;
  double Bits(bool writes) const;
  /// I/Os per second that the disks of one extent node let through, with one read or these writes each;
  /// infinite without a limit.
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
