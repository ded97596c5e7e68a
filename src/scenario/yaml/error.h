// A position in a scenario, and the error that names it.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace headroom {

/// A scenario's source file, as messages name it.
struct SourceFile {
  std::string name;
  std::filesystem::path directory;  ///< base of paths in the file
  int order = 0;                    ///< number among the files of one scenario, in the order of reading
  bool argument = false;            ///< an argument of the command line: messages give its name, but no line
};

/// Line and column count from 1; line 0 means the whole file.
struct Position {
  std::shared_ptr<const SourceFile> file;
  int line = 1;
  int column = 1;

  bool Before(const Position& other) const;
  std::string ToString() const;  ///< FILE:LINE:COL; only the name for a whole file or an argument
};

/// The position of a whole file that is not part of a scenario.
Position WholeFile(const std::filesystem::path& file);

/// A scenario that cannot be run. what() is `FILE:LINE:COL: what is wrong; what is allowed; did you mean …`,
/// without unknown parts.
class ScenarioError : public std::runtime_error {
 public:
  ScenarioError(Position where, const std::string& wrong, const std::string& allowed = {},
                const std::string& did_you_mean = {});
  const Position& where() const { return where_; }

 private:
  Position where_;
};

}  // namespace headroom
