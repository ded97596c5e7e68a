// Time of an undisturbed I/O of a storage service: the closed forms of its protocol.
//
// sK-RDMA, client to server: REG_MR (t_reg), SEND of the request; a read's data are WRITTEN back with the
// response behind them, a write's are READ by the server before it answers. So a read takes t_reg and a
// round trip with the data in it, a write t_reg and two.
//
// sU-RDMA: a request and a response, of which one has the data, go out in chunks, one at a time. A chunk up
// to `large` takes a round trip with the data in it, a larger one (descriptor, READ, read done) two. Bai et
// al., NSDI 2023: one connection carries at most c / (RTT + c/R + turn-around) of chunks c.
//
// TCP: a request and an answer, one message each (tcp_cost.h): a round trip with the data in it, from below.
//
// All: the cores' work on the way, a message's and its bytes', and the disk's time. Acknowledgements count in
// place of answers, which are longer, and a write's header is left out. So these are lower bounds, by some
// tens of bytes.
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
  int64_t ip_mtu = 1500;  ///< of hosts that use TCP
};

struct IoCost {
  Time alone{};  ///< from beginning to end
  Time client_core{},
      server_core{};  ///< work, waited for or not: at least, without messages of credits alone
  Time request_way{}, response_way{};  ///< su_rdma: how long it has each stream of its connection to itself
};

/// The least cost of carrying a call of this size on cores, without the cost of executing it.
struct IoCores {
  Time client, server;
};
IoCores CoresOfIo(const StorageLeg& leg, OperationKind kind, Bytes size, const CoreCosts& client,
                  const CoreCosts& server);

/// A call over this leg: without what executing it takes, at the disk or by software.
IoCost CostOfCall(const StorageLeg& leg, OperationKind kind, Bytes size, const IoEnds& ends);

IoCost CostOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends);

/// How long one chunk of this size keeps its stream, its cores' work included.
Time ChunkTakes(const StorageLeg& leg, int64_t bytes, const IdealPath& way, const CoreCosts& sender,
                const CoreCosts& receiver);

/// Where the time of an I/O alone goes.
struct IoParts {
  Time all;
  Time software;       ///< of cores, as far as no wire is busy meanwhile
  Time serialisation;  ///< of all bits at the slowest hop, and of a frame at the others
  Time propagation;    ///< of light, and latencies of switches and NICs
  Time registration;   ///< sk_rdma
  Time device;
};

IoParts PartsOfIo(const StorageParameters& service, OperationKind kind, Bytes size, const IoEnds& ends);

/// From a request's first bit to its acknowledgement: what a registration behind a hidden fence waits for.
Time RequestRoundTrip(const StorageLeg& leg, const IoEnds& ends);

}  // namespace headroom
