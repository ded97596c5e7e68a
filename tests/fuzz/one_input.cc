// Runs one input of a fuzz target: within five seconds of CPU, and no exception leaves it.
#include "one_input.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

void Fail(const std::string& why, const std::string& text) {
  std::fprintf(stderr, "%s, on:\n%s\n", why.c_str(), text.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::clock_t start = std::clock();  // CPU time: targets run at the same time
  try {
    Check(text);
  } catch (const std::exception& e) {
    Fail(std::string("an exception that is no error of the input: ") + e.what(), text);
  }
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (took > 5) Fail("took " + std::to_string(took) + " s", text);
  return 0;
}
