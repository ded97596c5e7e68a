#include "scenario/yaml/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "files/whole_text.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/parse_yaml.h"
#include "scenario/yaml/reader.h"
#include "scenario/yaml/set_path.h"

namespace headroom {

namespace {

constexpr int kMostFiles = 100;

bool SameName(const Node& a, const Node& b) {
  const Node* name = a.Find("name");
  const Node* other = b.Find("name");
  return name && other && name->IsScalar() && other->IsScalar() && name->text == other->text;
}

Node JoinLists(const Node& base, const Node& over, bool by_name) {
  Node joined = base;
  for (const Node& item : over.items) {
    const auto same = std::find_if(joined.items.begin(), joined.items.end(),
                                   [&](const Node& old) { return by_name && SameName(old, item); });
    if (same != joined.items.end()) {
      *same = Merge(*same, item);
    } else {
      joined.items.push_back(item);
    }
  }
  joined.where = over.where;
  return joined;
}

bool SameType(const Node& base, const Node& over) {
  const Node* type = base.Find("type");
  const Node* other = over.Find("type");
  return !other || (type && type->text == other->text);
}

/// `over` includes `base`.
Node Include(const Node& base, const Node& over) {
  Node merged = base;
  merged.where = over.where;
  for (const Entry& entry : over.entries) {
    Node* old = merged.Find(entry.key);
    const std::string& key = entry.key;
    const bool named = key == "workloads" || key == "services";
    const bool joins = named || key == "switches" || key == "nics" || key == "hosts" || key == "faults";
    const bool whole =
        key == "vary" || key == "expect" || (old && key == "topology" && !SameType(*old, entry.value));
    if (!old) {
      merged.entries.push_back(entry);
    } else if (joins && old->IsList() && entry.value.IsList()) {
      *old = JoinLists(*old, entry.value, named);
    } else {
      *old = whole ? entry.value : Merge(*old, entry.value);
    }
  }
  return merged;
}

class DocumentReader {
 public:
  Node Parse(const std::string& text, const std::string& name, const std::filesystem::path& directory) {
    auto file = std::make_shared<SourceFile>(SourceFile{name, directory, files_++});
    const Position start{file, 1, 1};
    if (text.size() > kLargestScenarioFile)
      throw ScenarioError(start, "the file is too large", "allowed: up to 16MiB");
    Node root = ParseYaml(text, file);
    if (root.IsNull()) throw ScenarioError(start, "the file is empty");
    if (!root.IsMap())
      throw ScenarioError(root.where, Describe(root) + " is not a mapping of keys to values");
    return WithIncludes(std::move(root));
  }

  Node Read(const std::filesystem::path& path, const Position& asked_by) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
      throw ScenarioError(asked_by, Quote(path.string(), 400) + " is a folder", "a file");
    if (!std::filesystem::is_regular_file(path, error))
      throw ScenarioError(asked_by, "there is no file " + Quote(path.string(), 400));
    if (std::filesystem::file_size(path, error) > kLargestScenarioFile)
      throw ScenarioError(asked_by, Quote(path.string(), 400) + " is too large", "allowed: up to 16MiB");
    const std::optional<std::string> text = WholeText(path);
    if (!text) throw ScenarioError(asked_by, "cannot read " + Quote(path.string(), 400));
    const std::filesystem::path real = std::filesystem::weakly_canonical(path);
    if (std::find(open_.begin(), open_.end(), real) != open_.end())
      throw ScenarioError(asked_by, Quote(path.string(), 400) + " includes itself");
    open_.push_back(real);
    Node root = Parse(*text, path.string(), path.parent_path());
    open_.pop_back();
    return root;
  }

  int files() const { return files_; }

 private:
  Node WithIncludes(Node root) {
    const Node* include = root.Find("include");
    if (!include) return root;
    Node base;
    base.kind = Node::Kind::map;
    const auto add = [&](const Node& item) {
      if (files_ > kMostFiles) throw ScenarioError(item.where, "more than 100 included files");
      base = Include(base, Read(ParsePath(item), item.where));
    };
    if (include->IsList()) {
      for (const Node& item : include->items) add(item);
    } else {
      add(*include);
    }
    std::erase_if(root.entries, [](const Entry& entry) { return entry.key == "include"; });
    return Include(base, root);
  }

  std::vector<std::filesystem::path> open_;
  int files_ = 0;
};

/// A file with a similar name beside the missing one.
std::string NearestFile(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end;
       at.increment(error)) {
    if (at->is_regular_file(error)) names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  std::string near = Nearest(path.filename().string(), names);
  std::erase(near, '"');
  return near.empty() ? near : Quote((path.parent_path() / near).string(), 400);
}

Node WithSets(Node root, const std::vector<std::string>& sets, const std::filesystem::path& directory,
              int order) {
  for (const std::string& set : sets) ApplySet(root, set, directory, order++);
  return root;
}

}  // namespace

Node ReadDocument(const std::filesystem::path& path, const std::vector<std::string>& sets) {
  DocumentReader reader;
  const auto file = std::make_shared<SourceFile>(SourceFile{path.string(), {}, 0});
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw ScenarioError({file, 0, 0}, WhyNotRead(path), {}, NearestFile(path));
  Node root = reader.Read(path, {file, 1, 1});
  return WithSets(std::move(root), sets, path.parent_path(), reader.files());
}

Node ReadDocumentText(const std::string& text, const std::string& name,
                      const std::filesystem::path& directory, const std::vector<std::string>& sets) {
  DocumentReader reader;
  Node root = reader.Parse(text, name, directory);
  return WithSets(std::move(root), sets, directory, reader.files());
}

}  // namespace headroom
