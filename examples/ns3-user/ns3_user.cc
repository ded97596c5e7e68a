// An ns-3 user's program with two hosts on a switch. One host posts an RDMA WRITE and a SEND on a reliable
// connection. A trace source reports their frames. ns3::Simulator runs the simulation.
#include <ns3/config.h>
#include <ns3/simulator.h>

#include <iostream>
#include <string>
#include <vector>

#include "net/topology/topology_builders.h"
#include "nic/verbs/verbs.h"
#include "run/network.h"
#include "sim/simulator.h"
#include "switch/buffer/profiles.h"

using namespace headroom;

static int frames = 0;

static void OnTransmit(std::string path, const Port&, const Frame& frame) {
  ++frames;
  std::cout << ns3::Simulator::Now().As(ns3::Time::NS) << "  " << path.substr(0, path.find("/$")) << "  "
            << frame.bytes << " B\n";
}

int main() {
  Scenario scenario;  // plain data, with a default for everything but the network itself
  scenario.topology = BuildStar({"a", "b"}, {GigabitsPerSecond(100), Nanoseconds(15), {}, 0});
  scenario.classes[3] = {.name = "storage", .priority = 3, .dscp = 3, .lossless = true};
  scenario.classes[6] = {.name = "cnp", .priority = 6, .dscp = 48, .strict = true};
  scenario.switches.resize(1);
  scenario.switches[0].buffer = *FindBufferProfile("azure-24mb");
  scenario.nics.resize(2);

  StartSimulator(1);
  Network network(scenario);
  ns3::Config::Connect("/NodeList/*/DeviceList/*/$headroom::Port/Transmit", ns3::MakeCallback(&OnTransmit));

  Verbs& a = network.nic(0).verbs();
  Verbs& b = network.nic(1).verbs();
  QpInitAttr attr;
  attr.send_cq = attr.recv_cq = a.CreateCq(16);
  QueuePair* at_a = a.CreateQp(attr);
  CompletionQueue* sent = attr.send_cq;
  attr.send_cq = attr.recv_cq = b.CreateCq(16);
  QueuePair* at_b = b.CreateQp(attr);
  if (!ConnectQps(a, at_a, b, at_b)) return 1;

  std::vector<uint8_t> data(3000, 7), window(4096, 0);
  const MemoryRegion* local = a.RegMr(0, data.size(), 0, data);
  const MemoryRegion* remote = b.RegMr(0x1000, window.size(), kLocalWrite | kRemoteWrite, window);
  b.PostRecv(at_b, {.wr_id = 1, .sge = {.addr = 0, .length = 256, .lkey = 0}});
  SendWr write;
  write.opcode = WrOpcode::rdma_write;
  write.sge = {0, 3000, local->lkey};
  write.remote_addr = 0x1000;
  write.rkey = remote->rkey;
  a.PostSend(at_a, write);
  SendWr send;
  send.signaled = true;
  send.sge.length = 100;
  a.PostSend(at_a, send);

  ns3::Simulator::Run();
  Wc at_sender, at_receiver;
  const bool done = sent->Poll(at_sender) && at_sender.status == WcStatus::success &&
                    attr.recv_cq->Poll(at_receiver) && at_receiver.byte_len == 100;
  std::cout << (done ? "the SEND took " : "not done: ")
            << InMicroseconds(at_sender.times.completed - at_sender.times.posted) << " us\n";
  // Three packets of the WRITE, one of the SEND, four ACKs, each on two links.
  return done && window[2999] == 7 && window[3000] == 0 && frames == 16 ? 0 : 1;
}
