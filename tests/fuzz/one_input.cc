// One input for a fuzz target: within two seconds, and no exception leaves it.
#include "one_input.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

void Fail(const std::string& why, const std::string& text) {
  std::fprintf(stderr, "%s, on:\n%s\n", why.c_str(), text.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto start = std::chrono::steady_clock::now();
  try {
    Check(text);
  } catch (const std::exception& e) {
    Fail(std::string("an exception that is no error of the input: ") + e.what(), text);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (took.count() > 2) Fail("took " + std::to_string(took.count()) + " s", text);
  return 0;
}
