// Corrections that errors suggest are valid. Each key and each value of the good scenarios is misspelt, the
// correction is applied, and the scenario loads.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "scenario/read/load.h"
#include "scenario/yaml/document.h"
#include "scenario/yaml/quantity.h"

namespace headroom::nearest_hints_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGood = fs::path(HEADROOM_SOURCE_DIR) / "tests/scenario/good";

/// Returns X of `did you mean "X"?` or of `did you mean "X" or "Y"?`: X and Y.
std::vector<std::string> HintsOf(const std::string& message) {
  const std::string mark = "did you mean ";
  const size_t at = message.rfind(mark);
  if (at == std::string::npos) return {};
  std::string rest = message.substr(at + mark.size());
  rest.resize(rest.rfind('?'));
  std::vector<std::string> hints;
  for (size_t begin = 0; begin < rest.size();) {
    const size_t end = std::min(rest.find("\" or \"", begin), rest.size());
    std::string hint = rest.substr(begin, end - begin);
    std::erase(hint, '"');
    hints.push_back(hint);
    begin = end + 5;
  }
  return hints;
}

/// Empty: the document loads.
std::string ErrorOf(const Node& document) {
  try {
    LoadScenarioText(ToFlow(document), "x.yaml", kGood);
  } catch (const ScenarioError& e) {
    return e.what();
  }
  return "";
}

/// One letter less, two swapped, one doubled, or another case.
std::string Misspelt(const std::string& text, std::mt19937& random) {
  std::string wrong = text;
  const size_t at = random() % text.size();
  switch (random() % 4) {
    case 0:
      wrong.erase(at, 1);
      break;
    case 1:
      std::swap(wrong[at], wrong[(at + 1) % wrong.size()]);
      break;
    case 2:
      wrong.insert(at, 1, wrong[at]);
      break;
    default:
      wrong[at] =
          static_cast<char>(std::isupper(static_cast<unsigned char>(wrong[at])) ? std::tolower(wrong[at])
                                                                                : std::toupper(wrong[at]));
  }
  return wrong;
}

class Misspeller {
 public:
  explicit Misspeller(const fs::path& file) : file_(file), document_(ReadDocument(file, {})) {}

  void TryAll() { Visit(document_, ""); }

  static inline int hints = 0;

 private:
  void Visit(Node& node, const std::string& path) {
    for (Node& item : node.items) Visit(item, path + "*");
    for (Entry& entry : node.entries) {
      if (Fresh(path + "." + entry.key)) Try(entry.key);
      Visit(entry.value, path + "." + entry.key);
    }
    const bool word =
        node.IsScalar() && !node.text.empty() && !std::isdigit(static_cast<unsigned char>(node.text[0]));
    if (word && Fresh(path + "=" + node.text)) Try(node.text);
  }

  /// Whether this is new: the same key at the same place, or value, in another scenario gives the same
  /// message.
  static bool Fresh(const std::string& what) {
    static std::set<std::string> seen;
    return seen.insert(what).second;
  }

  void Try(std::string& text) {
    const std::string right = text, wrong = Misspelt(right, random_);
    if (wrong.empty() || wrong == right) return;
    text = wrong;
    const std::string error = ErrorOf(document_);
    // An error about other words, which refer to this one, concerns those.
    if (error.substr(0, error.find("; ")).find('"' + wrong + '"') == std::string::npos) {
      text = right;
      return;
    }
    for (const std::string& hint : HintsOf(error)) {
      ++hints;
      text = hint;
      EXPECT_EQ(ErrorOf(document_), "") << file_ << ": " << right << " as " << wrong << ": " << error;
    }
    text = right;
  }

  const fs::path file_;
  Node document_;
  static inline std::mt19937 random_{1};
};

TEST(Hints, of_each_misspelt_key_and_value_can_be_written) {
  for (const auto& entry : fs::directory_iterator(kGood)) {
    if (entry.path().extension() != ".yaml" || entry.path().filename() == "trees-common.yaml") continue;
    Misspeller(entry.path()).TryAll();
  }
  EXPECT_GT(Misspeller::hints, 150);
}

std::string Pick(const std::vector<std::string>& all, std::mt19937& random) {
  return all[random() % all.size()];
}

/// Numbers with wrong or missing units, inside of their ranges.
TEST(Hints, of_each_quantity_is_of_its_range) {
  std::mt19937 random(2);
  const std::vector<std::string> numbers = {
      "0",       "1",           "2.5",           "25",    "64", "400", "9100", "25000", "100000",
      "1048576", "25000000000", "25000000000.0", "0.0005"};
  const std::vector<std::string> units = {
      "",  "k",     "K",   "Kb",   "M",   "m", "G",  "g",    "Gb",  "gb",   "Gbit", "GbE", "GB", "GBps",
      "b", "bit/s", "sec", "usec", "min", "h", "µs", "MSEC", "Gps", "gbps", "kib",  "ghz", "hz", " ms"};
  int hints = 0;
  for (int i = 0; i < 20'000; ++i) {
    Node node;
    node.kind = Node::Kind::scalar;
    node.text = Pick(numbers, random) + Pick(units, random);
    const int64_t least = int64_t{1} << random() % 40, most = least << random() % 23;
    const auto parse = [&, kind = random() % 3](const Node& n) {
      if (kind == 0) ParseTime(n, Time(least), Time(most));
      if (kind == 1) ParseRate(n, Rate(least), Rate(most));
      if (kind == 2) ParseSize(n, Bytes(least), Bytes(most));
    };
    try {
      parse(node);
    } catch (const ScenarioError& e) {
      for (const std::string& hint : HintsOf(e.what())) {
        ++hints;
        node.text = hint;
        EXPECT_NO_THROW(parse(node)) << e.what();
      }
    }
  }
  EXPECT_GT(hints, 1000);
}

}  // namespace
}  // namespace headroom::nearest_hints_test
