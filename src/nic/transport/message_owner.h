// Whose messages a requester sends and a responder takes. Either a program's, which posts work requests and
// RECVs into its memory, or bulk's, which have neither. Bulk reports only a message's beginning and end.
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
  // Of what is sent. `index`: of the request in the send queue.
  /// Whether a request may begin; false: the queue pair has failed over it.
  virtual bool Begins(Requester& r, const SendRequest& request, uint32_t index) = 0;
  /// A step begins: how long it takes.
  virtual Time StepTakes(Requester& r, uint32_t index) = 0;
  /// It is taken; false: the queue pair has failed over it.
  virtual bool TakeStep(Requester& r, uint32_t index) = 0;
  /// The oldest request is done, and has left the queue.
  virtual void Completed(Requester& r, const SendRequest& request) = 0;
  /// The queue pair has failed over its oldest request, or (wr_flush_err) over what its peer sent.
  virtual void Failed(Requester& r, WcStatus status, const std::string& why) = 0;

  // Of messages without a number alone.
  /// A frame was made: it gets its addresses, and its payload where that has content.
  virtual void Dress(Requester&, Frame&, const SendRequest&, uint32_t /*index*/) {}
  /// The request of a READ was made, from this byte on: it gets its address.
  virtual void DressRead(FrameExtension&, uint32_t /*index*/, uint64_t /*offset*/) {}
  /// A request for a context was made: it gets the address and the size of its message.
  virtual void DressAsk(FrameExtension&, uint32_t /*index*/) {}
  /// The transmission of such a frame starts.
  virtual void Started(Requester&, const Frame&, uint32_t /*index*/) {}
  /// What UC and UD sent may be out.
  virtual void MayBeOut(Requester&) {}
  /// A response to a READ has arrived; `offset`: of its first byte.
  virtual void TakeResponse(const Frame&, uint32_t /*index*/, uint64_t /*offset*/) {}

  // Of arriving messages without a number. 0, or the syndrome of the NAK that RC answers with.
  virtual uint8_t Take(const Frame&) { return 0; }
  /// The same of a packet whose payload Place has taken.
  virtual uint8_t TakePlaced(const Frame&) { return 0; }
  /// A packet comes before its turn: its payload goes to its place, without a notice. False: it has no place
  /// yet.
  virtual bool Place(const Frame&) { return true; }
  virtual uint8_t CheckRead(const Frame&) const { return 0; }
  /// Whether a message that takes this RECV may come in: 0, or the syndrome of the refusal.
  virtual uint8_t Admits(uint32_t /*receive*/) { return 0; }
  virtual void TakeDatagram(const Frame&) {}
  /// A response to a READ was made, of so many bytes from an address on: it gets its payload where that has
  /// content.
  virtual void DressResponse(Frame&, uint32_t /*key*/, uint64_t /*address*/, uint64_t /*bytes*/) const {}

 protected:
  ~MessageOwner() = default;
};

}  // namespace headroom
