#include "net/frame_carrier.h"

#include <ns3/tag-buffer.h>
#include <ns3/tag.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

namespace headroom {

namespace {

/// Whether a frame has these parts of an extension.
struct Has {
  bool itinerary = false, feedback = false, records = false, packet = false, rest = false;
};

template <class P>
void Fields(P& pack, Itinerary& i) {
  pack(i.message, i.back, i.sent, i.mark, i.nic, i.directions, i.waits);
}

template <class P>
void Fields(P& pack, FrameExtension& e) {
  pack(e.address, e.length, e.psn, e.key, e.immediate, e.queue_key, e.source_qp, e.sequence, e.offset,
       e.arrived, e.receive, e.cause, e.context, e.transfer, e.index, e.all, e.damaged, e.payload);
}

std::vector<std::byte> RecordsOf(const Feedback& f) {
  const std::byte* const first = f.records->bytes.data();
  return {first, first + size_t{f.count} * f.record_bytes};
}

/// A packet's byte tags, which ns-3's own form of a packet lacks.
struct ByteTag {
  std::string type;
  uint32_t start = 0, end = 0;
  std::vector<uint8_t> bytes;
  template <class P>
  void Pack(P& pack) {
    pack(type, start, end, bytes);
  }
  ns3::TagBuffer buffer() { return {bytes.data(), bytes.data() + bytes.size()}; }
};

std::unique_ptr<ns3::Tag> MakeTag(ns3::TypeId type) {
  std::unique_ptr<ns3::ObjectBase> made(type.GetConstructor()());
  auto* const tag = dynamic_cast<ns3::Tag*>(made.get());
  if (tag == nullptr) throw std::logic_error(type.GetName() + " is no tag of ns-3");
  std::ignore = made.release();
  return std::unique_ptr<ns3::Tag>(tag);
}

std::vector<ByteTag> TagsOf(const ns3::Packet& packet) {
  std::vector<ByteTag> tags;
  for (auto at = packet.GetByteTagIterator(); at.HasNext();) {
    const ns3::ByteTagIterator::Item item = at.Next();
    const auto value = MakeTag(item.GetTypeId());
    item.GetTag(*value);
    ByteTag& tag = tags.emplace_back();
    tag.type = item.GetTypeId().GetName();
    tag.start = item.GetStart();
    tag.end = item.GetEnd();
    tag.bytes.resize(value->GetSerializedSize());
    value->Serialize(tag.buffer());
  }
  return tags;
}

void PackPacket(const ns3::Packet& packet, Packer& to) {
  std::vector<uint8_t> bytes(packet.GetSerializedSize());
  if (packet.Serialize(bytes.data(), static_cast<uint32_t>(bytes.size())) == 0)
    throw std::logic_error("a packet of ns-3 has no form for another process");
  std::vector<ByteTag> tags = TagsOf(packet);
  to(bytes, tags);
}

ns3::Ptr<ns3::Packet> UnpackPacket(Unpacker& from) {
  std::vector<uint8_t> bytes;
  std::vector<ByteTag> tags;
  from(bytes, tags);
  auto packet = ns3::Create<ns3::Packet>(bytes.data(), static_cast<uint32_t>(bytes.size()), true);
  for (ByteTag& tag : tags) {
    const auto value = MakeTag(ns3::TypeId::LookupByName(tag.type));
    value->Deserialize(tag.buffer());
    packet->AddByteTag(*value, tag.start, tag.end);
  }
  return packet;
}

}  // namespace

void FrameCarrier::Pack(const TimedEvent& event, Packer& to) {
  auto* frame = reinterpret_cast<Frame*>(event.arg);
  Time at = event.time;
  uint64_t order = event.order;
  to(at, order, *frame);
  if (frame->extension != ExtensionId::none) PackExtension(*frame, to);
  pool_.GiveCrossing(frame);
}

void FrameCarrier::PackExtension(Frame& frame, Packer& to) {
  FrameExtension& e = *pool_.ExtensionOf(frame);
  Has has{e.itinerary != nullptr, e.has_feedback, e.feedback.records != nullptr, e.packet != nullptr,
          !e.bare};
  to(has);
  if (has.itinerary) Fields(to, *e.itinerary);
  if (has.feedback) to(e.feedback);
  if (has.records) {
    std::vector<std::byte> records = RecordsOf(e.feedback);
    to(records);
  }
  if (has.rest) Fields(to, e);
  if (has.packet) PackPacket(*e.packet, to);
}

TimedEvent FrameCarrier::Unpack(Unpacker& from) {
  Frame* frame = pool_.TakeCrossing();
  Time at;
  uint64_t order = 0;
  from(at, order, *frame);
  frame->next = nullptr;
  if (frame->extension != ExtensionId::none) {
    frame->extension = ExtensionId::none;
    UnpackExtension(*frame, from);
  }
  const EntityId end = TimedEvent::EntityOf(order) - first_port_;
  return links_[end / 2]->ArrivalFromAway(static_cast<int>(end % 2), at, order, frame);
}

void FrameCarrier::UnpackExtension(Frame& frame, Unpacker& from) {
  Has has;
  from(has);
  if (has.itinerary) Fields(from, pool_.BeginItinerary(frame));
  if (has.feedback) {
    Feedback sent;
    from(sent);
    Feedback& feedback = pool_.BeginFeedback(frame, has.records ? sent.room : 0, sent.kind);
    sent.records = feedback.records;
    feedback = sent;
    if (has.records) {
      std::vector<std::byte> records;
      from(records);
      std::ranges::copy(records, feedback.records->bytes.begin());
    }
  }
  if (has.rest) Fields(from, pool_.Extend(frame));
  if (has.packet) pool_.Extend(frame).packet = UnpackPacket(from);
}

}  // namespace headroom
