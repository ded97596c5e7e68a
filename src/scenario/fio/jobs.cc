#include "scenario/fio/jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/fio/options.h"
#include "scenario/fio/other_options.h"

namespace headroom::fio {

namespace {

/// The base of units is read before values with units.
int BaseOfUnits(const std::vector<Line>& lines) {
  int base = 1024;
  for (const Line& line : lines) {
    if (line.key.text != "kb_base") continue;
    base = static_cast<int>(ParseFioNumber(line.value, 1024));
    if (base != 1000 && base != 1024)
      throw ScenarioError(line.value.where, line.value.text + " is not a base for units",
                          "allowed: 1000, 1024");
  }
  return base;
}

/// The last line of a key replaces earlier ones.
void Remember(IoJob& job, const Line& line) {
  const std::string value = line.bare ? "1" : line.value.text;
  const auto found =
      std::ranges::find(job.options, line.key.text, &std::pair<std::string, std::string>::first);
  if (found != job.options.end()) job.options.erase(found);
  job.options.emplace_back(line.key.text, value);
}

/// Rules over several keys.
void Settle(WrittenJob& written) {
  IoJob& job = written.job;
  using Direction = WrittenJob::Direction;
  job.reads = written.direction == Direction::reads    ? 100
              : written.direction == Direction::writes ? 0
                                                       : written.read_share;
  IoAddresses& a = job.addresses;
  if (a.order != IoAddresses::Order::sequential) a.order = written.distribution;
  a.once = a.order == IoAddresses::Order::uniform && !written.no_map;
  job.think_by_blocks = written.think_every_us == 0 || written.think_blocks_given;
  if (IsSynchronous(written.engine)) job.depth = 1;
}

WrittenJob JobOf(const Section& section, const std::vector<Line>& defaults) {
  std::vector<Line> lines = defaults;
  lines.insert(lines.end(), section.lines.begin(), section.lines.end());
  WrittenJob written;
  written.where = section.name.where;
  written.job.name = section.name.text;
  written.job.addresses.order = IoAddresses::Order::sequential;  // rw=read
  Reader reader{written, BaseOfUnits(lines)};
  for (const Line& line : lines) {
    ApplyOption(line, reader);
    Remember(written.job, line);
  }
  Settle(written);
  CheckJob(written);
  return written;
}

/// A job waits for the jobs before the last stonewall at or before it.
void SetWalls(std::vector<WrittenJob>& jobs) {
  int wall = 0;
  for (int i = 0; i < static_cast<int>(jobs.size()); ++i) {
    if (jobs[static_cast<size_t>(i)].stonewall) wall = i;
    IoJob& job = jobs[static_cast<size_t>(i)].job;
    job.walled = wall;
    job.wall_back = wall > 0 ? i : 0;
  }
}

}  // namespace

std::vector<WrittenJob> ReadJobs(const std::filesystem::path& file, const Position& where) {
  std::vector<WrittenJob> jobs;
  std::vector<Line> defaults;
  const std::vector<Section> sections = ReadSections(file, where);
  for (const Section& section : sections) {
    if (section.global) {
      defaults.insert(defaults.end(), section.lines.begin(), section.lines.end());
    } else {
      jobs.push_back(JobOf(section, defaults));
    }
  }
  if (jobs.empty()) {
    Position whole = WholeFile(file);
    whole.line = 1;
    throw ScenarioError(whole, "the file has no job", "add a section besides [global]");
  }
  const Section& last = sections.back();
  if (last.global && !last.lines.empty())
    throw ScenarioError(last.name.where, "no job stands below this section, so it has no effect",
                        "put it above the jobs that it is for");
  SetWalls(jobs);
  return jobs;
}

}  // namespace headroom::fio
