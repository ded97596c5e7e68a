#include "scenario/ycsb/core_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/yaml/nearest.h"
#include "scenario/yaml/node.h"

namespace headroom::ycsb {

namespace {

/// Keys without effect on operations on whole values: names of tables and keys, YCSB's own measuring and
/// printing, scans if there are none, and varying field lengths.
constexpr const char* kOfNoConcern[] = {"db",
                                        "table",
                                        "insertorder",
                                        "zeropadding",
                                        "minscanlength",
                                        "maxscanlength",
                                        "scanlengthdistribution",
                                        "fieldnameprefix",
                                        "minfieldlength",
                                        "fieldlengthhistogram",
                                        "measurementtype",
                                        "measurement.trackjvm",
                                        "measurement.histogram.verbose",
                                        "measurement.raw.output_file",
                                        "measurement.raw.no_summary",
                                        "exporter",
                                        "exportfile",
                                        "label",
                                        "status.interval",
                                        "hdrhistogram.percentiles",
                                        "hdrhistogram.fileoutput",
                                        "hdrhistogram.output.path",
                                        "histogram.buckets",
                                        "timeseries.granularity",
                                        "reportlatencyforeacherror",
                                        "latencytrackederrors",
                                        "core_workload_insertion_retry_limit",
                                        "core_workload_insertion_retry_interval"};

/// First words of keys with a dot that describe how a YCSB binding reaches its store.
constexpr const char* kBindings[] = {
    "accumulo",   "aerospike",  "arangodb", "as",           "basicdb", "cassandra",      "couchbase",
    "couchbase2", "crail",      "dynamodb", "es",           "geode",   "googlebigtable", "hbase",
    "ignite",     "infinispan", "jdbc",     "jedis",        "kudu",    "maprdb",         "memcached",
    "mongodb",    "nosqldb",    "orientdb", "postgrenosql", "rados",   "redis",          "rest",
    "riak",       "rocksdb",    "s3",       "scylla",       "seaweed", "solr",           "tablestore",
    "tarantool",  "voltdb",     "zookeeper"};

bool IsOfBinding(const std::string& key) {
  const size_t dot = key.find('.');
  return dot != std::string::npos && std::ranges::count(kBindings, key.substr(0, dot)) > 0;
}

class Reader {
 public:
  Reader(const std::vector<Property>& properties, const Position& where)
      : properties_(properties), where_(where) {}

  const Property* Find(const char* key) {
    known_.emplace_back(key);
    const auto found = std::ranges::find(properties_, key, &Property::key);
    return found == properties_.end() ? nullptr : &*found;
  }
  Position Where(const char* key) {
    const Property* const p = Find(key);
    return p ? p->where : where_;
  }
  [[noreturn]] void Fail(const char* key, const std::string& wrong, const std::string& allowed) {
    throw ScenarioError(Where(key), wrong, allowed);
  }

  int64_t Integer(const char* key, int64_t otherwise, int64_t least, int64_t most) {
    return Within(key, otherwise, least, most, "a whole number");
  }
  double Number(const char* key, double otherwise, double most) {
    return Within(key, otherwise, 0.0, most, "a number");
  }
  std::string Word(const char* key, const char* otherwise, const std::vector<std::string>& words) {
    const Property* const p = Find(key);
    if (!p) return otherwise;
    if (std::ranges::find(words, p->value) == words.end())
      throw ScenarioError(p->where, fmt::format("{}={} is not supported", key, p->value),
                          "allowed: " + Join(words), Nearest(p->value, words));
    return p->value;
  }

  /// Ignores keys that have no effect, given the values of the others.
  void Pass(std::initializer_list<const char*> keys) {
    for (const char* key : keys) known_.emplace_back(key);
  }

  /// REQUIRES: all meaningful keys have been read.
  void RefuseOthers() {
    for (const char* key : kOfNoConcern) known_.emplace_back(key);
    for (const Property& p : properties_) {
      if (std::ranges::find(known_, p.key) != known_.end() || IsOfBinding(p.key)) continue;
      throw ScenarioError(p.where, "YCSB's core workloads have no key " + Quote(p.key),
                          "allowed: keys of CoreWorkload, of YCSB's client and of its bindings",
                          Nearest(p.key, known_));
    }
  }

 private:
  template <typename T>
  T Within(const char* key, T otherwise, T least, T most, const char* what) {
    const Property* const p = Find(key);
    if (!p) return otherwise;
    T value{};
    const char *const begin = p->value.data(), *const end = begin + p->value.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    const std::string allowed = fmt::format("allowed: {} to {}", least, most);
    if (error == std::errc::invalid_argument || rest != end)
      Fail(key, fmt::format("{}={} is not {}, written without a unit", key, p->value, what), allowed);
    if (error != std::errc() || !(value >= least && value <= most))
      Fail(key, fmt::format("{}={} is out of range", key, p->value), allowed);
    return value;
  }

  const std::vector<Property>& properties_;
  const Position where_;
  std::vector<std::string> known_;
};

constexpr int64_t kMostRecords = int64_t{1} << 40;

void ReadRecords(Reader& reader, KeyValueArrivals& kv) {
  const int64_t records = reader.Integer("recordcount", 0, 0, kMostRecords);
  const int64_t first = reader.Integer("insertstart", 0, 0, kMostRecords);
  const int64_t loaded = reader.Integer("insertcount", records - first, 0, kMostRecords);
  if (records == 0)
    reader.Fail("recordcount", "recordcount is missing or 0, so there are no keys to read",
                "give recordcount=1000 or more, in the file or under set");
  if (first != 0)
    reader.Fail("insertstart", fmt::format("insertstart={} is not supported", first),
                "give 0, because all clients request all keys");
  if (loaded != records)
    reader.Fail("insertcount",
                fmt::format("insertcount={} of recordcount={} is not supported", loaded, records),
                "leave it out, because Headroom loads all records");
  kv.keys = records;
  kv.operations = reader.Integer("operationcount", 0, 0, kMostRecords);
}

/// The kinds of operations in the workload.
struct Kinds {
  bool read = false, updated = false;  ///< whole values by GET or PUT, alone or in a pair of both
};

Kinds ReadShares(Reader& reader, KeyValueArrivals& kv) {
  constexpr double kMost = 1e9;
  const double reads = reader.Number("readproportion", 0.95, kMost);
  const double updates = reader.Number("updateproportion", 0.05, kMost);
  const double inserts = reader.Number("insertproportion", 0, kMost);
  const double scans = reader.Number("scanproportion", 0, kMost);
  const double modifies = reader.Number("readmodifywriteproportion", 0, kMost);
  if (scans > 0)
    reader.Fail("scanproportion",
                fmt::format("scanproportion={} is not supported: services of keys keep no order of keys, "
                            "so they have no scans",
                            scans),
                "give scanproportion=0, which is no longer workload E");
  const double sum = reads + updates + inserts + modifies;
  if (sum <= 0) reader.Fail("readproportion", "all proportions are 0", "give one proportion above 0");
  kv.puts = updates / sum;
  kv.inserts = inserts / sum;
  kv.modifies = modifies / sum;
  return {reads + modifies > 0, updates + modifies > 0};
}

/// Refuses operations on some fields of a value, if the workload has such operations.
void RefuseParts(Reader& reader, const char* key, int64_t fields, bool happens, bool whole_anyway) {
  if (!happens) return reader.Pass({key});
  const bool whole = reader.Word(key, "true", {"true", "false"}) == "true";
  if (whole || whole_anyway || fields == 1) return;
  reader.Fail(key, fmt::format("{}=false is not supported: a key has one value, not {} fields", key, fields),
              "true, or fieldcount=1");
}

void ReadValue(Reader& reader, const Kinds& kinds, CoreWorkload& read) {
  constexpr int64_t kMostFields = 1'000'000;
  const int64_t fields = reader.Integer("fieldcount", 10, 1, kMostFields);
  const int64_t length = reader.Integer("fieldlength", 100, 1, kMostFields);
  read.arrivals.value = Bytes(fields * length);
  // "user" and the digits of a 63-bit hash.
  constexpr Bytes kLongestKey{23};
  read.arrivals.key = kLongestKey;
  read.value_where = reader.Where(reader.Find("fieldlength") ? "fieldlength" : "fieldcount");
  reader.Word("fieldlengthdistribution", "constant", {"constant"});
  const bool by_name = reader.Word("readallfieldsbyname", "false", {"true", "false"}) == "true";
  RefuseParts(reader, "readallfields", fields, kinds.read, by_name);
  RefuseParts(reader, "writeallfields", fields, kinds.updated, false);
  if (kinds.read) {
    reader.Word("dataintegrity", "false", {"false"});
  } else {
    reader.Pass({"dataintegrity"});
  }
}

void ReadDistribution(Reader& reader, KeyValueArrivals& kv) {
  const std::pair<const char*, KeyChoice> all[] = {
      {"uniform", KeyChoice::uniform},       {"zipfian", KeyChoice::scrambled_zipf},
      {"latest", KeyChoice::latest},         {"hotspot", KeyChoice::hotspot},
      {"sequential", KeyChoice::sequential}, {"exponential", KeyChoice::exponential}};
  std::vector<std::string> names;
  for (const auto& [name, choice] : all) names.emplace_back(name);
  const std::string name = reader.Word("requestdistribution", "uniform", names);
  for (const auto& [word, choice] : all)
    if (name == word) kv.choice = choice;
  if (kv.choice == KeyChoice::hotspot) {
    kv.hot_keys = reader.Number("hotspotdatafraction", kv.hot_keys, 1);
    kv.hot_operations = reader.Number("hotspotopnfraction", kv.hot_operations, 1);
  } else {
    reader.Pass({"hotspotdatafraction", "hotspotopnfraction"});
  }
  if (kv.choice != KeyChoice::exponential) return reader.Pass({"exponential.percentile", "exponential.frac"});
  constexpr double kPercent = 100;
  kv.exponential_operations =
      reader.Number("exponential.percentile", kv.exponential_operations * kPercent, 99.99) / kPercent;
  kv.exponential_keys = reader.Number("exponential.frac", kv.exponential_keys, 1);
  for (const auto& [key, share] : {std::pair("exponential.percentile", kv.exponential_operations),
                                   std::pair("exponential.frac", kv.exponential_keys)})
    if (share == 0) reader.Fail(key, fmt::format("{}=0 is out of range", key), "more than 0");
}

void ReadClient(Reader& reader, CoreWorkload& read) {
  constexpr int64_t kMostThreads = int64_t{1} << 31;
  constexpr double kMostTarget = 1e12, kMostSeconds = 1e9;
  // YCSB's default is one thread, and its users state threads on the command line; here the service's windows
  // replace that.
  read.arrivals.threads = reader.Integer("threadcount", 0, 1, kMostThreads);
  read.threads_where = reader.Where("threadcount");
  read.arrivals.target = reader.Number("target", 0, kMostTarget);
  read.seconds = reader.Number("maxexecutiontime", 0, kMostSeconds);
  read.seconds_where = reader.Where("maxexecutiontime");
  reader.Word("dotransactions", "true", {"true"});
  reader.Word("measurement.interval", "op", {"op"});
  reader.Word("workload", "", {"site.ycsb.workloads.CoreWorkload", "com.yahoo.ycsb.workloads.CoreWorkload"});
}

}  // namespace

CoreWorkload ReadCoreWorkload(const std::vector<Property>& properties, const Position& where) {
  Reader reader(properties, where);
  CoreWorkload read;
  ReadRecords(reader, read.arrivals);
  const Kinds kinds = ReadShares(reader, read.arrivals);
  ReadValue(reader, kinds, read);
  ReadDistribution(reader, read.arrivals);
  ReadClient(reader, read);
  reader.RefuseOthers();
  return read;
}

}  // namespace headroom::ycsb
