// Typed reading of one row of a SONiC table. An error in a field becomes a finding, and the field stays
// absent.
#pragma once

#include <concepts>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/units.h"
#include "sonic/tables/findings.h"

namespace headroom {

template <class E>
using SonicChoices = std::initializer_list<std::pair<const char*, E>>;

inline constexpr int64_t kLargestSonicSize = int64_t{1} << 50;

class SonicRowReader {
 public:
  /// REQUIRES: `row` is an object.
  SonicRowReader(SonicPlace place, const nlohmann::ordered_json& row, SonicFindings& findings)
      : place_(std::move(place)), row_(row), findings_(findings) {}

  const SonicPlace& place() const { return place_; }
  SonicFindings& findings() { return findings_; }

  // Each function leaves `out.value` unchanged if the field is absent or wrong, and sets its place.
  void Text(const std::string& field, SonicValue<std::string>& out);
  /// A name, also in the form "[TABLE|name]"; "[]" and "" mean none.
  void Reference(const std::string& field, const std::string& table, SonicValue<std::string>& out);
  /// Several names, separated by commas.
  void References(const std::string& field, const std::string& table,
                  SonicValue<std::vector<std::string>>& out);
  void Size(const std::string& field, SonicValue<Bytes>& out);
  void Milliseconds(const std::string& field, SonicValue<Time>& out, int64_t least, int64_t most);
  /// Words for yes and no.
  void Flag(const std::string& field, SonicValue<bool>& out, const char* yes, const char* no);
  /// Priorities, for example "3,4".
  void Mask(const std::string& field, SonicValue<uint8_t>& out);
  template <std::integral T>
  void Integer(const std::string& field, SonicValue<T>& out, int64_t least, int64_t most) {
    if (const auto n = WholeNumber(field, out.place, least, most)) out.value = static_cast<T>(*n);
  }
  template <class E>
  void Choice(const std::string& field, SonicValue<E>& out, SonicChoices<E> choices) {
    const auto text = TextOf(field, out.place);
    if (!text) return;
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (*text == name) out.value = value;
      names.push_back(name);
    }
    if (!out.value) FailChoice(out.place, *text, names);
  }

  /// Adds a note for each unread field.
  void Finish();

 private:
  /// The field as text without surrounding blanks. None if it is absent or not text.
  std::optional<std::string> TextOf(const std::string& field, SonicPlace& place);
  std::optional<int64_t> WholeNumber(const std::string& field, SonicPlace& place, int64_t least,
                                     int64_t most);
  /// The name in a reference. None if it is malformed (with a finding), or empty.
  std::optional<std::string> NameOf(const std::string& text, const std::string& table,
                                    const SonicPlace& place);
  void FailChoice(const SonicPlace& place, const std::string& text, const std::vector<std::string>& names);

  SonicPlace place_;
  const nlohmann::ordered_json& row_;
  SonicFindings& findings_;
  std::set<std::string> known_;
};

/// The text without leading and trailing blanks.
std::string Trimmed(const std::string& text);
/// The parts between commas, each trimmed.
std::vector<std::string> CommaParts(const std::string& text);

}  // namespace headroom
