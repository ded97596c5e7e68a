// Mutates the seeds of a fuzz target for a while and feeds them to it: NAME_fuzz SECONDS [SEED].
//
// The same seed gives the same inputs. A file in the working folder keeps the current input until the next
// one, so that it remains after a crash; it is removed at the end.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "corpus.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::string> Seeds(const FuzzCorpus& corpus) {
  std::vector<fs::path> paths;
  for (const auto& [folder, ending] : corpus.folders) {
    const fs::path below = HEADROOM_SOURCE_DIR + ('/' + folder);
    if (!fs::exists(below)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(below))
      if (entry.path().extension() == ending) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());  // the file system's order is arbitrary
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    if (text.str().size() < corpus.largest_seed) seeds.push_back(text.str());
  }
  return seeds;
}

class Mutator {
 public:
  Mutator(FuzzCorpus corpus, uint64_t seed)
      : corpus_(std::move(corpus)), seeds_(Seeds(corpus_)), random_(seed) {}

  std::string Next() {
    size_t seed = Below(seeds_.size());
    for (int pick = 1; pick < corpus_.favour_small; ++pick) {
      const size_t other = Below(seeds_.size());
      if (seeds_[other].size() < seeds_[seed].size()) seed = other;
    }
    std::string text = seeds_[seed];
    for (size_t n = 1 + Below(6); n > 0; --n) Mutate(text);
    return text.substr(0, 5 * corpus_.largest_seed);
  }

 private:
  size_t Below(size_t n) { return n == 0 ? 0 : random_() % n; }
  size_t Place(const std::string& text) { return Below(text.size() + 1); }

  /// The range from a random place to the end of that word.
  std::pair<size_t, size_t> Word(const std::string& text) {
    const std::string stops = " \n,:{}[]\"";
    size_t begin = text.find_first_not_of(stops, Place(text));
    if (begin == std::string::npos) begin = text.size();
    return {begin, std::min(text.find_first_of(stops, begin), text.size()) - begin};
  }

  void Mutate(std::string& text) {
    switch (Below(9)) {
      case 0:
        text.insert(Place(text), corpus_.tokens[Below(corpus_.tokens.size())]);
        break;
      case 1: {
        const auto [begin, length] = Word(text);
        text.replace(begin, length, corpus_.tokens[Below(corpus_.tokens.size())]);
        break;
      }
      case 2: {  // a word of another seed
        const std::string& other = seeds_[Below(seeds_.size())];
        const auto [begin, length] = Word(text);
        const auto [from, count] = Word(other);
        text.replace(begin, length, other.substr(from, count));
        break;
      }
      case 3:
        text.erase(Place(text), Below(20));
        break;
      case 4:
        if (!text.empty()) text[Below(text.size())] = static_cast<char>(random_());
        break;
      case 5: {  // one line twice
        const size_t begin = std::min(text.rfind('\n', Place(text)), text.size());
        const size_t end = std::min(text.find('\n', std::min(begin + 1, text.size())), text.size());
        if (begin < end) text.insert(end, text.substr(begin, end - begin));
        break;
      }
      case 6: {  // the rest of another seed
        const std::string& other = seeds_[Below(seeds_.size())];
        text = text.substr(0, Place(text)) + other.substr(Place(other));
        break;
      }
      case 7: {  // many copies of one character
        static const char* const kMany[] = {"[", "{", "- ", "? ", "a: ", "*", "\n", " ", "[a, ", "!", "&x "};
        const std::string one = kMany[Below(std::size(kMany))];
        std::string many;
        for (size_t n = Below(3'000); n > 0; --n) many += one;
        text.insert(Place(text), many);
        break;
      }
      default:
        text.resize(Place(text));
    }
  }

  FuzzCorpus corpus_;
  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0;
  if (argc < 2 || argc > 3 || seconds <= 0) {
    std::fprintf(stderr, "usage: %s SECONDS [SEED]\n", argv[0]);
    return 2;
  }
  Mutator mutator(Corpus(), argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const std::string kept = Corpus().kept;
  uint64_t runs = 0;
  for (; elapsed() < seconds; ++runs) {
    const std::string input = mutator.Next();
    std::ofstream(kept, std::ios::binary) << input;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  fs::remove(kept);
  std::printf("%llu inputs in %.0f s: no crash, no hang\n", static_cast<unsigned long long>(runs), elapsed());
  return 0;
}
