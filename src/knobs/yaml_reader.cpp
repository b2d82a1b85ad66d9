// YAML with byte spans, from its events.
#include <algorithm>
#include <map>
#include <set>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/core/yaml_nesting.hpp"
#include "gputop/yaml/events.hpp"
#include "knobs/readers.hpp"
#include "knobs/yaml_span.hpp"

namespace gputop::knobs {
namespace {

class YamlEvents final : public yaml::Listener {
 public:
  explicit YamlEvents(std::string_view text) : text_(text) {}

  Document take() {
    tell_sharers();
    resolve_interpolations();
    return std::move(document_);
  }

  void document_started() override {
    ++document_.units;
    ++documents_;
    tell_sharers();  // anchors end with their document
    anchors_.clear();
  }
  void anchor_named(const std::string& name) override { anchor_name_ = name; }

  void null(yaml::Mark mark, yaml::AnchorId anchor) override {
    YamlSpan span = yaml_null_span(text_, mark.position);
    const bool said = span.problem.empty();
    if (!said && !is_key() && !frames_.empty() && frames_.back().kind == Frame::Kind::kMap) {
      const auto place = yaml_empty_place(text_, frames_.back().key_end);
      if (place) span = {*place, *place, false, ""};
      mark.line = frames_.back().key_line;  // yaml-cpp names the line of what comes next
    }
    add(mark, anchor, span, std::monostate{});
  }
  void alias(yaml::Mark mark, yaml::AnchorId anchor) override {
    ++document_.units;
    const auto found = anchors_.find(anchor);
    const std::string name = found == anchors_.end() ? "" : found->second.name;
    if (is_key()) return key("*" + name);
    if (found != anchors_.end()) {
      auto path = path_of_next();
      if (!path.empty() && path.back() == "<<") path.pop_back();
      found->second.users.push_back(joined(path));
    }
    Entry entry{.path = path_of_next(), .value = "*" + name, .line = mark.line};
    entry.fixed = "an alias: the value stands at &" + printable(name);
    if (found != anchors_.end()) {
      entry.fixed += " in line " + std::to_string(found->second.line);
      if (!found->second.container) entry.stands_at = found->second.first;
    }
    document_.entries.push_back(std::move(entry));
    next();
  }
  void scalar(yaml::Mark mark, const std::string& tag, yaml::AnchorId anchor, const std::string& value) override {
    if (is_key()) {
      ++document_.units;
      const YamlSpan name = yaml_scalar_span(text_, mark.position, value);
      frames_.back().key_end = name.end + (name.quoted ? 1 : 0);
      frames_.back().key_line = mark.line;
      return key(value);
    }
    const YamlSpan span = yaml_scalar_span(text_, mark.position, value);
    const bool plain = tag == "?" || tag.empty();
    add(mark, anchor, span, plain && !span.quoted ? read_scalar(value, Dialect::kYaml) : Value{value});
    Entry& entry = document_.entries.back();
    if (entry.fixed.empty() && value.find("${") != value.npos) {
      entry.fixed = "an interpolation: the value comes from " + printable(value);
    }
    const bool standard = tag.starts_with("tag:yaml.org,2002:");
    if (standard && !span.quoted && !tag.ends_with(":str")) entry.value = read_scalar(value, Dialect::kYaml);
    if (tag == "!ref" || tag == "!copy") entry.refers = name_in_ref(value);
    if (entry.fixed.empty() && tag == "!PLACEHOLDER") entry.fixed = "a placeholder: the command line must give it";
    if (entry.fixed.empty() && value == "???") entry.fixed = "a placeholder: the command line must give it";
    if (entry.fixed.empty() && !plain && !standard && tag != "!") {
      entry.fixed = tag == "!ref" && entry.refers.empty() ? "computed from others: " + printable(value)
                                                          : "has the tag " + printable(tag);
    }
  }
  // HyperPyYAML: <batch_size>, <data[batch]>; "" for an expression.
  static std::string name_in_ref(std::string_view value) {
    if (value.size() < 3 || !value.starts_with('<') || !value.ends_with('>')) return {};
    std::string name;
    for (const char c : slice(value, 1, value.size() - 2)) {
      if (c == '<' || c == '>' || c == ' ') return {};
      if (c == ']') continue;
      name += c == '[' ? '.' : c;
    }
    return name;
  }
  void sequence_started(yaml::Mark mark, yaml::AnchorId anchor) override { open(Frame::Kind::kList, mark, anchor); }
  void sequence_ended() override { close(); }
  void map_started(yaml::Mark mark, yaml::AnchorId anchor) override { open(Frame::Kind::kMap, mark, anchor); }
  void map_ended() override { close(); }

 private:
  struct Frame {
    enum class Kind { kMap, kList };
    Kind kind;
    bool wants_key;
    bool is_key;  // a mapping or a list that is itself a key
    std::string key;
    std::size_t index = 0;
    std::set<std::string> keys;  // so far
    std::size_t key_end = 0;     // in the text
    int key_line = 0;
  };
  struct Anchor {
    std::string name;
    int line = 0;
    bool container = false;
    std::size_t first = 0;  // entries [first, last) stand inside it
    std::size_t last = 0;
    std::vector<std::string> users;
  };

  [[nodiscard]] bool is_key() const { return !frames_.empty() && frames_.back().wants_key; }
  void key(std::string name) {
    Frame& frame = frames_.back();
    frame.wants_key = false;
    const bool repeated = !frame.keys.insert(name).second;
    frame.key = std::move(name);
    if (repeated) document_.repeated.push_back(path_of_next());
  }
  // A value of the innermost frame is complete.
  void next() {
    if (frames_.empty()) return;
    if (frames_.back().kind == Frame::Kind::kMap) frames_.back().wants_key = true;
    ++frames_.back().index;
  }
  [[nodiscard]] std::vector<std::string> path_of_next() const {
    std::vector<std::string> path;
    if (documents_ > 1) path.push_back("document" + std::to_string(documents_));
    for (const auto& frame : frames_) {
      path.push_back(frame.kind == Frame::Kind::kMap ? frame.key : "[" + std::to_string(frame.index) + "]");
    }
    return path;
  }

  void add(const yaml::Mark& mark, yaml::AnchorId anchor, const YamlSpan& span, Value value) {
    ++document_.units;
    if (is_key()) return key("");  // "? " without a word
    if (anchor != 0) {
      anchors_[anchor] = {anchor_name_, mark.line, false, document_.entries.size(), document_.entries.size() + 1, {}};
    }
    document_.entries.push_back({.path = path_of_next(),
                                 .value = std::move(value),
                                 .begin = span.begin,
                                 .end = span.end,
                                 .line = mark.line,
                                 .quoted = span.quoted,
                                 .fixed = span.problem,
                                 .shared = {}});
    next();
  }
  void open(Frame::Kind kind, const yaml::Mark& mark, yaml::AnchorId anchor) {
    ++document_.units;
    if (anchor != 0) {
      anchors_[anchor] = {anchor_name_, mark.line, true, document_.entries.size(), 0, {}};
    }
    containers_.push_back(anchor);
    const bool as_key = is_key();
    frames_.push_back({kind, kind == Frame::Kind::kMap, as_key, "", 0, {}, 0, 0});
  }
  void close() {
    const bool as_key = frames_.back().is_key;
    frames_.pop_back();
    if (const auto found = anchors_.find(containers_.back()); found != anchors_.end() && containers_.back() != 0) {
      found->second.last = document_.entries.size();
    }
    containers_.pop_back();
    as_key ? key("?") : next();
  }

  // A template that one mapping merges is that mapping's own; an anchored value with an alias, or a template with two
  // users, is somebody else's, too.
  void tell_sharers() {
    for (const auto& [id, anchor] : anchors_) {
      if (anchor.users.size() < (anchor.container ? 2U : 1U)) continue;
      std::string who;
      for (const auto& user : anchor.users) who += (who.empty() ? "" : ", ") + printable(user);
      for (std::size_t i = anchor.first; i < std::min(anchor.last, document_.entries.size()); ++i) {
        auto& shared = document_.entries[i].shared;
        if (shared.empty()) shared = "is shared through &" + printable(anchor.name) + " by " + who;
      }
    }
  }

  // ${data.batch_size}, ${.batch_size}, ${..batch_size}: Hydra counts dots from the mapping that the value is in.
  static std::optional<std::string> path_meant(const Entry& entry) {
    const auto* word = std::get_if<std::string>(&entry.value);
    if (word == nullptr || !word->starts_with("${") || !word->ends_with("}")) return std::nullopt;
    std::string name = slice(*word, 2, word->size() - 3);
    if (name.find_first_of("${}: ") != name.npos) return std::nullopt;  // a resolver, or an expression
    const std::size_t dots = std::min(name.find_first_not_of('.'), name.size());
    if (dots == 0) return name;
    if (dots > entry.path.size()) return std::nullopt;
    const std::string around = joined({entry.path.begin(), entry.path.end() - static_cast<std::ptrdiff_t>(dots)});
    return around.empty() ? slice(name, dots) : around + "." + slice(name, dots);
  }
  void resolve_interpolations() {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < document_.entries.size(); ++i) places.emplace(joined(document_.entries[i].path), i);
    for (auto& entry : document_.entries) {
      if (const auto name = path_meant(entry)) entry.refers = *name;
      const auto place = entry.refers.empty() ? places.end() : places.find(entry.refers);
      if (place != places.end() && &document_.entries[place->second] != &entry) entry.stands_at = place->second;
    }
  }

  std::string_view text_;
  Document document_;
  std::vector<Frame> frames_;
  std::vector<yaml::AnchorId> containers_;
  std::map<yaml::AnchorId, Anchor> anchors_;
  std::string anchor_name_;
  int documents_ = 0;
};

}  // namespace

Result<Document> read_yaml(std::string_view text) {
  const std::size_t skipped = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  const std::string body{slice(text, skipped)};
  if (yaml_nests_too_deep(body, kDeepestNesting)) return Error{Error::Kind::kCorrupt, "nests too deep"};
  YamlEvents events{body};
  if (const auto failure = yaml::parse(body, events)) return wrong_at(failure->line, printable(failure->message));
  Document document = events.take();
  for (auto& entry : document.entries) {
    entry.begin += skipped;
    entry.end += skipped;
  }
  return document;
}

}  // namespace gputop::knobs
