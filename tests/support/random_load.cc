// Part of RandomScenarioText: services, and the workloads that use them or send messages.
#include "support/random_parts.h"

namespace headroom {

namespace {

using Names = std::vector<std::string>;

/// The hosts from the `first`-th on, at most `most` of them.
Names Slice(const Names& hosts, size_t first, size_t most) {
  const size_t end = std::min(hosts.size(), first + most);
  return {hosts.begin() + static_cast<std::ptrdiff_t>(std::min(first, end)),
          hosts.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::string Leg(RandomDraft& r, const std::string& protocol) {
  Dice& d = r.d;
  std::string text = "{protocol: " + protocol;
  if (protocol == "tcp") {
    if (d.OneIn(2)) text += ", connections: " + std::to_string(d.Between(1, 3));
    if (d.OneIn(3)) text += ", congestion: " + d.Text({"cubic", "dctcp"});
  } else {
    if (d.OneIn(2)) text += ", priority: " + r.LosslessClass();
    if (d.OneIn(3)) text += ", credits: " + std::to_string(d.Between(2, 32));
    if (protocol == "su_rdma" && d.OneIn(2)) text += ", chunk: " + d.Text({"4KiB", "16KiB", "64KiB"});
    if (protocol == "su_rdma" && d.OneIn(4)) text += ", landings: " + std::to_string(d.Between(1, 4));
  }
  if (d.OneIn(4)) text += ", crc: " + d.Text({"true", "false"});
  return text + "}";
}

std::string Disk(Dice& d) {
  if (d.OneIn(4)) return "{device: " + d.Text({"nvme-tlc", "optane"}) + "}";
  std::string text = d.OneIn(3) ? fmt::format("{{read: {{median: {}us, p99: 30us}}", d.Between(1, 10))
                                : fmt::format("{{read: {}us", d.Between(0, 10));
  text += fmt::format(", write: {}us", d.Between(0, 10));
  if (d.OneIn(3)) text += ", iops: 500000";
  if (d.OneIn(3)) text += ", bandwidth: {read: 40Gbps, write: 20Gbps}";
  return text + "}";
}

/// Moves between the protocol of both legs and another one.
std::string Failover(RandomDraft& r, const std::string& front, const std::string& back) {
  Names others;
  for (const char* protocol : {"sk_rdma", "su_rdma", "tcp"})
    if (protocol != front && protocol != back) others.push_back(protocol);
  std::string text =
      fmt::format(", failover: {{to: {}, every: {}us, fraction: {}%", Leg(r, r.d.OneOf(others)),
                  r.d.Between(5, 50), r.d.OneOf<int64_t>({10, 50, 100}));
  if (r.d.OneIn(2))
    text += fmt::format(", detect: {}us, back: {}us", r.d.Between(100, 900), r.d.Between(0, 100));
  if (r.d.OneIn(2))
    text += fmt::format(", schedule: [{{at: {}us, share: 100%}}, {{at: {}us, share: 0}}]",
                        r.d.Between(0, r.duration_us / 2), r.d.Between(r.duration_us / 2 + 1, r.duration_us));
  return text + "}";
}

std::string Storage(RandomDraft& r) {
  Dice& d = r.d;
  const Names& hosts = r.network.hosts;
  const auto compute =
      static_cast<size_t>(d.Between(1, std::min<int64_t>(3, static_cast<int64_t>(hosts.size()) - 1)));
  const Names nodes = Slice(hosts, compute, static_cast<size_t>(d.Between(1, 6)));
  const std::string front = d.Text({"sk_rdma", "su_rdma", "tcp"});
  const std::string back = d.OneIn(2) ? "" : d.Text({"sk_rdma", "su_rdma", "tcp"});
  r.storage.push_back("store");
  r.extent_node = nodes[0];
  std::string text =
      fmt::format("{{name: store, type: storage, compute: {}, extent_nodes: {}, front: {}, disk: {}",
                  ListText(Slice(hosts, 0, compute)), ListText(nodes), Leg(r, front), Disk(d));
  r.small_disks = d.OneIn(2);
  r.back_leg = !back.empty();
  if (r.small_disks) text += ", disk_size: 64MiB, extent: 4MiB";
  if (!back.empty()) {
    text += fmt::format(", back: {}, replicas: {}", Leg(r, back),
                        d.Between(1, std::min<int64_t>(3, static_cast<int64_t>(nodes.size()))));
    if (d.OneIn(3)) text += ", partition_servers: " + nodes.back();
    if (d.OneIn(3)) text += ", front_ends: " + nodes.front();
    const bool coded = nodes.size() >= 4 && d.OneIn(2);
    if (coded)
      text += nodes.size() >= 6 ? ", erasure: {data: 4, local: 1, global: 1}"
                                : ", erasure: {data: 2, local: 1, global: 1}";
    if (d.OneIn(3))
      text += fmt::format(", background: {{gc: 1Gbps{}, piece: 64KiB}}", coded ? ", reencode: 1Gbps" : "");
    if (d.OneIn(3))
      text += fmt::format(", seal: {{after: {}us, takes: {}us}}", d.Between(100, 500), d.Between(10, 200));
    if (d.OneIn(3))
      text += ", placement: {across: " + d.Text({"host", "rack", "cluster", "datacenter"}) + "}";
    if (d.OneIn(3)) text += fmt::format(", hedge: {}us", d.Between(50, 500));
  }
  if (d.OneIn(3)) text += fmt::format(", timeout: {}us, retries: {}", d.Between(300, 1000), d.Between(0, 3));
  if (d.OneIn(3) && front != "tcp") text += Failover(r, front, back);
  return text + "}";
}

std::string Keys(RandomDraft& r) {
  Dice& d = r.d;
  const Names& hosts = r.network.hosts;
  const std::string type = d.Text({"herd", "herd", "pilaf", "farm", "farm_var", "echo"});
  r.tables.push_back(type);
  std::string text = fmt::format(
      "{{name: {}, type: {}, servers: {}, clients: {}, processes: {}, client_processes: {}, window: {}, "
      "priority: {}",
      type, type, hosts.back(), ListText(Slice(hosts, 0, static_cast<size_t>(d.Between(1, 3)))),
      d.Between(1, 3), d.Between(1, 2), d.Between(1, 6), r.LosslessClass());
  if (type != "herd" && type != "echo" && d.OneIn(2)) text += ", tables: true";
  if (type == "herd" && d.OneIn(2)) text += ", log: 1MiB, index_keys: 4096";
  if (type == "echo" && d.OneIn(2))
    text += ", request: {transport: " + d.Text({"rc", "uc"}) + "}, reply: {verb: send, transport: rc}";
  if (d.OneIn(3))
    text += fmt::format(", costs: {{post: {}ns, request: {}ns}}", d.Between(50, 500), d.Between(0, 500));
  if (d.OneIn(3)) text += fmt::format(", timeout: {}us, retries: {}", d.Between(100, 900), d.Between(0, 7));
  return text + "}";
}

std::string Connections(RandomDraft& r) {
  Dice& d = r.d;
  const Names& hosts = r.network.hosts;
  const std::string type = d.Text({"rdmavisor", "queue_pairs", "locked"});
  r.connections.push_back(type);
  const int64_t threads = d.Between(1, 3);
  std::string text = fmt::format(
      "{{name: {}, type: {}, clients: {}, servers: {}, connections: {}, threads: {}, priority: {}", type,
      type, hosts.front(), ListText(Slice(hosts, 1, static_cast<size_t>(d.Between(1, 2)))),
      d.Between(threads, 8), threads, r.LosslessClass());
  if (type == "locked") text += fmt::format(", share: {}", threads);
  if (type == "rdmavisor" && d.OneIn(2))
    text += fmt::format(", depth: {}, batch: {}", d.Between(8, 64), d.Between(1, 16));
  if (d.OneIn(3)) text += fmt::format(", applications: {}", d.Between(1, 2));
  return text + "}";
}

/// Draws with its own dice: the rest is drawn as without it.
std::string Training(RandomDraft& r, Dice& d) {
  const Names& hosts = r.network.hosts;
  const std::string type = d.Text({"tensorflow", "nccl"});
  r.training.push_back(type);
  std::string text =
      fmt::format("{{name: {}, type: {}, timeout: 6, priority: {}", type, type, d.OneOf(r.classes).name);
  if (type == "nccl")
    return text +
           fmt::format(", ranks: {}, channels: {}, group: {}, chunk: {}KiB, queue_pairs: {}, split: {}}}",
                       ListText(Slice(hosts, 0, static_cast<size_t>(d.Between(2, 4)))), d.Between(2, 4),
                       d.Between(1, 2), d.Between(1, 64), d.Between(1, 3), d.Text({"true", "false"}));
  return text + fmt::format(", workers: {}, parameter_servers: {}, copyable: {}, compute: {}us}}",
                            ListText(Slice(hosts, 1, static_cast<size_t>(d.Between(1, 2)))), hosts.front(),
                            d.Text({"true", "false"}), d.Between(0, 20));
}

std::string Addresses(Dice& d) {
  return d.Text({"", ", addresses: sequential", ", addresses: {zipf: 1.1}", ", addresses: {normal: 10%}",
                 ", addresses: {zones: [{ios: 80%, space: 20%}, {ios: 20%, space: 80%}]}"});
}

std::string IoWorkload(RandomDraft& r, const std::string& service) {
  Dice& d = r.d;
  if (r.kinds.files && !r.small_disks && d.OneIn(3)) {
    return d.OneIn(2)
               ? "type: fio, service: " + service +
                     ", file: scenarios/io-files/oltp.fio, time_scale: 1/500000"
               : "type: trace, service: " + service +
                     ", file: scenarios/io-files/web.csv, format: msr, time_scale: 1/10000, span: 200us";
  }
  std::string text = "type: io, service: " + service + ", blocks: " +
                     d.Text({"[{size: 4KiB}]", "[{size: 64KiB}]",
                             "[{size: 8KiB, share: 70%}, {size: 128KiB, share: 30%}]"}) +
                     fmt::format(", reads: {}%", d.OneOf<int64_t>({0, 50, 70, 100}));
  if (d.OneIn(2)) {
    text += fmt::format(", depth: {}", d.Between(1, 12));
    if (d.OneIn(3)) text += fmt::format(", think: {}us", d.Between(1, 20));
  } else {
    text += fmt::format(", rate: {}, arrival: {}", d.Between(10, r.kinds.overload ? 400 : 60) * 1000,
                        d.Text({"poisson", "even"}));
  }
  if (d.OneIn(3)) text += fmt::format(", start: {}us, stop: {}us", d.Between(0, 9), d.Between(30, 60));
  if (d.OneIn(4)) text += fmt::format(", ramp: {}us", d.Between(0, 9));
  return text + Addresses(d);
}

std::string KeyWorkload(RandomDraft& r, const std::string& service) {
  Dice& d = r.d;
  if (r.kinds.files && service != "echo" && d.OneIn(5))
    return "type: ycsb, service: " + service + ", file: scenarios/ycsb/workload" +
           d.Text({"a", "b", "c", "f"}) +
           ".properties, set: {recordcount: 1000, operationcount: 0, fieldcount: 1, fieldlength: 32}";
  std::string text = fmt::format("type: kv, service: {}, keys: {}, value: {}B", service, d.Between(100, 2000),
                                 d.OneOf<int64_t>({8, 32, 100, 300}));
  if (service != "echo") {
    text += fmt::format(", puts: {}%", d.OneOf<int64_t>({0, 5, 50}));
    text += ", distribution: " +
            d.Text({"uniform", "zipf", "zipfian", "latest", "hotspot", "sequential", "exponential"});
    if (d.OneIn(4)) text += ", read_modify_writes: 10%";
  }
  if (d.OneIn(3)) text += fmt::format(", rate: {}", d.Between(10, r.kinds.overload ? 3000 : 300) * 1000);
  if (d.OneIn(4)) text += fmt::format(", operations: {}", d.Between(1, 500));
  return text;
}

std::string TransferWorkload(RandomDraft& r, const std::string& service) {
  Dice& d = r.d;
  std::string text =
      fmt::format("type: transfers, service: {}, size: {}", service, d.Text({"64B", "2KiB", "16KiB"}));
  text += ", verb: " + d.Text({"read", "write", service == "rdmavisor" ? "auto" : "read"});
  if (d.OneIn(3))
    return text + fmt::format(", rate: {}", d.Between(10, r.kinds.overload ? 2000 : 200) * 1000);
  if (d.OneIn(2)) text += ", next: random";
  return text + fmt::format(", window: {}", d.Between(1, 4));
}

std::string TrainingWorkload(Dice d, const std::string& service) {
  if (service == "nccl")
    return fmt::format("type: send_receive, service: nccl, size: {}, late: {}us",
                       d.Text({"1B", "30KB", "200KB"}), d.Between(0, 1) * 10);
  return fmt::format(
      "type: tensors, service: tensorflow, every: {}us, tensors: [{{size: {}, count: {}, reshaped: {}}}]",
      d.Between(20, 200), d.Text({"1B", "4KiB", "70KB"}), d.Between(1, 4), d.Text({"0", "50%"}));
}

std::string Posting(RandomDraft& r) {
  Dice& d = r.d;
  const Names& hosts = r.network.hosts;
  const std::string transport = d.Text({"rc", "uc", "ud"});
  const auto signal_every = d.OneOf<int64_t>({1, 4});
  std::string text = fmt::format("type: verbs, from: {}, to: {}, priority: {}",
                                 ListText(Slice(hosts, 0, static_cast<size_t>(d.Between(1, 2)))),
                                 hosts.back(), r.ClassName());
  text += fmt::format(", transport: {}, verb: {}, message: {}, window: {}, signal_every: {}", transport,
                      transport == "ud"   ? "send"
                      : transport == "uc" ? d.Text({"write", "send"})
                                          : d.Text({"write", "send", "read"}),
                      d.Text({"16B", "64B", r.reads && transport == "rc" ? "9KB" : "200B"}),
                      d.OneOf<int64_t>({4, 8, 16}), signal_every);
  if (d.OneIn(2))
    text += fmt::format(", processes: {{from: {}, to: {}}}, next: {}", d.Between(1, 3), d.Between(1, 2),
                        signal_every == 1 ? d.Text({"turns", "random"}) : "turns");
  text += fmt::format(", cpu: {}ns", d.Between(300, 2000));
  if (d.OneIn(3) && text.find("verb: read") == std::string::npos)
    text += ", reply: {verb: " + d.Text({"write", "send"}) + ", transport: rc}";
  return text;
}

std::string MessageSizes(Dice& d) { return d.Text({"1B", "3KB", "64KiB", "200KB"}); }

std::string Messages(RandomDraft& r) {
  Dice& d = r.d;
  const Names& hosts = r.network.hosts;
  const auto kind = d.Between(0, 6);
  if (kind == 6 && !r.hpcc) return Posting(r);
  std::string text =
      "priority: " + r.ClassName() + ", verb: " +
      (r.hpcc    ? "write"
       : r.reads ? d.Text({"read", "read", "send", "read", "write", "write_with_imm"})
                 : d.Text({"write", "write", "send", "read", "write_with_imm", "send_with_imm"})) +
      d.Text({"", "", ", qp: per_message", ", qp: {per_pair: 3}"});
  if (Dice own = d; r.network.nics > 1 && own.OneIn(2))
    text += ", nic: " + own.Text({"rail", "hash", "round_robin", "1"});
  if (d.OneIn(8)) text += ", register: true";
  switch (kind) {
    case 0:
    case 1:
      text +=
          ", type: poisson, sizes: " +
          d.Text({"AliStorage2019", "GoogleRPC2008", "1000B", "16KiB", "100KB"}) +
          fmt::format(", load: {}%", r.kinds.overload && d.OneIn(4) ? d.Between(40, 120) : d.Between(1, 30));
      if (d.OneIn(3)) return text + ", from: " + ListText(d.Some(hosts, 1, 3));
      if (d.OneIn(3)) return text + ", to: " + ListText(d.Some(hosts, 2, 4));
      // A rack of a torus or of a custom network may have one host.
      if (r.network.type == "torus" || r.network.type == "custom") return text;
      return text + ", scope: " + d.Text({"rack", "cluster", "datacenter", "region"});
    case 2:
      text += fmt::format(
          ", type: incast, size: {}, to: {}, fan_in: {}, at: {}us", MessageSizes(d),
          d.OneIn(2) ? "\"*\"" : d.OneOf(hosts),
          d.OneIn(2) ? "all" : std::to_string(d.Between(1, static_cast<int64_t>(hosts.size()) - 1)),
          d.Between(0, 9));
      if (d.OneIn(2))
        text += fmt::format(", repeat: {{every: {}us, count: {}}}", d.Between(5, 40), d.Between(1, 4));
      return text;
    case 3:
      return text + ", type: permutation, size: " + MessageSizes(d) +
             fmt::format(", at: {}us", d.Between(0, 5));
    case 4:
      text += ", type: stream, from: " + hosts.front() +
              ", to: " + ListText(Slice(hosts, 1, static_cast<size_t>(d.Between(1, 3)))) +
              ", message: " + d.Text({"100B", "16KiB", "64KiB"}) +
              fmt::format(", in_flight: {}", d.Between(1, 8));
      if (d.OneIn(3)) text += fmt::format(", start: {}us, stop: {}us", d.Between(0, 9), d.Between(10, 50));
      return text;
    default:
      return text + fmt::format(
                        ", type: list, messages: [{{at: {}.5us, from: {}, to: {}, size: {}}}, {{from: {}, "
                        "to: {}, size: 70KB}}]",
                        d.Between(0, 15), hosts[0], hosts[1], MessageSizes(d), hosts[1], hosts.back());
  }
}

}  // namespace

std::string DrawServices(RandomDraft& r) {
  if (!r.kinds.services || r.hpcc) return "";
  std::string text;
  if (r.d.OneIn(2)) text += "  - " + Storage(r) + "\n";
  if (r.d.OneIn(3)) text += "  - " + Keys(r) + "\n";
  if (Dice own = r.d; own.OneIn(6)) text += "  - " + Training(r, own) + "\n";
  if (r.d.OneIn(4)) text += "  - " + Connections(r) + "\n";
  return text;
}

std::string DrawWorkloads(RandomDraft& r) {
  std::string text;
  int count = 0;
  const auto add = [&](const std::string& keys) {
    text += fmt::format("  - {{name: w{}, {}}}\n", count++, keys);
  };
  for (const std::string& service : r.storage)
    for (int64_t n = r.d.Between(1, 2); n > 0; --n) add(IoWorkload(r, service));
  for (const std::string& service : r.tables) add(KeyWorkload(r, service));
  for (const std::string& service : r.connections) add(TransferWorkload(r, service));
  for (const std::string& service : r.training) add(TrainingWorkload(r.d, service));
  if (r.hpcc) add("type: hpcc, file: tests/scenario/good/hpcc-flows.txt, priority: storage");
  if (r.kinds.messages || count == 0)
    for (int64_t n = r.d.Between(count == 0 ? 1 : 0, 3); n > 0; --n) add(Messages(r));
  return text;
}

}  // namespace headroom
