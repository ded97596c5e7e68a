#include "history/append_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace headroom {

namespace {

std::string BytesOf(uint32_t extent, uint64_t offset, uint32_t length) {
  return fmt::format("bytes {} to {} of extent {}", offset, offset + length - 1, extent);
}

std::string Writer(WriteId id, uint64_t address) {
  return id == 0 ? "a copy" : fmt::format("write {} at byte {}", id, address);
}

}  // namespace

uint32_t AppendLog::Place(uint32_t extent, uint64_t offset, uint32_t length, int replicas, WriteId id,
                          uint64_t address, Time now) {
  Append& a = appends_.emplace_back();
  a.offset = offset;
  a.address = address;
  a.id = id;
  a.placed = now;
  a.extent = extent;
  a.length = length;
  a.replicas = static_cast<uint16_t>(replicas);
  return static_cast<uint32_t>(appends_.size() - 1);
}

void AppendLog::Acknowledge(uint32_t placed, Time now) { appends_[placed].acknowledged = now; }

void AppendLog::Abandon(uint32_t placed) { appends_[placed].abandoned = true; }

void AppendLog::Execute(NodeId node, uint32_t extent, uint64_t offset, uint32_t length, Time now) {
  executions_.push_back({offset, now, extent, length, node});
}

HistoryJudgement AppendLog::Judge(const History& history, const HistoryNames& names) const {
  HistoryJudgement judgement;
  judgement.appends = appends_.size();
  JudgeExtents(judgement);
  JudgeExecutions(names, judgement);
  JudgeWrites(history, names, judgement);
  return judgement;
}

/// Judges the ranges of extents that writes received, in the order of their bytes.
void AppendLog::JudgeExtents(HistoryJudgement& judgement) const {
  std::vector<uint32_t> order(appends_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
    return std::tuple(appends_[a].extent, appends_[a].offset) <
           std::tuple(appends_[b].extent, appends_[b].offset);
  });
  for (size_t i = 0; i < order.size(); ++i) {
    const Append& a = appends_[order[i]];
    const Append* const before =
        i > 0 && appends_[order[i - 1]].extent == a.extent ? &appends_[order[i - 1]] : nullptr;
    const uint64_t end = before == nullptr ? 0 : before->end();
    if (a.offset < end)
      judgement.Violate(fmt::format(
          "{} were assigned twice: to {} at {} us and to {} at {} us",
          BytesOf(a.extent, a.offset, static_cast<uint32_t>(std::min<uint64_t>(a.length, end - a.offset))),
          Writer(a.id, a.address), InMicroseconds(a.placed), Writer(before->id, before->address),
          InMicroseconds(before->placed)));
    if (a.offset > end)
      judgement.Violate(fmt::format("{} were never assigned, although {} lies behind them",
                                    BytesOf(a.extent, end, static_cast<uint32_t>(a.offset - end)),
                                    Writer(a.id, a.address)));
  }
  // From the end of the extents: `first` is the earliest acknowledged append behind append i.
  const Append* first = nullptr;
  for (size_t i = order.size(); i-- > 0;) {
    const Append& a = appends_[order[i]];
    if (first != nullptr && first->extent != a.extent) first = nullptr;
    if (first != nullptr && first->acknowledged < a.placed)
      judgement.Violate(fmt::format(
          "{} were assigned to {} at {} us, but they lie before {}, which was acknowledged at {} us",
          BytesOf(a.extent, a.offset, a.length), Writer(a.id, a.address), InMicroseconds(a.placed),
          BytesOf(first->extent, first->offset, first->length), InMicroseconds(first->acknowledged)));
    if (a.acknowledged != kNever && (first == nullptr || a.acknowledged < first->acknowledged)) first = &a;
  }
}

/// Judges which appends the extent nodes executed.
void AppendLog::JudgeExecutions(const HistoryNames& names, HistoryJudgement& judgement) const {
  std::map<std::pair<uint32_t, uint64_t>, std::vector<const Execution*>> at;
  for (const Execution& e : executions_) at[{e.extent, e.offset}].push_back(&e);
  std::map<uint32_t, std::set<NodeId>> nodes_of;
  std::set<std::pair<uint32_t, uint64_t>> placed;
  std::set<NodeId> nodes;
  for (const Append& a : appends_) {
    const auto executions = at.find({a.extent, a.offset});
    placed.insert({a.extent, a.offset});
    nodes.clear();
    size_t in_time = 0;
    if (executions != at.end()) {
      for (const Execution* e : executions->second) {
        if (e->length != a.length)
          judgement.Violate(fmt::format("{} were executed at {}, but {} were assigned to {}",
                                        BytesOf(e->extent, e->offset, e->length), names.node(e->node),
                                        BytesOf(a.extent, a.offset, a.length), Writer(a.id, a.address)));
        if (!nodes.insert(e->node).second)
          judgement.Violate(fmt::format("{} of {} were executed twice at {}, the second time at {} us",
                                        BytesOf(e->extent, e->offset, e->length), Writer(a.id, a.address),
                                        names.node(e->node), InMicroseconds(e->at)));
        else
          in_time += e->at <= a.acknowledged;
      }
    }
    if (a.acknowledged == kNever) continue;
    if (in_time < a.replicas)
      judgement.Violate(
          fmt::format("{} of {} were acknowledged at {} us, when only {} of {} nodes had executed them",
                      BytesOf(a.extent, a.offset, a.length), Writer(a.id, a.address),
                      InMicroseconds(a.acknowledged), in_time, a.replicas));
    nodes_of[a.extent].insert(nodes.begin(), nodes.end());
    if (nodes_of[a.extent].size() > a.replicas && nodes.size() == a.replicas)
      judgement.Violate(fmt::format("{} of {} are missing at a node of the extent",
                                    BytesOf(a.extent, a.offset, a.length), Writer(a.id, a.address)));
  }
  for (const auto& [where, executions] : at) {
    if (placed.count(where) > 0) continue;
    const Execution& e = *executions.front();
    judgement.Violate(fmt::format("{} were executed at {} at {} us, but never assigned",
                                  BytesOf(e.extent, e.offset, e.length), names.node(e.node),
                                  InMicroseconds(e.at)));
  }
}

/// Judges the fate of each write.
void AppendLog::JudgeWrites(const History& history, const HistoryNames& names,
                            HistoryJudgement& judgement) const {
  std::vector<const Append*> parts;
  for (const Append& a : appends_) {
    if (a.id != 0 && !a.abandoned) parts.push_back(&a);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Append* a, const Append* b) {
    return std::tuple(a->id, a->address) < std::tuple(b->id, b->address);
  });
  size_t part = 0;
  for (uint32_t i = 0; i < history.size(); ++i) {
    const History::Operation& write = history[i];
    const WriteId id = History::IdOf(i);
    while (part < parts.size() && parts[part]->id < id) ++part;
    uint64_t until = write.address;
    Time acknowledged{0};
    for (; part < parts.size() && parts[part]->id == id; ++part) {
      const Append& a = *parts[part];
      if (a.address < until) {
        judgement.Violate(
            fmt::format("write {} of {} was executed twice: from byte {} on it also went to {}, at {} us", id,
                        names.disk(write.disk), a.address, BytesOf(a.extent, a.offset, a.length),
                        InMicroseconds(a.placed)));
        continue;
      }
      if (a.address > until) break;
      until = std::max(until, a.address + a.length);
      acknowledged = std::max(acknowledged, a.acknowledged);
    }
    if (!history.IsAcknowledgedWrite(i)) continue;
    if (WholeBlocks::In(write.address, write.bytes).count == 0) continue;
    if (until < write.address + write.bytes || acknowledged > write.ended)
      judgement.Violate(
          fmt::format("write {} of {} was acknowledged at {} us, before all its bytes were in extents", id,
                      names.disk(write.disk), InMicroseconds(write.ended)));
  }
}

}  // namespace headroom
