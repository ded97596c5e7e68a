// ns-3's applications share ports with RDMA. A BulkSend sends over TCP to a PacketSink while a queue pair
// WRITEs to the same host.
#include <ns3/application-container.h>
#include <ns3/bulk-send-helper.h>
#include <ns3/inet-socket-address.h>
#include <ns3/nstime.h>
#include <ns3/packet-sink-helper.h>
#include <ns3/packet-sink.h>
#include <ns3/simulator.h>
#include <ns3/uinteger.h>

#include <iostream>

#include "net/topology/topology_builders.h"
#include "nic/verbs/verbs.h"
#include "run/network.h"
#include "sim/simulator.h"
#include "switch/buffer/profiles.h"

using namespace headroom;

int main() {
  Scenario scenario;
  scenario.topology = BuildStar({"a", "b", "server"}, {GigabitsPerSecond(100), Nanoseconds(15), {}, 0});
  scenario.classes[1] = {.name = "tcp", .priority = 1, .dscp = 8};
  scenario.classes[3] = {.name = "storage", .priority = 3, .dscp = 3, .lossless = true};
  scenario.classes[6] = {.name = "cnp", .priority = 6, .dscp = 48, .strict = true};
  scenario.switches.resize(1);
  scenario.switches[0].buffer = *FindBufferProfile("azure-24mb");
  scenario.nics.resize(3);

  StartSimulator(1);
  Network network(scenario);
  IpParameters ip;
  ip.mtu = 9000;
  ip.priority = 1;  // for packets without a DSCP; these applications set none
  IpStack& stack = network.ip(ip);
  stack.Install(0);
  stack.Install(2);

  constexpr uint64_t kBytes = 10'000'000;
  const ns3::InetSocketAddress address(IpStack::AddressOf(2), 5000);
  ns3::PacketSinkHelper sink("ns3::TcpSocketFactory", address);
  const ns3::ApplicationContainer server = sink.Install(stack.Node(2));
  ns3::BulkSendHelper bulk("ns3::TcpSocketFactory", address);
  bulk.SetAttribute("MaxBytes", ns3::UintegerValue(kBytes));
  bulk.Install(stack.Node(0));

  Verbs& b = network.nic(1).verbs();
  Verbs& at_server = network.nic(2).verbs();
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = b.CreateCq(16);
  QueuePair* from_b = b.CreateQp(attr);
  CompletionQueue* written = attr.send_cq;
  attr.send_cq = attr.recv_cq = at_server.CreateCq(16);
  QueuePair* to_b = at_server.CreateQp(attr);
  if (!ConnectQps(b, from_b, at_server, to_b)) return 1;
  constexpr uint32_t kWrite = 5'000'000;
  const MemoryRegion* local = b.RegMr(0, kWrite, 0);
  const MemoryRegion* remote = at_server.RegMr(0, kWrite, kLocalWrite | kRemoteWrite);
  SendWr write;
  write.opcode = WrOpcode::rdma_write;
  write.signaled = true;
  write.sge = {0, kWrite, local->lkey};
  write.rkey = remote->rkey;
  b.PostSend(from_b, write);

  ns3::Simulator::Stop(ns3::MilliSeconds(10));
  ns3::Simulator::Run();
  Wc wc;
  const bool done = written->Poll(wc) && wc.status == WcStatus::success;
  const uint64_t received = server.Get(0)->GetObject<ns3::PacketSink>()->GetTotalRx();
  std::cout << "TCP: " << received << " B; the WRITE took "
            << InMicroseconds(wc.times.completed - wc.times.posted) << " us\n";
  // Both shared the server's link. Alone, the WRITE takes 434 us.
  return done && received == kBytes && wc.times.completed - wc.times.posted > Microseconds(600) ? 0 : 1;
}
