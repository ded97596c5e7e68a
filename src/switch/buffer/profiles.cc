#include "switch/buffer/profiles.h"

#include <fnmatch.h>

#include <algorithm>

#include "switch/buffer/profiles_azure.h"

namespace headroom {

std::optional<BufferParameters> FindBufferProfile(std::string_view name) {
  if (name == "azure-24mb") return Azure24MbBuffer();
  if (name == "azure-deep") return AzureDeepBuffer();
  if (name == "azure-deep-hub") return AzureDeepHubBuffer();
  if (name == "hpcc") return HpccBuffer(Kibibytes(32 * 1024));
  return std::nullopt;
}

std::vector<std::string> BufferProfileNames() {
  return {"azure-24mb", "azure-deep", "azure-deep-hub", "hpcc"};
}

BufferParameters HpccBuffer(Bytes size) {
  using Pool = BufferPool;
  BufferParameters b;
  b.profile = "hpcc";
  b.source = "alibaba-edu/High-Precision-Congestion-Control, switch memory management";
  b.size = size;
  b.pools = {Pool{"ingress_pool", Pool::Type::ingress, Pool::Mode::dynamic, size, Bytes()},
             Pool{"egress_pool", Pool::Type::egress, Pool::Mode::fixed, size, Bytes()}};
  BufferProfile lossless{"ingress_lossless", "ingress_pool", Kibibytes(4), -3, {},
                         Bytes(0),           Bytes(),        Kibibytes(3)};
  BufferProfile lossy{"ingress_lossy", "ingress_pool", Bytes(), {}, size, {}, Bytes(), Bytes()};
  BufferProfile egress{"egress", "egress_pool", Bytes(), {}, size, {}, Bytes(), Bytes()};
  b.profiles = {lossless, lossy, egress};
  b.lossless_group = lossless.name;
  b.lossy_group = lossy.name;
  b.lossless_queue = b.lossy_queue = egress.name;
  b.by_speed = HpccSpeeds(GigabitsPerSecond(100));
  b.rules = {.headroom_per_packet = true, .headroom_from_link = true};
  return b;
}

std::vector<SpeedRow> HpccSpeeds(Rate host) {
  std::vector<SpeedRow> rows;
  for (const int halvings : {1, 2, 3})
    rows.push_back({Rate((host.v << (halvings - 1)) + 1), halvings - 3, Kibibytes(3)});
  return rows;
}

const HeadroomRow* FindHeadroomRow(const BufferParameters& buffer, Rate speed, Time delay) {
  const HeadroomRow* best = nullptr;
  for (const HeadroomRow& row : buffer.headroom) {
    if (row.speed != speed || Nanoseconds(5) * row.cable_m < delay) continue;
    if (best == nullptr || row.cable_m < best->cable_m) best = &row;
  }
  return best;
}

std::string AssignedProfile(const std::vector<BufferAssignment>& assignments, const std::string& port,
                            int number) {
  std::string name;
  for (const BufferAssignment& a : assignments) {
    if (number >= a.first_priority && number <= a.last_priority &&
        fnmatch(a.ports.c_str(), port.c_str(), 0) == 0) {
      name = a.profile;
    }
  }
  return name;
}

std::string GroupProfileName(const BufferParameters& buffer, const std::string& port, int group,
                             bool lossless) {
  const std::string name = AssignedProfile(buffer.groups, port, group);
  if (!name.empty()) return name;
  return lossless ? buffer.lossless_group : buffer.lossy_group;
}

std::string QueueProfileName(const BufferParameters& buffer, const std::string& port, int queue,
                             bool lossless) {
  const std::string name = AssignedProfile(buffer.queues, port, queue);
  if (!name.empty()) return name;
  return lossless ? buffer.lossless_queue : buffer.lossy_queue;
}

const PortProfiles* FindPortProfiles(const std::vector<PortProfiles>& lists, const std::string& port) {
  const PortProfiles* last = nullptr;
  for (const PortProfiles& list : lists) {
    if (fnmatch(list.ports.c_str(), port.c_str(), 0) == 0) last = &list;
  }
  return last;
}

const BufferProfile* FindProfile(const BufferParameters& buffer, const std::string& name) {
  for (const BufferProfile& p : buffer.profiles) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

BufferProfile ProfileAtPort(const BufferParameters& buffer, const BufferProfile& profile, Rate speed,
                            Time delay) {
  if (!profile.xoff) return profile;
  BufferProfile at_port = profile;
  if (!profile.own.xoff) {
    if (buffer.rules.headroom_from_link) {
      at_port.xoff = BytesIn(delay, speed) * 3;
    } else if (const HeadroomRow* row = FindHeadroomRow(buffer, speed, delay)) {
      at_port.xoff = row->xoff;
    }
  }
  for (const SpeedRow& row : buffer.by_speed) {
    if (row.from > speed) break;
    if (!profile.own.threshold) {
      at_port.dynamic_th = row.dynamic_th;
      at_port.static_th.reset();
      at_port.alpha.reset();
    }
    if (!profile.own.xon_offset) at_port.xon_offset = row.xon_offset;
  }
  return at_port;
}

}  // namespace headroom
