#include "protocol/tensorflow/control_message.h"

#include "protocol/little_endian.h"

namespace headroom {

namespace {

constexpr size_t kName = 6, kRequest = 526, kShape = 551, kTensorBytes = 575;
constexpr uint16_t kNameBytes = 4 + 4 + 1 + 8 + 8;

}  // namespace

void ControlMessage::Put(Image& image) const {
  image.fill(0);
  PutNumber(PutNumber(image.data(), static_cast<uint32_t>(type)), kNameBytes);
  uint8_t* to = image.data() + kName;
  to = PutNumber(PutNumber(to, name.graph), name.tensor);
  to = PutNumber(to, static_cast<uint8_t>(name.gradient));
  PutNumber(PutNumber(to, tensor.shape), tensor.bytes);
  PutNumber(PutNumber(PutNumber(image.data() + kRequest, request), address), rkey);
  PutNumber(image.data() + kShape, metadata.shape);
  PutNumber(image.data() + kTensorBytes, metadata.bytes);
}

ControlMessage ControlMessage::At(const Image& image) {
  ControlMessage m;
  uint32_t type = 0;
  uint8_t gradient = 0;
  GetNumber(image.data(), type);
  m.type = static_cast<Type>(type);
  const uint8_t* from = image.data() + kName;
  from = GetNumber(GetNumber(from, m.name.graph), m.name.tensor);
  from = GetNumber(from, gradient);
  m.name.gradient = gradient != 0;
  GetNumber(GetNumber(from, m.tensor.shape), m.tensor.bytes);
  GetNumber(GetNumber(GetNumber(image.data() + kRequest, m.request), m.address), m.rkey);
  GetNumber(image.data() + kShape, m.metadata.shape);
  GetNumber(image.data() + kTensorBytes, m.metadata.bytes);
  return m;
}

}  // namespace headroom
