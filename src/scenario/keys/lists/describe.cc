#include "scenario/keys/lists/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "scenario/keys/sections/scenario_keys.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"

namespace headroom::keys {

namespace {

/// A label that distinguishes a mapping from others at its place.
std::string OfWhat(const Keys& keys) {
  const Section& section = keys.section();
  return section.type.empty() ? section.help : "type " + section.type;
}

std::string Both(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ", " + b;
}

/// "type star, one kind of link" and "type torus, one kind of link": "type star, one kind of link, torus".
std::string Merged(std::string of, const std::string& more) {
  std::istringstream words(more);
  for (std::string word; std::getline(words >> std::ws, word, ',');) {
    if (word.starts_with("type ") && of.starts_with("type ")) word = word.substr(5);
    if (std::string(", " + of + ',').find(' ' + word + ',') == std::string::npos) of = Both(of, word);
  }
  return of;
}

class Lister {
 public:
  std::vector<KeyPlace> places;

  void Add(const Keys& keys, const std::string& path, const std::string& of) {
    for (const Key& key : keys.keys())
      AddKey(keys, key, path, of, key.traits.required ? "required" : keys.DefaultOf(key));
  }

 private:
  void AddKey(const Keys& keys, const Key& key, const std::string& path, const std::string& of,
              const std::string& standard) {
    if (key.traits.refused) return;
    const std::string& page = key.traits.page.empty() ? keys.section().page : key.traits.page;
    AddPlace({path + key.name, of, key.shape.kind, standard, key.shape.bounds, key.help, page,
              keys.section().name});
    AddInside(key, path + key.name, of);
    for (const Key& other : key.traits.also) AddKey(keys, other, path, of, "");
  }

  void AddInside(const Key& key, const std::string& at, const std::string& of) {
    const std::string step = key.shape.step.empty() ? "." : '.' + key.shape.step + '.';
    const bool one = key.shape.inside.size() == 1;
    for (const Keys* inside : key.shape.inside) Add(*inside, at + step, one ? of : Both(of, OfWhat(*inside)));
  }

  /// A key that is the same in several mappings at a place is listed once.
  void AddPlace(const KeyPlace& place) {
    const auto [at, is_new] = index_.emplace(
        Join({place.path, place.kind, place.standard, place.bounds, place.help}), places.size());
    if (is_new) {
      places.push_back(place);
    } else {
      places[at->second].of = Merged(places[at->second].of, place.of);
    }
  }

  std::map<std::string, size_t> index_;
};

std::string Cell(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.replace(at, 1, "\\|");
  return text;
}

}  // namespace

std::vector<KeyPlace> AllKeys() {
  Lister lister;
  lister.Add(ScenarioKeys(), "", "");
  return std::move(lister.places);
}

namespace {

std::string LastOf(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Whether --set would accept `text` for the key at `path`; * and words in capitals match any name.
bool IsPathOf(const std::string& text, const std::string& path) {
  std::istringstream texts(text), parts(path);
  for (std::string t, p; std::getline(parts, p, '.');) {
    if (!std::getline(texts, t, '.')) return false;
    const bool any = p == "*" || std::all_of(p.begin(), p.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!any && t != p) return false;
  }
  return texts.eof();
}

bool HasPart(const std::string& path, const std::string& name) {
  return ('.' + path + '.').find('.' + name + '.') != std::string::npos;
}

/// For "type star, one kind of link, torus": star, torus.
std::vector<std::string> TypesOf(const KeyPlace& place) {
  std::vector<std::string> types;
  std::istringstream parts(place.of);
  for (std::string part; std::getline(parts >> std::ws, part, ',');) {
    if (part.starts_with("type ")) part = part.substr(5);
    if (part.find(' ') == std::string::npos) types.push_back(part);
  }
  return types;
}

}  // namespace

std::vector<KeyPlace> MatchingKeys(const std::string& pattern) {
  std::vector<KeyPlace> places = AllKeys();
  const auto of_type = [&](const KeyPlace& place) { return std::ranges::count(TypesOf(place), pattern) > 0; };
  if (std::ranges::any_of(places, of_type)) {
    std::erase_if(places,
                  [&](const KeyPlace& place) { return !of_type(place) && !HasPart(place.path, pattern); });
    return places;
  }
  const bool shell = IsPattern(pattern);
  std::erase_if(places, [&](const KeyPlace& place) {
    if (place.path.find(pattern) != std::string::npos || IsPathOf(pattern, place.path)) return false;
    return !shell || (!Matches(pattern, place.path) && !Matches(pattern, LastOf(place.path)));
  });
  return places;
}

std::string NearestKey(const std::string& pattern) {
  std::vector<std::string> words;
  for (const KeyPlace& place : AllKeys()) {
    words.push_back(place.path);
    words.push_back(LastOf(place.path));
    std::ranges::copy(TypesOf(place), std::back_inserter(words));
  }
  return Nearest(pattern, words);
}

std::string KeyTable(const std::string& page) {
  std::string table = "| key | default | allowed | meaning |\n| --- | --- | --- | --- |\n";
  std::set<std::string> rows;
  for (const KeyPlace& place : AllKeys()) {
    // Equal keys at several places share a row.
    if (place.page != page || !rows.insert(Join({place.section, place.path.substr(place.path.rfind('.') + 1),
                                                 place.standard, place.help}))
                                   .second)
      continue;
    table += fmt::format("| `{}`{} | {} | {} | {} |\n", Cell(place.path),
                         place.of.empty() ? "" : " (" + place.of + ")", Cell(place.standard),
                         Cell(place.bounds.empty() ? place.kind : place.bounds), Cell(place.help));
  }
  return rows.empty() ? "" : table;
}

std::string Capital(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string Sentence(const Keys& keys, const Key& key) {
  std::string text = Capital(key.help) + '.';
  const std::string standard = keys.DefaultOf(key);
  // Bounds that a schema can express are left out of the text.
  const bool quantity = key.shape.kind == "time" || key.shape.kind == "rate" || key.shape.kind == "size" ||
                        key.shape.kind == "fraction" || key.shape.kind == "clock rate";
  if (quantity && !key.shape.bounds.empty()) text += fmt::format(" From {}.", key.shape.bounds);
  if (!standard.empty()) text += fmt::format(" Default {}.", standard);
  return text;
}

}  // namespace headroom::keys
