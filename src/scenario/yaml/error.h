// Where something stands in a scenario, and the error that names it.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace headroom {

/// A file that a scenario is read from, as messages name it.
struct SourceFile {
  std::string name;
  std::filesystem::path directory;  ///< what paths written in the file are relative to
  int order = 0;                    ///< counts the files of one scenario in the order of reading
  bool argument = false;            ///< a word of the command line: its name suffices, lines mean nothing
};

/// Line and column count from 1; line 0 is the file as a whole.
struct Position {
  std::shared_ptr<const SourceFile> file;
  int line = 1;
  int column = 1;

  bool Before(const Position& other) const;
  std::string ToString() const;  ///< FILE:LINE:COL; the name alone for a whole file or an argument
};

/// A file that is no part of a scenario, as a whole.
Position WholeFile(const std::filesystem::path& file);

/// A scenario that cannot be run. what() is `FILE:LINE:COL: what is wrong; what is allowed; did you mean …`,
/// without the parts that are not known.
class ScenarioError : public std::runtime_error {
 public:
  ScenarioError(Position where, const std::string& wrong, const std::string& allowed = {},
                const std::string& did_you_mean = {});
  const Position& where() const { return where_; }

 private:
  Position where_;
};

}  // namespace headroom
