#include "run/capture.h"

#include <fmt/format.h>
#include <ns3/callback.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "files/staged_directory.h"
#include "scenario/yaml/pattern.h"

namespace headroom {

struct Captures::File {
  std::filesystem::path path;
  std::FILE* stream = nullptr;
  NodeId node = 0, peer = 0;
  uint16_t port = 0, peer_port = 0;

  [[noreturn]] void Fail() const {
    throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(errno)));
  }
  void Put(const void* data, size_t size) {
    if (std::fwrite(data, 1, size, stream) != size) Fail();
  }
};

void CheckCaptures(const std::vector<std::string>& patterns, const Scenario& scenario) {
  if (patterns.empty()) return;
  if (!(scenario.frames.InOrder() == FrameFormat{}))
    throw std::invalid_argument("--pcap writes RoCEv2; this scenario has `frames` of its own");
  for (const std::string& pattern : patterns) {
    const auto matches = [&](const LinkEnd& end) {
      return MatchesPort(pattern, scenario.topology.nodes[end.node].name, end.port);
    };
    const auto& links = scenario.topology.links;
    if (std::none_of(links.begin(), links.end(), [&](const auto& l) { return matches(l.a) || matches(l.b); }))
      throw std::invalid_argument(
          fmt::format("--pcap {}: no port matches; allowed: NODE or NODE:PORT, with * and ?", pattern));
  }
}

Captures::Captures(const std::vector<std::string>& patterns, const std::filesystem::path& dir,
                   Network& network, std::function<int64_t(uint32_t)> bytes_of)
    : network_(network),
      image_(network.scenario().classes, network.scenario().mtu, network.scenario().frames,
             std::move(bytes_of), [this](NodeId sender) {
               const NicParameters& nic = network_.scenario().nics[sender];
               return nic.HasControl() ? nic.control->telemetry() : nullptr;
             }) {
  if (!patterns.empty()) network.pool().SetCaptured();
  const Topology& topology = network.scenario().topology;
  std::vector<uint16_t> next(topology.nodes.size(), 0);
  for (const TopologyLink& link : topology.links) {
    const uint16_t index[] = {next[link.a.node]++, next[link.b.node]++};
    for (const int side : {0, 1}) {
      const LinkEnd& end = side == 0 ? link.a : link.b;
      const std::string& node = topology.nodes[end.node].name;
      if (!MatchesPort(patterns, node, end.port)) continue;
      File& file = files_.emplace_back();
      file.path = dir / fmt::format("{}-{}.pcap", NameWithoutSlash(node), end.port);
      file.node = end.node;
      file.port = index[side];
      file.peer = side == 0 ? link.b.node : link.a.node;
      file.peer_port = index[1 - side];
      std::error_code error;
      std::filesystem::create_directories(dir, error);
      file.stream = std::fopen(file.path.c_str(), "wb");
      if (file.stream == nullptr) file.Fail();
      struct {
        uint32_t magic = 0xA1B23C4D;  // times are nanoseconds, numbers in this machine's byte order
        uint16_t major = 2, minor = 4;
        uint32_t zone = 0, accuracy = 0, longest = 65535, ethernet = 1;
      } constexpr header;
      file.Put(&header, sizeof header);
      Port& port = *network.ports()[end.node][index[side]];
      const std::string number = std::to_string(files_.size() - 1);
      port.TraceConnect("Transmit", number, ns3::MakeCallback(&Captures::OnFrame, this));
      port.TraceConnect("Receive", number, ns3::MakeCallback(&Captures::OnReceived, this));
    }
  }
}

Captures::~Captures() {
  for (File& file : files_) {
    if (file.stream != nullptr) std::fclose(file.stream);
  }
}

void Captures::OnFrame(std::string file, const Port&, const Frame& frame) {
  File& f = files_[std::stoul(file)];
  Write(f, frame, f.node, f.port);
}

void Captures::OnReceived(std::string file, const Port&, const Frame& frame) {
  File& f = files_[std::stoul(file)];
  Write(f, frame, f.peer, f.peer_port);
}

void Captures::Write(File& file, const Frame& frame, NodeId from, uint16_t port) {
  const std::vector<uint8_t>& bytes = image_.Of(frame, network_.pool().ExtensionOf(frame), from, port);
  const int64_t ns = EventQueue::Get().now().v / 1000;
  constexpr int64_t kSecond = 1'000'000'000;
  const uint32_t header[] = {static_cast<uint32_t>(ns / kSecond), static_cast<uint32_t>(ns % kSecond),
                             static_cast<uint32_t>(bytes.size()), static_cast<uint32_t>(bytes.size())};
  file.Put(header, sizeof header);
  file.Put(bytes.data(), bytes.size());
}

void Captures::Close() {
  for (File& file : files_) {
    std::FILE* stream = file.stream;
    file.stream = nullptr;
    if (std::fclose(stream) != 0) file.Fail();
  }
}

}  // namespace headroom
