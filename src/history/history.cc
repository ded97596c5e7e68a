#include "history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "history/register_story.h"

namespace headroom {

namespace {

RegisterWords WordsOfBlocks() {
  const auto write = [](WriteId id) { return fmt::format("write {}", id); };
  return {[write](WriteId id) { return id == 0 ? "the initial content" : write(id); }, write, "a read"};
}

}  // namespace

uint32_t History::Begin(OperationKind kind, uint32_t disk, uint64_t address, uint32_t bytes, Time now) {
  Operation& o = operations_.emplace_back();
  o.address = address;
  o.begun = now;
  o.disk = disk;
  o.bytes = bytes;
  o.kind = kind;
  return static_cast<uint32_t>(operations_.size() - 1);
}

void History::EndWrite(uint32_t operation, Time now) { operations_[operation].ended = now; }

void History::EndRead(uint32_t operation, Time now, std::span<const WriteId> ids) {
  operations_[operation].ended = now;
  operations_[operation].seen = seen_.size();
  const uint64_t blocks = WholeBlocks::In(operations_[operation].address, operations_[operation].bytes).count;
  if (ids.size() != blocks) return seen_.push_back({kNoWrite, blocks});
  for (size_t i = 0, same = 0; i < ids.size(); i += same) {
    for (same = 1; i + same < ids.size() && ids[i + same] == ids[i];) ++same;
    seen_.push_back({ids[i], same});
  }
}

void History::Fail(uint32_t operation) { operations_[operation].failed = true; }

/// The effects of the disk's operations on whole blocks. `in_part`: counts blocks that a write covered only
/// partly.
std::vector<History::Touch> History::TouchesOf(const std::vector<uint32_t>& numbers,
                                               std::vector<uint64_t>& in_part) const {
  std::vector<Touch> touches;
  for (const uint32_t number : numbers) {
    const Operation& o = operations_[number];
    const WholeBlocks blocks = WholeBlocks::In(o.address, o.bytes);
    if (o.failed) continue;
    if (o.kind == OperationKind::write) {
      const uint64_t first = o.address / kHistoryBlock;
      const uint64_t last = (o.address + o.bytes - 1) / kHistoryBlock;
      if (o.address % kHistoryBlock != 0) in_part.push_back(first);
      if ((o.address + o.bytes) % kHistoryBlock != 0) in_part.push_back(last);
      for (uint64_t i = 0; i < blocks.count; ++i) touches.push_back({blocks.first + i, IdOf(number), number});
    } else if (o.ended != kNever) {
      auto run = seen_.begin() + static_cast<std::ptrdiff_t>(o.seen);
      for (uint64_t i = 0, of_run = 0; i < blocks.count; ++i) {
        if (of_run == run->blocks) ++run, of_run = 0;
        touches.push_back({blocks.first + i, run->id, number});
        ++of_run;
      }
    }
  }
  std::sort(in_part.begin(), in_part.end());
  in_part.erase(std::unique(in_part.begin(), in_part.end()), in_part.end());
  std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
    return std::tuple(a.block, a.operation) < std::tuple(b.block, b.operation);
  });
  return touches;
}

std::string History::WordsOf(const RegisterViolation& violation) const {
  const RegisterWords words = WordsOfBlocks();
  if (violation.rule != RegisterViolation::Rule::unknown_value) return Words(violation, words);
  const WriteId id = violation.first.value;
  const bool known = id <= operations_.size() && operations_[id - 1].kind == OperationKind::write;
  return Words(violation.first, words) + ", which " +
         (!known                       ? "is no write"
          : operations_[id - 1].failed ? "failed"
                                       : "did not write this block");
}

HistoryJudgement History::Judge(const HistoryNames& names) const {
  HistoryJudgement judgement;
  std::map<uint32_t, std::vector<uint32_t>> of_disk;
  for (uint32_t i = 0; i < operations_.size(); ++i) of_disk[operations_[i].disk].push_back(i);
  std::vector<RegisterOperation> at_block;
  std::vector<bool> judged(operations_.size());
  for (const auto& [disk, numbers] : of_disk) {
    std::vector<uint64_t> in_part;
    const std::vector<Touch> touches = TouchesOf(numbers, in_part);
    judgement.in_part += in_part.size();
    for (size_t begin = 0, end = 0; begin < touches.size(); begin = end) {
      const uint64_t block = touches[begin].block;
      const bool left_out = std::binary_search(in_part.begin(), in_part.end(), block);
      at_block.clear();
      for (end = begin; end < touches.size() && touches[end].block == block; ++end) {
        if (left_out) continue;
        const Operation& o = operations_[touches[end].operation];
        judged[touches[end].operation] = true;
        at_block.push_back(
            {touches[end].value, o.begun, o.ended, touches[end].operation, o.kind == OperationKind::write});
      }
      if (left_out) continue;
      ++judgement.blocks;
      if (const auto violation = FindViolation(at_block))
        judgement.Violate(fmt::format("block {} of {} (from byte {}): {}", block, names.disk(disk),
                                      block * kHistoryBlock, WordsOf(*violation)));
    }
  }
  for (size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    const bool says_nothing = o.failed || (o.kind == OperationKind::read && o.ended == kNever);
    if (judged[i])
      ++judgement.operations;
    else if (!says_nothing)
      ++judgement.left_out;
  }
  return judgement;
}

}  // namespace headroom
