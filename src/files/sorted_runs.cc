#include "files/sorted_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <queue>

namespace headroom {

namespace fs = std::filesystem;

namespace sorted_runs {

constexpr size_t kRunLength = sizeof(uint32_t), kRunHead = kRunLength + sizeof(SortedRuns::Key);

inline size_t LengthOfRecord(const std::byte* record) {
  uint32_t length = 0;
  std::memcpy(&length, record, sizeof length);
  return length;
}
inline SortedRuns::Key KeyOfRecord(const std::byte* record) {
  SortedRuns::Key key;
  std::memcpy(key.data(), record + kRunLength, sizeof key);
  return key;
}
inline std::span<const std::byte> BytesOfRecord(const std::byte* record) {
  return {record + kRunHead, LengthOfRecord(record)};
}

[[noreturn]] inline void FailRun(const fs::path& path, const char* what, int error) {
  throw ResultError(fmt::format(
      "{}: cannot be {}: {}; `results: stream` keeps messages, operations and pauses there until the run "
      "ends; free space, give --out on another disk, or run with results: memory",
      path.string(), what, std::strerror(error)));
}

struct CloseRun {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using RunFile = std::unique_ptr<std::FILE, CloseRun>;

/// Writes a run. Without Close the file is incomplete.
class RunWriter {
 public:
  explicit RunWriter(const fs::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (!file_) FailRun(path_, "written", errno);
    std::setvbuf(file_.get(), nullptr, _IOFBF, SortedRuns::kPage);
  }
  void Write(const std::byte* record) {
    const size_t bytes = kRunHead + LengthOfRecord(record);
    if (std::fwrite(record, 1, bytes, file_.get()) != bytes) FailRun(path_, "written", errno);
  }
  void Close() {
    if (std::fclose(file_.release()) != 0) FailRun(path_, "written", errno);
  }

 private:
  fs::path path_;
  RunFile file_;
};

/// Reads records of a run, or of the buffer, one after another.
class RunReader {
 public:
  RunReader(const fs::path& path, size_t number)
      : path_(path), number_(number), file_(std::fopen(path.c_str(), "rb")) {
    if (!file_) FailRun(path_, "read", errno);
    std::setvbuf(file_.get(), nullptr, _IOFBF, SortedRuns::kPage);
    Advance();
  }
  RunReader(const std::vector<std::byte>& buffer, const std::vector<size_t>& places, size_t number)
      : number_(number), buffer_(&buffer), places_(&places) {
    Advance();
  }
  bool over() const { return record_ == nullptr; }
  const std::byte* record() const { return record_; }
  const SortedRuns::Key& key() const { return key_; }
  void Advance() {
    record_ = file_ ? NextInFile() : NextInBuffer();
    if (record_ != nullptr) key_ = KeyOfRecord(record_);
  }
  /// Of two runs with equal keys, the older comes first.
  bool operator>(const RunReader& o) const { return key_ != o.key_ ? key_ > o.key_ : number_ > o.number_; }

 private:
  const std::byte* NextInBuffer() {
    return next_ < places_->size() ? buffer_->data() + (*places_)[next_++] : nullptr;
  }
  const std::byte* NextInFile() {
    read_.resize(kRunHead);
    const size_t got = std::fread(read_.data(), 1, kRunHead, file_.get());
    if (got == 0 && std::feof(file_.get()) != 0) return nullptr;
    const size_t bytes = got == kRunHead ? LengthOfRecord(read_.data()) : 0;
    read_.resize(kRunHead + bytes);
    if (got != kRunHead || std::fread(read_.data() + kRunHead, 1, bytes, file_.get()) != bytes)
      FailRun(path_, "read", std::ferror(file_.get()) != 0 ? errno : EIO);
    return read_.data();
  }

  fs::path path_;
  size_t number_;
  RunFile file_;
  const std::vector<std::byte>* buffer_ = nullptr;
  const std::vector<size_t>* places_ = nullptr;
  size_t next_ = 0;
  std::vector<std::byte> read_;
  const std::byte* record_ = nullptr;
  SortedRuns::Key key_{};
};

/// Reads the records of several readers in the order of the keys.
class Merged {
 public:
  explicit Merged(std::vector<std::unique_ptr<RunReader>> readers) : readers_(std::move(readers)) {
    for (const auto& reader : readers_) {
      if (!reader->over()) next_.push(reader.get());
    }
  }
  bool Next() {
    if (current_ != nullptr) {
      current_->Advance();
      if (!current_->over()) next_.push(current_);
    }
    current_ = next_.empty() ? nullptr : next_.top();
    if (current_ != nullptr) next_.pop();
    return current_ != nullptr;
  }
  const RunReader& current() const { return *current_; }

 private:
  struct Later {
    bool operator()(const RunReader* a, const RunReader* b) const { return *a > *b; }
  };
  std::vector<std::unique_ptr<RunReader>> readers_;
  std::priority_queue<RunReader*, std::vector<RunReader*>, Later> next_;
  RunReader* current_ = nullptr;
};

}  // namespace sorted_runs

using namespace sorted_runs;

struct SortedRuns::Cursor::Merge : Merged {
  using Merged::Merged;
};

SortedRuns::Cursor::Cursor(SortedRuns& log) {
  log.SortBuffer();
  std::vector<std::unique_ptr<RunReader>> readers;
  for (size_t i = 0; i < log.runs_.size(); ++i)
    readers.push_back(std::make_unique<RunReader>(log.runs_[i].path, i));
  readers.push_back(std::make_unique<RunReader>(log.buffer_, log.places_, log.runs_.size()));
  merge_ = std::make_unique<Merge>(std::move(readers));
}
SortedRuns::Cursor::~Cursor() = default;
bool SortedRuns::Cursor::Next() { return merge_->Next(); }
const SortedRuns::Key& SortedRuns::Cursor::key() const { return merge_->current().key(); }
std::span<const std::byte> SortedRuns::Cursor::bytes() const {
  return BytesOfRecord(merge_->current().record());
}

SortedRuns::~SortedRuns() {
  std::error_code ignored;
  for (const Run& run : runs_) fs::remove(run.path, ignored);
}

void SortedRuns::Add(const Key& key, std::span<const std::byte> record) {
  const size_t bytes = kRunHead + record.size();
  if (!buffer_.empty() && buffer_.size() + bytes > most_) WriteRun();
  const size_t at = buffer_.size();
  buffer_.resize(at + bytes);
  const auto length = static_cast<uint32_t>(record.size());
  std::memcpy(buffer_.data() + at, &length, kRunLength);
  std::memcpy(buffer_.data() + at + kRunLength, key.data(), sizeof key);
  if (!record.empty()) std::memcpy(buffer_.data() + at + kRunHead, record.data(), record.size());
  places_.push_back(at);
  sorted_ = false;
  ++records_;
}

void SortedRuns::SortBuffer() {
  if (sorted_) return;
  std::ranges::stable_sort(places_, {}, [this](size_t place) { return KeyOfRecord(buffer_.data() + place); });
  sorted_ = true;
}

fs::path SortedRuns::NextPath() { return folder_ / fmt::format("{}-{}", name_, files_++); }

void SortedRuns::WriteRun() {
  SortBuffer();
  runs_.push_back({NextPath(), 0});
  RunWriter file(runs_.back().path);
  for (const size_t place : places_) file.Write(buffer_.data() + place);
  file.Close();
  buffer_.clear();
  places_.clear();
  sorted_ = true;
  while (runs_.size() >= kFan && runs_[runs_.size() - kFan].level == runs_.back().level) MergeLast(kFan);
}

void SortedRuns::MergeLast(size_t count) {
  const size_t first = runs_.size() - count;
  const Run merged{NextPath(), runs_.back().level + 1};
  std::vector<std::unique_ptr<RunReader>> readers;
  for (size_t i = first; i < runs_.size(); ++i)
    readers.push_back(std::make_unique<RunReader>(runs_[i].path, i));
  runs_.push_back(merged);  // removed with the others if it cannot be written
  RunWriter file(merged.path);
  for (Merged all(std::move(readers)); all.Next();) file.Write(all.current().record());
  file.Close();
  for (size_t i = first; i < first + count; ++i) {
    std::error_code ignored;
    fs::remove(runs_[i].path, ignored);
  }
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(first), runs_.end() - 1);
}

void SortedRuns::ForEach(const Use& use) {
  for (Cursor at(*this); at.Next();) use(at.key(), at.bytes());
}

}  // namespace headroom
