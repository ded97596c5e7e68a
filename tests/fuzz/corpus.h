// Start inputs of the mutator in main.cc; each fuzz target has its own list.
#pragma once

#include <string>
#include <utility>
#include <vector>

struct FuzzCorpus {
  /// A folder below the source tree, in which all folders are searched, and the ending of the files. A
  /// missing folder has no files.
  std::vector<std::pair<std::string, std::string>> folders;
  size_t largest_seed = 20'000;
  int favour_small = 1;             ///< the smallest of this many drawn seeds is taken
  std::vector<std::string> tokens;  ///< tokens of the format, or ones that test it
  std::string kept;                 ///< the file with the current input
};

FuzzCorpus Corpus();
