#include "ip/ip_port.h"

#include <ns3/ipv4-header.h>
#include <ns3/queue-item.h>
#include <ns3/uinteger.h>

#include "ip/addresses.h"
#include "ip/packet_fields.h"

namespace headroom {

namespace {

constexpr uint16_t kIpv4 = 0x0800;
constexpr int64_t kEthernet = 14, kFcs = 4;
constexpr uint8_t kNotEct = 0, kCe = 3;

}  // namespace

IpPort::IpPort(Nic& nic, const TrafficClasses& classes, uint8_t default_priority, int64_t mtu,
               int64_t first_window)
    : nic_(nic), first_window_(first_window) {
  priorities_.fill(default_priority);
  for (const TrafficClass& c : classes) {
    if (!c.name.empty()) priorities_[c.dscp & 63] = c.priority;
  }
  // Half of the limit keeps the wires busy while the stack fetches more packets.
  Port& port = nic.port();
  limit_ = nic.port_count() *
           (4 * (mtu + kEthernet + kFcs) + 2 * BytesIn(nic.constants().tx_latency, port.rate()).v);
  queues_ = ns3::CreateObjectWithAttributes<ns3::NetDeviceQueueInterface>("NTxQueues",
                                                                          ns3::UintegerValue(kPriorities));
  queues_->SetSelectQueueCallback([this](ns3::Ptr<ns3::QueueItem> item) -> size_t {
    uint8_t tos = 0;
    item->GetUint8Value(ns3::QueueItem::IP_DSFIELD, tos);
    return PriorityOf(tos);
  });
  port.SetMtu(static_cast<uint16_t>(mtu));
  port.AggregateObject(queues_);
  port.SetForeign(this);
}

IpPort::~IpPort() { nic_.port().SetForeign(nullptr); }

bool IpPort::Send(ns3::Ptr<ns3::Packet> packet, uint16_t protocol) {
  if (protocol != kIpv4) return false;
  const PacketFields fields = FieldsOf(*packet);
  const NodeId to = HostOfIpAddress(fields.destination);
  if (to >= nic_.constants().hosts) return false;
  const FrameFormat& format = nic_.constants().frames;
  FramePool& pool = nic_.pool();
  Frame* f = pool.Take();
  f->kind = FrameKind::foreign;
  f->src = nic_.host();
  f->dst = to;
  f->bytes = static_cast<uint32_t>(std::max(format.min, kEthernet + packet->GetSize() + kFcs));
  f->priority = PriorityOf(fields.tos);
  f->foreign.ect = (fields.tos & 3) != kNotEct;
  f->ce = (fields.tos & 3) == kCe;
  if (fields.sequence && *fields.sequence <= first_window_) f->foreign.first_window = true;
  f->flow_hash = fields.FlowHash();
  pool.Attach(*f).packet = packet;
  int64_t& waiting = waiting_[f->priority];
  waiting += f->bytes;
  if (waiting >= limit_) queues_->GetTxQueue(f->priority)->Stop();
  nic_.SendForeign(f);
  return true;
}

void IpPort::Left(const Frame& frame) {
  int64_t& waiting = waiting_[frame.priority];
  waiting -= frame.bytes;
  const ns3::Ptr<ns3::NetDeviceQueue> queue = queues_->GetTxQueue(frame.priority);
  // ns-3 fetches packets in a separate event, not from within the port's choice.
  if (waiting <= limit_ / 2 && queue->IsStopped()) queue->Wake();
}

void IpPort::Receive(const Frame& frame) {
  ns3::Ptr<ns3::Packet> packet = nic_.pool().ExtensionOf(frame)->packet;
  if (frame.ce) {
    packet = packet->Copy();
    ns3::Ipv4Header header;
    packet->RemoveHeader(header);
    header.SetEcn(ns3::Ipv4Header::ECN_CE);
    if (ns3::Node::ChecksumEnabled()) header.EnableChecksum();
    packet->AddHeader(header);
  }
  nic_.port().HandUp(packet, kIpv4);
}

}  // namespace headroom
