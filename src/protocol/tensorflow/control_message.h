// Messages of TensorFlow's verbs between two processes. Each is a WRITE_WITH_IMM:
//
//   message                                                 bytes   immediate data
//   TENSOR_REQUEST, META_DATA_UPDATE, TENSOR_RE_REQUEST     583     0xFFFFFFFF
//   acknowledgement of one of these                         0       0xFFFFFFFE
//   a tensor                                                its own the index of its request
//
// A control message has the same length for all tensor names:
//
//   type 0 (4 B), name_size 4 (2 B), name 6 (512 B), step_id 518 (8 B), request_index 526 (8 B),
//   remote_addr 534 (8 B), rkey 542 (4 B), is_dead 546 (1 B), data_type 547 (4 B), tensor_shape 551 (24 B),
//   tensor_bytes 575 (8 B)
//
// Source: tensorflow/networking at 671e2548, tensorflow_networking/verbs/rdma.h. Numbers are in host order,
// little-endian here. Not modelled: ERROR_STATUS, and dead tensors (is_dead is 0).
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace headroom {

/// The name of a tensor: the key of its rendezvous, which is text in TensorFlow. The sending end derives the
/// tensor from its name.
struct TensorName {
  uint32_t graph = 0;   ///< number of the workload
  uint32_t tensor = 0;  ///< number of the tensor in its graph
  bool gradient = false;
  auto operator<=>(const TensorName&) const = default;
};

/// A receiver's knowledge of a tensor, needed to allocate memory for it.
struct TensorMetadata {
  uint64_t shape = 0;  ///< changes when the tensor is reshaped
  uint64_t bytes = 0;
  bool operator==(const TensorMetadata&) const = default;
};

struct ControlMessage {
  static constexpr uint32_t kBytes = 583;
  static constexpr uint32_t kMessage = 0xFFFFFFFF, kAck = 0xFFFFFFFE;  ///< immediate data
  static constexpr uint32_t kIndices = 0xFFFFFFFE;                     ///< indices of requests are below this
  using Image = std::array<uint8_t, kBytes>;

  enum class Type : uint32_t { meta_data_update, tensor_re_request, tensor_request };
  Type type = Type::tensor_request;
  TensorName name;
  TensorMetadata tensor;  ///< the tensor at the sender; derived from the name
  uint64_t request = 0;
  uint64_t address = 0;  ///< place for the tensor; 0 and no key: the receiver does not know its metadata
  uint32_t rkey = 0;
  TensorMetadata metadata;  ///< metadata that the receiver has, or must learn

  void Put(Image& image) const;
  static ControlMessage At(const Image& image);
};

}  // namespace headroom
