#include "files/text_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

namespace headroom {

TextFile::TextFile(const std::filesystem::path& path, const std::filesystem::path& name)
    : TextFile(std::fopen(path.c_str(), "wb"), name) {}

TextFile::TextFile(int descriptor, const std::filesystem::path& name)
    : TextFile(fdopen(dup(descriptor), "wb"), name) {}

TextFile::TextFile(std::FILE* file, const std::filesystem::path& name) : name_(name), file_(file) {
  if (!file_) Fail(errno);
  std::setvbuf(file_, nullptr, _IONBF, 0);  // buffer_ replaces the library's buffer
}

TextFile::~TextFile() {
  if (file_) std::fclose(file_);
}

void TextFile::Write(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kFlushAt) Flush();
}

void TextFile::Flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) Fail(errno);
  buffer_.clear();
}

void TextFile::Close() {
  Flush();
  if (std::fclose(std::exchange(file_, nullptr)) != 0) Fail(errno);
}

void TextFile::Fail(int error) const {
  throw ResultError(fmt::format("{}: cannot be written: {}", name_.string(), std::strerror(error)));
}

namespace {

namespace fs = std::filesystem;

/// The file itself, if the path is a chain of links to it. Throws ResultError.
fs::path FileTarget(const fs::path& path) {
  const auto fail = [&](const char* why) {
    throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), why));
  };
  if (path.empty()) throw ResultError("the file to write has an empty name; give another --out");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status) || !path.has_filename()) fail("is a folder");
  if (error && status.type() != fs::file_type::not_found) fail(std::strerror(error.value()));
  if (!fs::is_symlink(path, error)) return path;
  if (!fs::exists(status)) fail("is a link that leads nowhere");
  const fs::path followed = fs::canonical(path, error);
  return error ? path : followed;  // /proc/self/fd/1 leads to no path if it is a pipe
}

/// The open file of this process to which `path` leads: stdout, stderr, or the target of a link through
/// /proc/self/fd, such as /dev/stdout. Opening such a file again would start at its beginning.
std::optional<int> OpenDescriptor(fs::path path) {
  struct stat file = {}, open = {};
  if (stat(path.c_str(), &file) != 0) return {};
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    if (fstat(descriptor, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino)
      return descriptor;
  }
  std::error_code error;
  const fs::path descriptors = fs::canonical("/proc/self/fd", error);
  while (fs::is_symlink(path, error)) {
    if (fs::canonical(fs::absolute(path).parent_path(), error) == descriptors) {
      const std::string name = path.filename().string();
      int descriptor = 0;
      std::from_chars(name.data(), name.data() + name.size(), descriptor);
      return descriptor;
    }
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return {};
}

}  // namespace

bool TakesAPlace(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && !OpenDescriptor(path);
}

void RequireFree(const fs::path& path) {
  if (TakesAPlace(path))
    throw ResultError(fmt::format("{}: exists; give --force to replace it, or another --out", path.string()));
}

void WriteWhole(const fs::path& path, std::string_view text) {
  if (const std::optional<int> open = OpenDescriptor(path)) {
    std::fflush(nullptr);  // earlier output must precede this text
    TextFile file(*open, path);
    file.Write(text);
    return file.Close();
  }
  const fs::path target = FileTarget(path);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  const bool special = fs::exists(status) && !fs::is_regular_file(status);
  const fs::path partial = special ? target : PartialBeside(target);
  try {
    TextFile file(partial, path);
    file.Write(text);
    file.Close();
    if (!special) fs::rename(partial, target, error);
  } catch (const ResultError&) {
    if (!special) fs::remove(partial, error);
    throw;
  }
  if (!error) return;
  const std::string why = error.message();
  fs::remove(partial, error);
  throw ResultError(fmt::format("{}: cannot be written: {}", path.string(), why));
}

std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace headroom
