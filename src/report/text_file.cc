#include "report/text_file.h"

#include <cerrno>
#include <cstring>

namespace headroom {

TextFile::TextFile(const std::filesystem::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) Fail(errno);
  std::setvbuf(file_, nullptr, _IONBF, 0);  // buffer_ is the buffer
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
  throw ResultError(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(error)));
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
