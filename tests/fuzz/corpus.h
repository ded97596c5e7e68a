// Start inputs of the mutator in main.cc; each fuzz target has its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

struct FuzzCorpus {
  /// Folder below the source tree, searched through, and ending of the files. A missing folder has none.
  std::vector<std::pair<std::string, std::string>> folders;
  size_t largest_seed = 20'000;
  int favour_small = 1;             ///< of this many picked seeds the smallest is taken
  std::vector<std::string> tokens;  ///< that the format has, or that try it
  std::string kept;                 ///< the file that holds the input at hand
};

FuzzCorpus Corpus();
