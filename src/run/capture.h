// Captures of the frames that pass ports, as files for Wireshark.
//
// Format: libpcap's with nanosecond times, link type Ethernet, without FCS. A sent frame is recorded at the
// start of its transmission, a received one at its last bit.
#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "run/network.h"
#include "run/wire_image.h"

namespace headroom {

class Captures {
 public:
  /// Captures at every port that one of `patterns` (NODE or NODE:PORT) matches, into `dir`/NODE-PORT.pcap.
  /// Throws ResultError if a file cannot be written. REQUIRES: CheckCaptures has passed.
  Captures(const std::vector<std::string>& patterns, const std::filesystem::path& dir, Network& network,
           std::function<int64_t(uint32_t)> bytes_of);
  ~Captures();

  /// Writes the rest of the buffers. Throws ResultError.
  void Close();

 private:
  struct File;
  void OnFrame(std::string file, const Port& port, const Frame& frame);
  void OnReceived(std::string file, const Port& port, const Frame& frame);
  void Write(File& file, const Frame& frame, NodeId from, uint16_t port);

  Network& network_;
  WireImage image_;
  std::deque<File> files_;
};

/// Throws std::invalid_argument if a pattern matches no port, or if the scenario's frames are not RoCEv2's.
void CheckCaptures(const std::vector<std::string>& patterns, const Scenario& scenario);

}  // namespace headroom
