// A workload of type io against what may limit it: closed forms of its protocol (analysis/bounds/io_cost.h),
// cores, disks and lines.
#pragma once

#include <string>
#include <vector>

#include "analysis/bounds/fabric.h"
#include "analysis/bounds/io_cost.h"

namespace headroom {

/// A workload of type io, as if it were alone. Disks are those of its hosts; of many a sample stands for all.
struct IoCheck {
  enum class Limit { depth, credits, stream, fence, cores, node_cores, disks, line, node_line, rate };
  struct Bound {
    Limit limit;
    double iops;  ///< of one disk
  };
  std::string workload, service;
  double mean_bytes = 0;
  /// What an I/O takes with nothing in its way, mean of a disk, by distance. 0: not known, where front ends
  /// and partition servers are between.
  Time least_alone, most_alone;
  double rate = 0;            ///< that a disk asks for; 0: closed loop
  std::vector<Bound> bounds;  ///< of the disk that may reach most
  const Bound& Least() const;
  const Bound* Find(Limit limit) const;
};
const char* LimitName(IoCheck::Limit limit);

/// At most so many, evenly spread, that stand for all.
std::vector<NodeId> SampleOf(const std::vector<NodeId>& hosts);
IoEnds EndsOf(const Fabric& fabric, NodeId client, NodeId server);

class IoWorkload {
 public:
  /// REQUIRES: it is of type io.
  IoWorkload(const Fabric& fabric, const WorkloadParameters& workload);
  const IoCheck& check() const { return check_; }
  const IoArrivals& io() const { return io_; }
  const StorageParameters& service() const { return service_; }
  Time request() const { return request_; }

 private:
  struct DiskSums;
  DiskSums SumsOf(NodeId host) const;
  double DiskIops(double reads, double writes) const;
  std::vector<IoCheck::Bound> BoundsOf(NodeId host, const DiskSums& sums) const;
  std::vector<IoCheck::Bound> BoundsOfSystem() const;

  const Fabric& fabric_;
  const Scenario& scenario_;
  const IoArrivals& io_;
  const StorageParameters& service_;
  IoCheck check_;
  Time request_;
};

}  // namespace headroom
