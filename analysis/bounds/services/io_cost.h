// Time of an undisturbed I/O of a storage service: the closed forms of its protocol.
//
// sK-RDMA, client to server: REG_MR (t_reg), then SEND of the request. A read's data are returned by WRITE
// with the response behind them; a write's data are READ by the server before it answers. So a read takes
// t_reg and a round trip that includes the data. A write takes t_reg and two round trips.
//
// sU-RDMA: a request and a response, one of which has the data, are sent in chunks, one at a time. A chunk up
// to `large` takes a round trip that includes the data. A larger chunk takes two (descriptor, READ, read
// done). Bai et al., NSDI 2023: one connection carries at most c / (RTT + c/R + turn-around) with chunks of
// c.
//
// TCP: a request and an answer, one message each (tcp_cost.h): a round trip that includes the data, as a
// lower bound.
//
// All protocols: the cores' work on the path, for messages and bytes, and the disk's time. Acknowledgements
// count instead of answers, which are longer, and a write's header is left out. So these are lower bounds,
// low by some tens of bytes.
#pragma once

#include "analysis/bounds/ideal_time.h"
#include "protocol/core_costs.h"
#include "protocol/storage/storage_parameters.h"
#include "workload/operation.h"

namespace headroom {

/// A compute host and an extent node.
struct IoEnds {
  IdealPath there, back;  ///< client to server, and the reverse
  CoreCosts client, server;
  Time registration;      ///< t_reg of the client's NIC
  int64_t ip_mtu = 1500;  ///< for hosts that use TCP
};

struct IoCost {
  Time alone{};  ///< total time without other traffic
  Time client_core{},
      server_core{};  ///< minimum work, on the critical path or not, without messages that only carry credits
  Time request_way{}, response_way{};  ///< su_rdma: how long it occupies each stream of its connection
};

/// The minimum cost on cores of carrying a call of this size, without the cost of executing it.
struct IoCores {
  Time client, server;
};
IoCores CoresOfIo(const StorageLeg& leg, OperationKind kind, Bytes size, const CoreCosts& client,
                  const CoreCosts& server);

/// A call over this leg, without the execution at the disk or in software.
IoCost CostOfCall(const StorageLeg& leg, OperationKind kind, Bytes size, const IoEnds& ends);

IoCost CostOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends);

/// How long one chunk of this size occupies its stream, including its cores' work.
Time ChunkTakes(const StorageLeg& leg, int64_t bytes, const IdealPath& way, const CoreCosts& sender,
                const CoreCosts& receiver);

/// The parts of a lone I/O's time.
struct IoParts {
  Time all;
  Time software;       ///< time of cores, as far as no wire is busy meanwhile
  Time serialisation;  ///< time of all bits at the slowest hop, and of one frame at the others
  Time propagation;    ///< time of light, and latencies of switches and NICs
  Time registration;   ///< sk_rdma
  Time device;
};

IoParts PartsOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends);

/// The time from a request's first bit to its acknowledgement, for which a registration behind a hidden fence
/// waits.
Time RequestRoundTrip(const StorageLeg& leg, const IoEnds& ends);

}  // namespace headroom
