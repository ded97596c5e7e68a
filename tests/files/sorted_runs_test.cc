#include "files/sorted_runs.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <random>

#include "support/test_folder.h"

namespace headroom::sorted_runs_test {
namespace {

namespace fs = std::filesystem;
using Key = SortedRuns::Key;
using Entry = std::pair<Key, std::string>;

std::vector<Entry> Read(SortedRuns& log) {
  std::vector<Entry> all;
  log.ForEach([&](const Key& key, std::span<const std::byte> bytes) {
    all.emplace_back(key, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  });
  return all;
}

void Add(SortedRuns& log, const Entry& entry) {
  log.Add(entry.first, std::as_bytes(std::span(entry.second.data(), entry.second.size())));
}

size_t FilesIn(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Records of any length, with keys of which many are equal.
std::vector<Entry> RandomEntries(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Entry> entries;
  for (size_t i = 0; i < count; ++i) {
    const Key key{random() % 50, random() % 3, 0, random() % 2};
    entries.emplace_back(key,
                         std::string(random() % 40, static_cast<char>('a' + i % 26)) + std::to_string(i));
  }
  return entries;
}

TEST(SortedRuns, read_as_a_stable_sort_of_what_was_added) {
  const TestFolder folder;
  for (const size_t count : {0, 1, 10, 1000, 40'000}) {
    std::vector<Entry> entries = RandomEntries(count, count);
    SortedRuns log(folder.path(), "log", 1000);  // about 16 records: 40,000 make three levels of runs
    for (const Entry& entry : entries) Add(log, entry);
    std::ranges::stable_sort(entries, {}, &Entry::first);
    EXPECT_EQ(Read(log), entries) << count;
    EXPECT_EQ(Read(log), entries) << count << ", again";
    EXPECT_EQ(log.size(), count);
  }
}

TEST(SortedRuns, keep_few_files_and_remove_them) {
  const TestFolder folder;
  {
    SortedRuns log(folder.path(), "log", 1000);
    size_t most = 0;
    for (const Entry& entry : RandomEntries(1, 40'000)) {
      Add(log, entry);
      if (log.size() % 500 == 0) most = std::max(most, FilesIn(folder.path()));
    }
    EXPECT_GT(most, 0u);
    EXPECT_LE(most, 3 * SortedRuns::kFan);
  }
  EXPECT_EQ(FilesIn(folder.path()), 0u);
}

TEST(SortedRuns, small_logs_write_nothing) {
  const TestFolder folder;
  SortedRuns log(folder.path(), "log");
  for (const Entry& entry : RandomEntries(1, 1000)) Add(log, entry);
  EXPECT_EQ(Read(log).size(), 1000u);
  EXPECT_EQ(FilesIn(folder.path()), 0u);
}

TEST(SortedRuns, a_record_larger_than_the_buffer_is_kept) {
  const TestFolder folder;
  SortedRuns log(folder.path(), "log", 100);
  const Entry large{{2}, std::string(5000, 'x')}, small{{1}, "y"};
  Add(log, large);
  Add(log, small);
  EXPECT_EQ(Read(log), (std::vector<Entry>{small, large}));
}

TEST(SortedRuns, a_full_disk_is_an_error_that_names_the_file_and_leaves_none) {
  const TestFolder folder;
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try {
    SortedRuns log(folder.path(), "log", 20'000);
    for (const Entry& entry : RandomEntries(1, 10'000)) Add(log, entry);
  } catch (const ResultError& e) {
    message = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_NE(message.find("log-0: cannot be written: File too large; `results: stream`"), std::string::npos)
      << message;
  EXPECT_EQ(FilesIn(folder.path()), 0u);
}

}  // namespace
}  // namespace headroom::sorted_runs_test
