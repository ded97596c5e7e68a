// Type fio: the jobs of a fio job file, each a workload (workload/operations/fio_generator.h).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scenario/fio/jobs.h"
#include "workload/io_span.h"
#include "workload/operations/fio_generator.h"
#include "workload/types/io_types.h"
#include "workload/types/line_limits.h"

namespace headroom {

namespace {

class FioType final : public DiskType<FioType> {
 public:
  using DiskType::DiskType;
  std::unique_ptr<OperationGenerator> MakeOperations(const WorkloadParameters& workload, uint32_t index,
                                                     const OperationGround& ground) const override {
    return std::make_unique<FioGenerator>(a, workload, index, ground.hosts, ground.offers);
  }
  std::optional<Time> LastArrival() const override {
    return a.stop ? std::optional(*a.stop - Time(1)) : std::nullopt;
  }
  double Expected(const Scenario& s) const override {
    const Time span = SpanOf(a.start, a.stop, s);
    return std::min(DiskType::Expected(s),
                    static_cast<double>(a.from.size()) * Clones() * a.job->MostIos(span));
  }
  std::optional<double> PerSecond(const HostView&) const override {
    const std::optional<double> most = a.job->MostIops();
    if (!most) return std::nullopt;
    return *most * Clones() * static_cast<double>(a.from.size());
  }
  IoSpan Span(Time warmup, Time duration) const override {
    const Time until = std::min(a.stop.value_or(duration), duration);
    return {std::max(warmup, a.start), until, a.ramp, a.job->EndsByItself()};
  }

 protected:
  int Clones() const override { return a.job->clones; }
};

}  // namespace

std::unique_ptr<Arrivals> FioFrom(IoArrivals a) { return std::make_unique<FioType>(std::move(a)); }

}  // namespace headroom

namespace headroom::keys {

namespace {

using fio::Amount;
using fio::WrittenJob;

/// The run time of a file's jobs in sequence.
int64_t LengthUs(const std::vector<WrittenJob>& jobs) {
  int64_t length = 0, group = 0;
  for (const WrittenJob& job : jobs) {
    if (job.stonewall) length += std::exchange(group, 0);
    group = std::max(group, job.EndUs());
  }
  return length + group;
}

/// The number of simulated seconds per second of the file. It is 1 if the file states no times.
double ScaleOf(const Node& node, const RecordedSource& source, const std::vector<WrittenJob>& jobs) {
  const int64_t length = LengthUs(jobs);
  if (source.span.v > 0) {
    if (length == 0)
      throw ScenarioError(node.Find("span")->where, "no job of the file has a runtime", "runtime=10 in it");
    return static_cast<double>(source.span.v) / (static_cast<double>(length) * 1e6);
  }
  if (source.time_scale == 0 && length > 0)
    throw ScenarioError(node.where,
                        fmt::format("the jobs of the file take {}, and the scenario does not give the "
                                    "simulated time for it",
                                    FormatTime(Microseconds(length))),
                        "give time_scale: 1/1000, or span: 10ms");
  return source.time_scale > 0 ? source.time_scale : 1;
}

Time Scaled(int64_t us, double scale, const Position& where) {
  const double ps = static_cast<double>(us) * 1e6 * scale;
  if (ps > static_cast<double>(kLongestTime.v))
    throw ScenarioError(where, fmt::format("the jobs would take {:.0f} s of simulated time", ps / 1e12),
                        "allowed: up to a day");
  return Time(std::llround(ps));
}

/// The bytes of an amount; a share gives a multiple of `unit`.
Bytes BytesOf(const Amount& amount, Bytes whole, Bytes unit) {
  if (!amount.percent) return Bytes(amount.value);
  const auto bytes =
      static_cast<int64_t>(static_cast<Uint128>(whole.v) * static_cast<Uint128>(amount.value) / 100);
  return Bytes(bytes / unit.v * unit.v);
}

/// Sets the job's region of the disk, and the amount of its requests.
void SetRegion(const WrittenJob& written, Bytes disk, IoJob& job) {
  const Bytes unit = std::min(job.sides[job.Reads() ? 0 : 1].least, job.sides[job.Writes() ? 1 : 0].least);
  const Bytes most = std::max(job.sides[job.Reads() ? 0 : 1].most, job.sides[job.Writes() ? 1 : 0].most);
  const auto fail = [&](const Amount& at, const std::string& wrong, const std::string& allowed) {
    throw ScenarioError(at.given ? at.where : written.where, wrong, allowed);
  };
  job.offset = BytesOf(written.offset, disk, unit);
  job.increment = BytesOf(written.increment, disk, unit);
  const Bytes last = job.offset + job.increment * (job.clones - 1);
  if (written.increment.given && !written.size.given)
    fail(written.increment, "offset_increment needs a size, which is missing", "size=… beside it");
  if (last >= disk)
    fail(written.offset,
         fmt::format("a job's region begins at {}, beyond the end of the disk", FormatSize(last)),
         "allowed: up to " + FormatSize(disk));
  const bool whole = !written.size.given || (!written.size.percent && written.size.value == 0);
  job.size = whole ? disk - job.offset : BytesOf(written.size, disk, unit);
  if (written.size.percent && last + job.size > disk) job.size = disk - last;
  if (last + job.size > disk)
    fail(written.size,
         fmt::format("a job's region ends at {}, beyond the end of the disk", FormatSize(last + job.size)),
         "allowed: up to " + FormatSize(disk) + ", disk_size of the service");
  if (job.size < most)
    fail(written.size,
         fmt::format("a job's region of {} is smaller than its block of {}", FormatSize(job.size),
                     FormatSize(most)),
         "a larger size");
  if (job.addresses.hole + job.size < Bytes(0))
    fail(written.size,
         fmt::format("rw steps back by {}, more than the region of {}", FormatSize(job.addresses.hole * -1),
                     FormatSize(job.size)),
         "give a larger size, or a smaller step");
  job.total = job.size;
  if (written.io_size.given && written.io_size.value > 0)
    job.total = BytesOf(written.io_size, job.size, Bytes(1));
  job.again = job.total > job.size || written.loops > 1;
  if (job.total.v > INT64_MAX / written.loops)
    fail(written.size, "all loops together transfer more than 8 EiB", "fewer loops");
  job.total = job.total * written.loops;
  if (!written.zones_in_bytes) return;
  for (auto* zones : {&job.addresses.read_zones, &job.addresses.write_zones}) {
    double space = 0;
    for (IoZone& zone : *zones) space += zone.space /= static_cast<double>(job.size.v);
    if (space > 1 + 1e-9)
      throw ScenarioError(written.zones_where, "the zones together are larger than the region",
                          "allowed: up to " + FormatSize(job.size));
  }
}

/// Mean sizes of I/Os. A range is divided into steps.
std::vector<IoBlock> BlocksOf(const IoJobSide& side, bool unaligned) {
  const auto rounded = [&](int64_t bytes) {
    return Bytes(std::min(unaligned ? bytes : bytes / side.least.v * side.least.v, side.most.v));
  };
  std::vector<IoBlock> blocks;
  const auto add = [&](Bytes size, double share) {
    const auto at = std::ranges::find(blocks, size, &IoBlock::size);
    at == blocks.end() ? blocks.push_back({size, share}) : void(at->share += share);
  };
  for (const IoBlock& b : side.split) add(rounded(b.size.v), b.share);
  constexpr int kSteps = 64;
  for (int i = 0; side.split.empty() && i < kSteps; ++i) {
    const double drawn = (i + 0.5) / kSteps * static_cast<double>(side.most.v);
    add(side.least == side.most ? side.least : rounded(side.least.v + static_cast<int64_t>(drawn)),
        1.0 / kSteps);
  }
  if (side.split.empty() && side.least < side.most) add(rounded(side.most.v), 0);
  return blocks;
}

std::string NameOfJob(const std::string& entry, const std::string& job, std::set<std::string>& taken) {
  std::string name = entry + '-';
  for (const char c : job) name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '-';
  std::string unique = name;
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}-{}", name, n);
  return unique;
}

Workload WorkloadOf(const WrittenJob& written, const Workload& entry, double scale,
                    const StorageParameters& service) {
  const RecordedSource& source = entry.source.recorded;
  Workload workload = entry;
  IoArrivals& io = DataOf<IoArrivals>(workload);
  IoJob job = written.job;
  const Position& where = written.where;
  SetRegion(written, service.disk_size, job);
  job.time_scale = scale;
  const Time delay = Scaled(written.delay_us[0], scale, where);
  job.runtime = Scaled(written.runtime_us, scale, where);
  if (written.runtime_us > 0 && job.runtime.v == 0)
    throw ScenarioError(where, "the runtime is less than a picosecond of simulated time",
                        "a larger time_scale");
  job.delay_spread = Scaled(written.delay_us[1], scale, where) - delay;
  job.think_every = Microseconds(written.think_every_us);
  io.start = source.start + delay;
  io.ramp = Scaled(written.ramp_us, scale, where);
  io.stop = source.stop;
  if (job.runtime.v > 0 && job.walled == 0) {
    const Time end = io.start + job.delay_spread + io.ramp + job.runtime;
    io.stop = std::min(end, source.stop.value_or(end));
  }
  io.reads = job.reads / 100.0;
  io.depth = job.depth * job.clones;
  io.blocks = BlocksOf(job.sides[job.Reads() ? 0 : 1], job.unaligned);
  if (job.Reads() && job.Writes()) {
    io.write_blocks = BlocksOf(job.sides[1], job.unaligned);
    if (io.write_blocks == io.blocks) io.write_blocks.clear();
  }
  io.addresses = job.addresses;
  const LargestIo most = LargestOf(service);
  if (LargestBlock(io) > most.bytes)
    throw ScenarioError(where,
                        fmt::format("a block of {} is larger than {}, the limit of service {}",
                                    FormatSize(LargestBlock(io)), most.what, Quote(service.name)),
                        fmt::format("allowed: up to {}", FormatSize(most.bytes)));
  io.job = std::make_shared<const IoJob>(std::move(job));
  return workload;
}

void CheckFio(const Node& node, Workload& w, Reading& reading) {
  const RecordedSource& source = w.source.recorded;
  CheckStop(node, source.start, source.stop, reading);
  w.parameters.name = source.name;
  if (node.Find("time_scale") && node.Find("span"))
    reading.errors.Add(
        ScenarioError(node.Find("span")->where, "\"span\" beside \"time_scale\"", "one of them"));
  CheckFrom(node, DataOf<IoArrivals>(w), reading);
}

/// Returns one workload per job; `read` has the entry's values.
std::vector<Workload> JobsOf(const Node& node, const Workload& read, const Reading& reading) {
  const Node& file = *node.Find("file");
  const std::vector<WrittenJob> jobs = fio::ReadJobs(read.source.file, file.where);
  const double scale = ScaleOf(node, read.source.recorded, jobs);
  const auto& io = DataOf<IoArrivals>(read);
  const auto& service = (*reading.services)[io.service].parameters.As<StorageParameters>();
  std::vector<Workload> workloads;
  std::set<std::string> names;
  for (const WrittenJob& job : jobs) {
    workloads.push_back(WorkloadOf(job, read, scale, service));
    workloads.back().source.recorded.job = workloads.size() - 1;
    if (jobs.size() > 1)
      workloads.back().parameters.name = NameOfJob(read.parameters.name, job.job.name, names);
  }
  return workloads;
}

const KeysOf<Workload>& FioKeys() {
  static const KeysOf<Workload> keys(
      {.name = "workload_fio",
       .page = kIosPage,
       .help = "jobs of a fio job file, at each host of from; each job becomes a workload NAME-JOB; a "
               "single job becomes NAME",
       .type = "fio"},
      [&] {
        std::vector<KeyOf<Workload>> all = IoTypeKeys("fio");
        all.erase(all.begin());
        all.insert(all.begin(), {"name",
                                 OfRecorded(&RecordedSource::name),
                                 Name(),
                                 "name of the workload in results",
                                 {.required = true}});
        all.insert(
            all.end(),
            {{"service", ServiceOfIo(), "service that provides the disks", {.required = true}},
             {"file", OtherFile(), "path of the job file, relative to the scenario", {.required = true}},
             {"time_scale",
              OfRecorded(&RecordedSource::time_scale),
              Unless0(Fractions()),
              "simulated seconds per second of runtime, ramp_time and startdelay in the file; "
              "rates and think times are unchanged",
              {.standard = "none"}},
             {"span",
              OfRecorded(&RecordedSource::span),
              Unless0(Times(Time(1))),
              "instead of time_scale: simulated time of all jobs of the file together",
              {.standard = "none"}},
             {"start", OfRecorded(&RecordedSource::start), Times(),
              "simulated time at which the jobs of the file start"},
             {"stop",
              OfRecorded(&RecordedSource::stop),
              Maybe(Times(Time(1))),
              "time at which I/Os stop starting",
              {.standard = "the duration"}},
             FromOfIo()});
        return all;
      }(),
      CheckFio, StartingWith<FioType>);
  return keys;
}

const RegisteredType kFio({.place = 9, .keys = FioKeys, .expand = JobsOf});

}  // namespace

}  // namespace headroom::keys
