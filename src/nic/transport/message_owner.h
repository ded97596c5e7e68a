// The owner of the messages that a requester sends and a responder receives. The owner is either a program,
// which posts work requests and RECVs into its memory, or bulk, which has neither. Bulk reports only a
// message's beginning and end.
#pragma once

#include <cstdint>
#include <string>

#include "net/frame.h"
#include "nic/transport/send_request.h"
#include "nic/transport/wc_status.h"

namespace headroom {

class Requester;

class MessageOwner {
 public:
  // Calls for sent messages. `index`: place of the request in the send queue.
  /// Whether a request may begin; false: the queue pair has failed because of it.
  virtual bool Begins(Requester& r, const SendRequest& request, uint32_t index) = 0;
  /// A step begins; returns its duration.
  virtual Time StepTakes(Requester& r, uint32_t index) = 0;
  /// Executes the step; false: the queue pair has failed because of it.
  virtual bool TakeStep(Requester& r, uint32_t index) = 0;
  /// The oldest request is done, and has left the queue.
  virtual void Completed(Requester& r, const SendRequest& request) = 0;
  /// The queue pair has failed because of its oldest request, or (wr_flush_err) because of a frame from its
  /// peer.
  virtual void Failed(Requester& r, WcStatus status, const std::string& why) = 0;

  // Calls only for messages without a number.
  /// A frame was made: adds its addresses, and its payload if that has content.
  virtual void Dress(Requester&, Frame&, const SendRequest&, uint32_t /*index*/) {}
  /// The request of a READ was made, from this byte on: adds its address.
  virtual void DressRead(FrameExtension&, uint32_t /*index*/, uint64_t /*offset*/) {}
  /// A request for a context was made: adds the address and the size of its message.
  virtual void DressAsk(FrameExtension&, uint32_t /*index*/) {}
  /// The transmission of such a frame starts.
  virtual void Started(Requester&, const Frame&, uint32_t /*index*/) {}
  /// Frames that UC and UD sent may have left.
  virtual void MayBeOut(Requester&) {}
  /// A response to a READ has arrived; `offset`: position of its first byte.
  virtual void TakeResponse(const Frame&, uint32_t /*index*/, uint64_t /*offset*/) {}

  // Calls for arriving messages without a number. Returns 0, or the syndrome of the NAK that RC answers with.
  virtual uint8_t Take(const Frame&) { return 0; }
  /// Handles a packet whose payload Place has already taken.
  virtual uint8_t TakePlaced(const Frame&) { return 0; }
  /// A packet arrives before its turn: its payload goes to its place, without a notification. Returns false
  /// if it has no place yet.
  virtual bool Place(const Frame&) { return true; }
  virtual uint8_t CheckRead(const Frame&) const { return 0; }
  /// Whether a message that uses this RECV may arrive: 0, or the syndrome of the refusal.
  virtual uint8_t Admits(uint32_t /*receive*/) { return 0; }
  virtual void TakeDatagram(const Frame&) {}
  /// A response to a READ was made, with `bytes` from an address on: adds its payload if that has content.
  virtual void DressResponse(Frame&, uint32_t /*key*/, uint64_t /*address*/, uint64_t /*bytes*/) const {}

 protected:
  ~MessageOwner() = default;
};

}  // namespace headroom
