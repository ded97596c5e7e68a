#include "report/csv/result_file.h"

namespace headroom {

static std::map<std::string, const ResultFile*>& Registered() {
  static std::map<std::string, const ResultFile*> files;
  return files;
}

const std::map<std::string, const ResultFile*>& ResultFiles() { return Registered(); }

ResultFile::ResultFile(std::string name, std::string line, bool (*condition)(const ResultRun&))
    : help(std::move(line)), is_in(condition) {
  Registered()[std::move(name)] = this;
}

void ResultFile::Write(const std::filesystem::path& path, const ResultRun& run) const {
  TextFile file(path);
  WriteTo(file, run);
  file.Close();
}

}  // namespace headroom
