// Mutates scenarios for a while and feeds them to the fuzz target: scenario_fuzz SECONDS [SEED].
//
// The same seed gives the same inputs. The input at hand is kept in fuzz-input.yaml in the working folder
// until the next, so that a crash leaves it behind; it is removed at the end.
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

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::string> Seeds() {
  std::vector<fs::path> paths;
  for (const char* folder : {"/tests/scenario", "/scenarios"})
    for (const auto& entry : fs::recursive_directory_iterator(HEADROOM_SOURCE_DIR + std::string(folder)))
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());  // the file system's order is nobody's
  std::vector<std::string> seeds;
  for (const fs::path& path : paths) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    if (text.str().size() < 20'000) seeds.push_back(text.str());
  }
  return seeds;
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string text = seeds_[Below(seeds_.size())];
    for (size_t n = 1 + Below(6); n > 0; --n) Mutate(text);
    return text.substr(0, 100'000);
  }

 private:
  size_t Below(size_t n) { return n == 0 ? 0 : random_() % n; }
  size_t Place(const std::string& text) { return Below(text.size() + 1); }

  /// From a random place to the end of that word.
  std::pair<size_t, size_t> Word(const std::string& text) {
    const std::string stops = " \n,:{}[]\"";
    size_t begin = text.find_first_not_of(stops, Place(text));
    if (begin == std::string::npos) begin = text.size();
    return {begin, std::min(text.find_first_of(stops, begin), text.size()) - begin};
  }

  void Mutate(std::string& text) {
    static const char* const kTokens[] = {"0",
                                          "-1",
                                          "99999999999999999999",
                                          "100000000",
                                          "1/0",
                                          "1e999",
                                          "5%",
                                          "0ns",
                                          "1ps",
                                          "100Gbps",
                                          "64KiB",
                                          "null",
                                          "~",
                                          "true",
                                          "\"\"",
                                          "\"*\"",
                                          "[",
                                          "]",
                                          "{",
                                          "}",
                                          ": ",
                                          "- ",
                                          "? ",
                                          "&a ",
                                          "*a",
                                          "<<: ",
                                          "!!str ",
                                          "|\n",
                                          ">\n",
                                          "---\n",
                                          "...\n",
                                          "\t",
                                          "# ",
                                          "%YAML 1.2\n",
                                          "\xff",
                                          "\xef\xbb\xbf",
                                          "é",
                                          "h0",
                                          "s0",
                                          "*",
                                          "[0-",
                                          "hpcc",
                                          "none",
                                          "include: smallest.yaml\n",
                                          "file: hpcc-flows.txt",
                                          "#--set seed=2\n",
                                          "#--set workloads.0.size=1\n",
                                          "#--set nics.*.generation=gen1\n"};
    switch (Below(9)) {
      case 0:
        text.insert(Place(text), kTokens[Below(std::size(kTokens))]);
        break;
      case 1: {
        const auto [begin, length] = Word(text);
        text.replace(begin, length, kTokens[Below(std::size(kTokens))]);
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
      case 5: {  // a line again
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
      case 7: {  // many of one thing
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

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 0;
  if (argc < 2 || argc > 3 || seconds <= 0) {
    std::fputs("usage: scenario_fuzz SECONDS [SEED]\n", stderr);
    return 2;
  }
  Mutator mutator(Seeds(), argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const char* const kept = "fuzz-input.yaml";
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
