// The keys of scenarios, each described once: its name, kind and unit, default, bounds, one line of help, and
// the page with details. The reader with its errors, resolved.yaml, the JSON Schema, the tables of pages and
// `headroom keys` are derived from that description.
//
//   const KeysOf<LimiterParameters>& LimiterKeys() {
//     static const KeysOf<LimiterParameters> keys(
//         {.name = "limiter", .page = "models/dcqcn.md"},
//         {{"granularity", &LimiterParameters::granularity, OneOf<Granularity>({…}), "what it counts in"},
//          {"burst", &LimiterParameters::burst, Sizes(Bytes(1)), "sent back to back at line rate"}});
//     return keys;
//   }
//
// Rules over several keys are code: `check`, called when all keys of a mapping have been read.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenario/keys/kind.h"

namespace headroom::keys {

struct Key;

/// The price of changing a value, for those who run the network. `explain` tries no change of a key that is
/// `fixed`; a `diagnosis` only shows a cause, because nobody can order the change.
enum class Cost { inherited, fixed, repair, setting, reconfiguration, hardware, diagnosis };

/// Rare properties of keys.
struct Traits {
  bool required = false;
  bool breaks = false;      ///< starts a new line when written
  bool unlisted = false;    ///< read, but not proposed
  bool refused = false;     ///< its kind gives the reason
  std::string standard{};   ///< the default in words, if a new object does not show it
  std::string page{};       ///< page, if it is not the section's
  std::vector<Key> also{};  ///< the same value under other names, possibly in other units; never written
  std::vector<std::string> hidden{};  ///< other names that are read but not proposed
  std::string second_port{};          ///< a refused name: that of an adapter's second port
  std::vector<std::string> tried{};   ///< values that `explain` tries, if not those of lists/tried.h
  Cost cost = Cost::inherited;        ///< inherited: the section's
};

/// A key of an object whose type the reader of keys need not know.
struct Key {
  std::string name;
  std::string help;
  Shape shape;
  std::function<void(const Node&, void*, Reading&)> read{};         ///< none: other code reads it
  std::function<std::string(const void*, const Writing&)> write{};  ///< none: it is not written
  Traits traits{};
};

/// A kind without its type. All keys with the same type of values share one kind.
struct ForgottenKind {
  std::function<void(const Node&, void*, Reading&)> read;
  std::function<std::string(const void*, const Writing&)> write;
};
template <class F>
ForgottenKind Forget(const KindOf<F>& kind) {
  ForgottenKind forgotten;
  if (kind.read)
    forgotten.read = [read = kind.read](const Node& node, void* value, Reading& reading) {
      read(node, *static_cast<F*>(value), reading);
    };
  if (kind.write)
    forgotten.write = [write = kind.write](const void* value, const Writing& writing) {
      return write(*static_cast<const F*>(value), writing);
    };
  return forgotten;
}

/// The place of a value in an object: an offset in bytes, or a function's result.
struct PlaceIn {
  std::ptrdiff_t offset = 0;
  std::function<void*(void*)> find{};
};
template <class S>
const S& AnyObject() {
  static const S object{};
  return object;
}
template <class S, class Place>
PlaceIn PlaceOf(Place place) {
  if constexpr (std::is_member_object_pointer_v<Place>) {
    const S& object = AnyObject<S>();
    return {reinterpret_cast<const char*>(&(object.*place)) - reinterpret_cast<const char*>(&object)};
  } else {
    return {0, [place](void* object) -> void* { return &place(*static_cast<S*>(object)); }};
  }
}

Key KeyAt(const char* name, const char* help, const Shape& shape, Traits traits, ForgottenKind kind,
          PlaceIn place);

/// A key of S.
template <class S>
struct KeyOf : Key {
  /// A key of a field of a field.
  template <class F, class M>
  KeyOf(const char* key_name, M S::*part, F M::*field, const std::type_identity_t<KindOf<F>>& kind,
        const char* key_help, Traits key_traits = {})
      : Key(KeyAt(key_name, key_help, kind.shape, std::move(key_traits), Forget(kind),
                  {PlaceOf<S>(part).offset + PlaceOf<M>(field).offset})) {}
  /// A key that concerns S as a whole.
  KeyOf(const char* key_name, const KindOf<S>& kind, const char* key_help, Traits key_traits = {})
      : Key(KeyAt(key_name, key_help, kind.shape, std::move(key_traits), Forget(kind), {})) {}
  /// A key of a field of S, or of a part that a function finds in it.
  template <class Place, class F = std::remove_reference_t<std::invoke_result_t<Place, S&>>>
  KeyOf(const char* key_name, Place place, const std::type_identity_t<KindOf<F>>& kind, const char* key_help,
        Traits key_traits = {})
      : Key(KeyAt(key_name, key_help, kind.shape, std::move(key_traits), Forget(kind), PlaceOf<S>(place))) {}
};

/// Concatenates lists of keys.
template <class S>
std::vector<KeyOf<S>> Chain(std::vector<KeyOf<S>> keys, std::vector<KeyOf<S>> more) {
  keys.insert(keys.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return keys;
}

/// Texts about a mapping as a whole.
struct Section {
  std::string name;                    ///< unique name of its definition in the schema
  std::string page{};                  ///< page below docs with details
  std::string help{};                  ///< description of the mapping
  std::string type{};                  ///< the value of its key `type`, if that selects the mapping
  std::vector<std::string> not_yet{};  ///< keys that are refused as not supported yet
  std::vector<std::vector<std::string>> one_of{};   ///< exactly one key of each group is needed
  std::vector<std::vector<std::string>> some_of{};  ///< at least one key of each group is needed
  bool block = false;                               ///< written with one key per line
  bool marks = false;                               ///< of a control: it slows down for marks
  Cost cost = Cost::inherited;  ///< of its keys; inherited: that of the key which has the mapping
};

/// The keys of a mapping.
class Keys {
 public:
  using Check = std::function<void(const Node&, void*, Reading&)>;

  Keys(Section section, std::vector<Key> keys, std::function<std::shared_ptr<void>()> make, Check check)
      : section_(std::move(section)),
        keys_(std::move(keys)),
        make_(std::move(make)),
        check_(std::move(check)) {}
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  const Section& section() const { return section_; }
  const std::vector<Key>& keys() const { return keys_; }
  /// The default of a key, as in a scenario or in words; empty if there is none.
  std::string DefaultOf(const Key& key) const;

  /// Reads a mapping, reports unknown and missing keys, and checks the rules across several. Errors are added
  /// to the reading's, or are thrown.
  void Read(const Node& node, void* object, Reading& reading) const;
  /// Reads only the keys, for a caller that reads others and then finishes.
  void ReadInto(MapReader& map, void* object, Reading& reading) const;
  /// Reads everything, for a mapping with some keys already known.
  void ReadAll(MapReader& map, void* object, Reading& reading) const;
  /// Writes {a: 1, b: 2}, or one line per key.
  std::string Write(const void* object, const Writing& writing) const;
  /// Writes "  key: value\n" for each written key.
  std::string WriteLines(const void* object, const Writing& writing) const;

  Shape shape() const;

  /// For keys that a program registers, before a scenario is read. Throws std::invalid_argument for a name
  /// that is in use.
  void Add(Key key);

 private:
  Section section_;
  std::vector<Key> keys_;
  std::function<std::shared_ptr<void>()> make_;
  Check check_;
};

template <class S>
class KeysOf : public Keys {
 public:
  using CheckOf = std::function<void(const Node&, S&, Reading&)>;

  /// `start` makes the object from which defaults are taken.
  KeysOf(
      Section section, std::vector<KeyOf<S>> keys, const CheckOf& check = {},
      S (*start)() = [] { return S{}; })
      : Keys(
            std::move(section), {std::make_move_iterator(keys.begin()), std::make_move_iterator(keys.end())},
            [start] { return std::make_shared<S>(start()); }, Erased(check)),
        start_(start) {}
  /// An object before its keys are read.
  S Start() const { return start_(); }

 private:
  static Check Erased(const CheckOf& check) {
    if (!check) return {};
    return
        [check](const Node& node, void* s, Reading& reading) { check(node, *static_cast<S*>(s), reading); };
  }

  S (*start_)();
};

/// For a check: reports that the key is missing if there is no other error; a misspelt key is not also
/// reported as missing.
void NeedKey(const Node& node, const char* key, Reading& reading);

/// A mapping with these keys.
template <class S>
KindOf<S> Mapping(const KeysOf<S>& keys) {
  return {keys.shape(), [&keys](const Node& node, S& s, Reading& reading) { keys.Read(node, &s, reading); },
          [&keys](const S& s, const Writing& writing) { return keys.Write(&s, writing); }};
}

/// A value that is described here and read by other code.
template <class S>
KindOf<S> Described(Shape shape) {
  return {std::move(shape), {}, {}};
}

}  // namespace headroom::keys
