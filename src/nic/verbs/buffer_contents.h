// The content of a region's buffers, for regions in which few buffers hold data at the same time: RECVs that
// wait for messages. A buffer has memory from its first use until the program releases it.
//
// Phase: the program makes it before it registers the region, and releases buffers at any time. The NIC and
// the program call At, in events of the run. No call fails.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom {

class BufferContents {
 public:
  /// `bytes`: the content of a buffer. `spare`: pieces of memory that stay for later data.
  BufferContents(uint32_t buffers, uint32_t bytes, uint32_t spare);

  /// The content of a buffer. It is undefined until data are written there, by the NIC or by the program.
  uint8_t* At(uint32_t buffer) {
    const std::unique_ptr<uint8_t[]>& piece = pieces_[buffer];
    return piece != nullptr ? piece.get() : Fill(buffer);
  }
  /// The program no longer needs the data. Has no effect if there are none.
  void Release(uint32_t buffer);
  uint32_t buffers() const { return static_cast<uint32_t>(pieces_.size()); }
  uint32_t bytes() const { return bytes_; }
  /// Number of buffers that have memory.
  uint32_t filled() const { return filled_; }

 private:
  uint8_t* Fill(uint32_t buffer);

  const uint32_t bytes_, spare_;
  uint32_t filled_ = 0;
  std::vector<std::unique_ptr<uint8_t[]>> pieces_;  ///< by buffer; null: no data
  std::vector<std::unique_ptr<uint8_t[]>> free_;
};

}  // namespace headroom
