#include "scenario/yaml/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenario/yaml/pattern.h"
#include "scenario/yaml/text_at.h"

namespace headroom {

const Node* Node::Find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

Node* Node::Find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).Find(key)); }

std::string Quote(std::string_view text, size_t longest) {
  std::string shown = "\"";
  size_t at = 0;
  while (at < text.size() && at < longest) {
    const size_t size = TextAt(text.substr(at));
    if (size == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    } else {
      shown += text.substr(at, size);
    }
    at += std::max<size_t>(size, 1);
  }
  return shown + (at < text.size() ? "…\"" : "\"");
}

std::string Describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return Quote(node.text);
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a mapping";
  }
  return {};
}

namespace {

/// Writes the text plainly if no YAML reader can mistake it for something else, otherwise in double quotes.
std::string ScalarToFlow(const std::string& text) {
  static const std::string kPlain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.%/+-";
  const bool plain = !text.empty() && text != "null" && text != "-" && text != "." && text.front() != '%' &&
                     text.find_first_not_of(kPlain) == std::string::npos && text.substr(0, 3) != "---" &&
                     text.substr(0, 3) != "...";
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string ToFlow(const Node& node) {
  std::string out;
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::scalar:
      return ScalarToFlow(node.text);
    case Node::Kind::list:
      for (const Node& item : node.items) (out += out.empty() ? "" : ", ") += ToFlow(item);
      return '[' + out + ']';
    case Node::Kind::map:
      for (const Entry& entry : node.entries)
        (out += out.empty() ? "" : ", ") += ScalarToFlow(entry.key) + ": " + ToFlow(entry.value);
      return '{' + out + '}';
  }
  return out;
}

Node NodeOfTexts(const std::vector<std::string>& texts) {
  Node list;
  list.kind = Node::Kind::list;
  for (const std::string& text : texts) {
    list.items.emplace_back();
    list.items.back().kind = Node::Kind::scalar;
    list.items.back().text = text;
  }
  return texts.size() == 1 ? list.items.front() : list;
}

std::string WriteTexts(const std::vector<std::string>& texts) { return ToFlow(NodeOfTexts(texts)); }

Node Merge(const Node& base, const Node& over, const std::vector<std::string>& whole,
           const std::string& path) {
  const bool is_whole =
      std::any_of(whole.begin(), whole.end(), [&](const auto& p) { return Matches(p, path); });
  if (!base.IsMap() || !over.IsMap() || is_whole) return over;
  Node merged = base;
  merged.where = over.where;
  for (const Entry& entry : over.entries) {
    if (Node* old = merged.Find(entry.key)) {
      *old = Merge(*old, entry.value, whole, path.empty() ? entry.key : path + "." + entry.key);
    } else {
      merged.entries.push_back(entry);
    }
  }
  return merged;
}

}  // namespace headroom
