#include "scenario/keys/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "scenario/yaml/nearest.h"

namespace headroom::keys {

namespace {

constexpr char kNone[] = "none";

/// All names of a key, including those of its other spellings.
std::vector<std::string> NamesOf(const Key& key) {
  std::vector<std::string> names{key.name};
  names.insert(names.end(), key.traits.hidden.begin(), key.traits.hidden.end());
  for (const Key& other : key.traits.also) {
    const std::vector<std::string> more = NamesOf(other);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

void ReadNamed(MapReader& map, const Key& key, const std::string& name, void* object, Reading& reading) {
  map.Read(name, [&](const Node& value) {
    reading.key = name;
    key.read(value, object, reading);
  });
}

void RefuseSecondPort(MapReader& map, const Key& key) {
  const std::string& second = key.traits.second_port;
  if (second.empty() || !map.Has(second)) return;
  map.Find(second);
  const auto entry = std::ranges::find(map.node().entries, second, &Entry::key);
  map.errors().Add(ScenarioError(
      entry->where,
      fmt::format("{} is for an adapter's second port, but a NIC in Headroom has one port", second),
      fmt::format("give {}1; model a second port as a NIC of another host",
                  second.substr(0, second.size() - 1))));
}

void ReadKey(MapReader& map, const Key& key, void* object, Reading& reading) {
  if ((key.traits.unlisted || key.traits.refused) && !(key.read && map.Has(key.name))) return;
  map.Find(key.name);
  RefuseSecondPort(map, key);
  if (key.read) {
    if (key.traits.required) map.Need({key.name.c_str()});
    ReadNamed(map, key, key.name, object, reading);
    for (const std::string& name : key.traits.hidden)
      if (map.Has(name)) ReadNamed(map, key, name, object, reading);
  }
  for (const Key& other : key.traits.also) ReadKey(map, other, object, reading);
}

/// If two names of one key are given, the second is an error.
void RefuseTwoNames(MapReader& map, const Key& key) {
  const std::vector<std::string> names = NamesOf(key);
  const Entry* first = nullptr;
  for (const Entry& entry : map.node().entries) {
    if (std::ranges::find(names, entry.key) == names.end()) continue;
    if (first) {
      map.errors().Add(ScenarioError(entry.value.where,
                                     fmt::format("{} and {} are the same parameter", first->key, entry.key),
                                     "give one of them"));
      return;
    }
    first = &entry;
  }
}

void SortNames(const Key& key, std::vector<std::string>& listed, std::vector<std::string>& hidden) {
  if (!key.traits.unlisted && !key.traits.refused) listed.push_back(key.name);
  hidden.insert(hidden.end(), key.traits.hidden.begin(), key.traits.hidden.end());
  for (const Key& other : key.traits.also) SortNames(other, listed, hidden);
}

/// Proposes a name that is read but not listed, if it is the most similar name.
void ProposeHidden(MapReader& map, const std::vector<Key>& keys) {
  std::vector<std::string> listed, hidden;
  for (const Key& key : keys) SortNames(key, listed, hidden);
  if (hidden.empty()) return;
  std::vector<std::string> all = listed, absent;
  all.insert(all.end(), hidden.begin(), hidden.end());
  std::ranges::copy_if(all, std::back_inserter(absent),
                       [&](const std::string& name) { return !map.Has(name); });
  for (const Entry& entry : map.node().entries) {
    if (std::ranges::count(all, entry.key) > 0) continue;
    const std::string near = Nearest(entry.key, absent);
    if (near.empty() || std::ranges::count(hidden, near.substr(1, near.size() - 2)) == 0) continue;
    map.errors().Add(ScenarioError(entry.where, "unknown key " + Quote(entry.key),
                                   "allowed: " + Join(listed) + ", and the adapters' names for these", near));
  }
}

/// A key written with its default "none", which counts as absent.
bool IsNone(const Entry& entry, const std::vector<Key>& keys) {
  const auto key = std::ranges::find(keys, entry.key, &Key::name);
  return entry.value.IsScalar() && entry.value.text == kNone && key != keys.end() &&
         key->traits.standard == kNone;
}

/// Refuses "a" beside "b".
void RefuseBoth(MapReader& map, const std::vector<std::string>& names, const std::vector<Key>& keys) {
  std::vector<std::string> there;
  for (const Entry& entry : map.node().entries)
    if (std::ranges::count(names, entry.key) > 0 && !IsNone(entry, keys)) there.push_back(Quote(entry.key));
  if (there.size() < 2) return;
  std::ranges::sort(there, {}, [&](const std::string& quoted) {
    return std::ranges::find(names, quoted.substr(1, quoted.size() - 2));
  });
  if (names.size() == 2)
    map.errors().Add(ScenarioError(map.node().where, there[0] + " beside " + there[1]));
  else
    map.errors().Add(ScenarioError(map.node().where, Join(there) + " exclude each other"));
}

/// If one of several keys is needed, "none" does not count.
void RefuseNoneAlone(MapReader& map, const std::vector<std::string>& names, const std::vector<Key>& keys) {
  const Entry* none = nullptr;
  for (const Entry& entry : map.node().entries) {
    if (std::ranges::count(names, entry.key) == 0) continue;
    if (!IsNone(entry, keys)) return;
    none = &entry;
  }
  if (none != nullptr)
    map.errors().Add(ScenarioError(none->value.where,
                                   Quote(none->key) + " is none, which is not allowed here; give a value",
                                   "one of " + Join(names)));
}

}  // namespace

/// The default "none" may be written even if the value's kind has no such word: then the key counts as
/// absent.
static void LetNoneStand(Key& key, ForgottenKind& kind) {
  const std::string& bounds = key.shape.bounds;
  if (key.traits.standard != kNone || !kind.read || bounds.starts_with(kNone)) return;
  if (bounds.empty()) key.shape.bounds = key.shape.kind;
  key.shape = ShapeOrWord(kNone, std::move(key.shape));
  kind.read = [read = std::move(kind.read)](const Node& node, void* value, Reading& reading) {
    if (!node.IsScalar() || node.text != kNone) read(node, value, reading);
  };
}

Key KeyAt(const char* name, const char* help, const Shape& shape, Traits traits, ForgottenKind kind,
          PlaceIn place) {
  Key key{name, help, shape, {}, {}, std::move(traits)};
  LetNoneStand(key, kind);
  const auto in = [place = std::move(place)](const void* object) -> void* {
    void* const at = const_cast<void*>(object);
    return place.find ? place.find(at) : static_cast<char*>(at) + place.offset;
  };
  if (kind.read)
    key.read = [in, read = std::move(kind.read)](const Node& node, void* object, Reading& reading) {
      read(node, in(object), reading);
    };
  if (kind.write)
    key.write = [in, write = std::move(kind.write)](const void* object, const Writing& writing) {
      return write(in(object), writing);
    };
  return key;
}

void NeedKey(const Node& node, const char* key, Reading& reading) {
  if (!node.Find(key) && !reading.errors.Any())
    reading.errors.Add(ScenarioError(node.where, fmt::format("the key \"{}\" is missing", key)));
}

std::string Keys::DefaultOf(const Key& key) const {
  if (key.traits.required) return "";
  if (!key.traits.standard.empty() || !key.write || !key.shape.inside.empty()) return key.traits.standard;
  return key.write(make_().get(), {});
}

void Keys::ReadInto(MapReader& map, void* object, Reading& reading) const {
  for (const Key& key : keys_) {
    ReadKey(map, key, object, reading);
    if (!key.traits.also.empty() || !key.traits.hidden.empty()) RefuseTwoNames(map, key);
  }
  for (const std::string& key : section_.not_yet) map.NotYet({key.c_str()});
  for (const auto& names : section_.one_of) {
    map.NeedOneOf(names);
    RefuseBoth(map, names, keys_);
    RefuseNoneAlone(map, names, keys_);
  }
  for (const auto& names : section_.some_of) {
    map.NeedOneOf(names);
    RefuseNoneAlone(map, names, keys_);
  }
}

void Keys::Read(const Node& node, void* object, Reading& reading) const {
  MapReader map(node, reading.errors);
  ReadAll(map, object, reading);
}

void Keys::ReadAll(MapReader& map, void* object, Reading& reading) const {
  ReadInto(map, object, reading);
  ProposeHidden(map, keys_);
  map.Finish();
  if (check_) check_(map.node(), object, reading);
}

std::string Keys::WriteLines(const void* object, const Writing& writing) const {
  std::string text;
  for (const Key& key : keys_) {
    if (!key.write) continue;
    const std::string indent(writing.indent, ' ');
    Writing inner = writing;
    inner.column = writing.indent + key.name.size() + 2;
    const std::string value = key.write(object, inner);
    if (value.empty()) continue;
    text += fmt::format("{}{}:{}{}\n", indent, key.name, value.starts_with('\n') ? "" : " ", value);
  }
  return text;
}

std::string Keys::Write(const void* object, const Writing& writing) const {
  Writing inner = writing;
  if (section_.block) {
    inner.indent += 2;
    std::string text = WriteLines(object, inner);
    if (text.empty()) return text;
    text.pop_back();
    return '\n' + text;
  }
  std::string text;
  for (const Key& key : keys_) {
    if (!key.write) continue;
    const std::string value = key.write(object, inner);
    if (value.empty()) continue;
    if (!text.empty()) text += key.traits.breaks ? ",\n" + std::string(writing.column + 1, ' ') : ", ";
    text += key.name + ": " + value;
  }
  return '{' + text + '}';
}

void Keys::Add(Key key) {
  for (const Key& known : keys_) {
    const std::vector<std::string> names = NamesOf(known);
    if (std::ranges::find(names, key.name) != names.end())
      throw std::invalid_argument(fmt::format("{} has a key \"{}\" already", section_.name, key.name));
  }
  keys_.push_back(std::move(key));
}

Shape Keys::shape() const {
  return {"mapping", "", fmt::format(R"({{"$ref": "#/definitions/{}"}})", section_.name), {this}, {}};
}

}  // namespace headroom::keys
