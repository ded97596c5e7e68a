#include "scenario/write/digest.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "scenario/write/write.h"
#include "scenario/yaml/node.h"

namespace headroom {

namespace {

class Fnv1a {
 public:
  void Add(const std::string& bytes) {
    for (const char c : bytes) {
      hash_ ^= static_cast<unsigned char>(c);
      hash_ *= 0x100000001b3;
    }
    hash_ *= 0x100000001b3;  // marks the end of a text: "ab" and "c" differ from "a" and "bc"
  }
  std::string Text() const { return fmt::format("{:016x}", hash_); }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

std::string DigestOf(const ScenarioFile& file) {
  const Resolved resolved = WriteResolved(file, 1);
  Fnv1a hash;
  hash.Add(resolved.yaml);
  for (const ReferencedFile& referenced : resolved.files) {
    std::ifstream in(referenced.from, std::ios::binary);
    hash.Add({std::istreambuf_iterator<char>(in), {}});
    if (!in) throw ScenarioError({}, Quote(referenced.from.string(), 200) + " can no longer be read");
  }
  return hash.Text();
}

}  // namespace headroom
