// The workloads of a resolved scenario.
#include <fmt/format.h>

#include "scenario/write.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

const char* ScopeName(Scope scope) {
  constexpr const char* names[] = {"rack", "cluster", "datacenter", "region"};
  return names[static_cast<int>(scope)];
}

const char* TransportName(Transport transport) {
  return transport == Transport::rc ? "rc" : transport == Transport::uc ? "uc" : "ud";
}

class ArrivalsWriter {
 public:
  ArrivalsWriter(const Scenario& scenario, const WorkloadSource& source, ReferencedFiles& files)
      : scenario_(scenario), source_(source), files_(files) {}

  std::string operator()(const PoissonArrivals& a) const {
    const std::string sizes = !a.sizes               ? FormatSize(a.size)
                              : source_.file.empty() ? WriteTexts({a.sizes->name})
                                                     : WriteTexts({files_.Add(source_.file)});
    return fmt::format("    sizes: {}\n    load: {}\n    scope: {}\n", sizes, FormatNumber(a.load),
                       ScopeName(a.scope)) +
           Ends();
  }
  std::string operator()(const IncastArrivals& a) const {
    std::string text =
        fmt::format("    size: {}\n    fan_in: {}\n    scope: {}\n    at: {}\n", FormatSize(a.size),
                    a.fan_in > 0 ? std::to_string(a.fan_in) : "all", ScopeName(a.scope), FormatTime(a.at));
    if (a.every.v > 0)
      text += fmt::format("    repeat: {{every: {}, count: {}}}\n", FormatTime(a.every), a.count);
    return text + Ends();
  }
  std::string operator()(const PermutationArrivals& a) const {
    return fmt::format("    size: {}\n    at: {}\n    hosts: {}\n", FormatSize(a.size), FormatTime(a.at),
                       WriteTexts(source_.from));
  }
  std::string operator()(const StreamArrivals& a) const {
    std::string text = fmt::format("    message: {}\n    in_flight: {}\n    start: {}\n",
                                   FormatSize(a.message), a.in_flight, FormatTime(a.start));
    if (a.stop) text += fmt::format("    stop: {}\n", FormatTime(*a.stop));
    return text + Ends();
  }
  std::string operator()(const PostingArrivals& a) const {
    std::string text = fmt::format(
        "    transport: {}\n    message: {}\n    inline: {}\n    signal_every: {}\n    window: {}\n"
        "    processes: {{from: {}, to: {}}}\n    next: {}\n    cpu: {}\n    start: {}\n",
        TransportName(a.transport), FormatSize(a.message), a.inlined, a.signal_every, a.window,
        a.processes_from, a.processes_to, a.random ? "random" : "turns", FormatTime(a.cpu),
        FormatTime(a.start));
    if (a.stop) text += fmt::format("    stop: {}\n", FormatTime(*a.stop));
    if (const auto& r = a.reply)
      text += fmt::format("    reply: {{verb: {}, transport: {}, inline: {}, signal_every: {}}}\n",
                          VerbName(r->verb), TransportName(r->transport), r->inlined, r->signal_every);
    return text + Ends();
  }
  std::string operator()(const ListArrivals& a) const {
    if (!source_.file.empty()) return fmt::format("    file: {}\n", WriteTexts({files_.Add(source_.file)}));
    std::string text = "    messages:\n";
    for (const ListArrivals::Message& m : a.messages) {
      const std::string priority =
          m.priority ? ", priority: " + WriteTexts({scenario_.classes[*m.priority].name}) : std::string();
      text += fmt::format("      - {{at: {}, from: {}, to: {}, size: {}{}}}\n", FormatTime(m.at),
                          Name(m.from), Name(m.to), FormatSize(m.size), priority);
    }
    return text;
  }

 private:
  std::string Ends() const {
    return fmt::format("    from: {}\n    to: {}\n", WriteTexts(source_.from), WriteTexts(source_.to));
  }
  std::string Name(NodeId node) const { return WriteTexts({scenario_.topology.nodes[node].name}); }

  const Scenario& scenario_;
  const WorkloadSource& source_;
  ReferencedFiles& files_;
};

/// Whether the messages bring their own classes: flows of HPCC's files, unless the workload says one for all.
bool OwnPriorities(const WorkloadParameters& workload) {
  const auto* list = std::get_if<ListArrivals>(&workload.arrivals);
  return workload.type == "hpcc" && list && !list->messages.empty() && list->messages.front().priority;
}

}  // namespace

std::string WriteWorkloads(const ScenarioFile& file, ReferencedFiles& files) {
  const Scenario& s = file.scenario;
  std::string text = "workloads:\n";
  for (size_t i = 0; i < s.workloads.size(); ++i) {
    const WorkloadParameters& w = s.workloads[i];
    text += fmt::format("  - name: {}\n    type: {}\n    verb: {}\n", WriteTexts({w.name}), w.type,
                        VerbName(w.verb));
    if (!OwnPriorities(w))
      text += fmt::format("    priority: {}\n", WriteTexts({s.classes[w.priority].name}));
    if (!std::holds_alternative<PostingArrivals>(w.arrivals)) {
      text += fmt::format("    register: {}\n", w.registers);
      text += w.qp_per_message ? "    qp: per_message\n"
                               : fmt::format("    qp: {{per_pair: {}}}\n", w.qps_per_pair);
    }
    text += std::visit(ArrivalsWriter(s, file.source.workloads[i], files), w.arrivals);
  }
  return text;
}

}  // namespace headroom
