// Python: assignments, dictionary items, keyword arguments and defaults, each with its value's bytes when the value is
// one literal. Nothing is executed, nothing is guessed: an expression is shown as one and stays as it is.
#include <algorithm>
#include <map>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/python_literal.hpp"
#include "knobs/python_tokens.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

using Kind = PythonToken::Kind;
using Path = std::vector<std::string>;

class PythonReader {
 public:
  PythonReader(std::string_view text, std::vector<PythonToken> tokens) : text_(text), tokens_(std::move(tokens)) {}

  Document read() {
    document_.units = tokens_.size();
    while (kind() != Kind::kEnd) statement();
    resolve_names();
    return std::move(document_);
  }

 private:
  struct Scope {
    int indent;
    std::string name;
  };

  [[nodiscard]] const PythonToken& token(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  [[nodiscard]] Kind kind(std::size_t ahead = 0) const { return token(ahead).kind; }
  [[nodiscard]] std::string_view word(const PythonToken& t) const { return slice(text_, t.begin, t.end - t.begin); }
  [[nodiscard]] bool is(std::string_view mark, std::size_t ahead = 0) const {
    return (kind(ahead) == Kind::kMark || kind(ahead) == Kind::kName) && word(token(ahead)) == mark;
  }
  // Ends an expression at its own depth.
  [[nodiscard]] bool is_stop() const {
    return kind() == Kind::kLineEnd || kind() == Kind::kEnd || is(",") || is(")") || is("]") || is("}") || is(":") ||
           is("=") || is(";");
  }

  [[nodiscard]] Path scope_path() const {
    Path path;
    for (const auto& scope : scopes_) path.push_back(scope.name);
    return path;
  }

  void statement() {
    if (kind() == Kind::kLineEnd || is(";")) {
      ++at_;
      return;
    }
    const int indent = token().indent;
    while (!scopes_.empty() && scopes_.back().indent >= indent) scopes_.pop_back();
    if (is("async")) ++at_;
    if (is("class") || is("def")) return definition(indent);
    Path path = scope_path();
    if (target(path)) {
      ++at_;  // "="
      value(path, true);
      const bool tuple = is(",") && !document_.entries.empty() && document_.entries.back().path == path;
      if (tuple) document_.entries.back().fixed = kExpression;
    }
    while (kind() != Kind::kLineEnd && kind() != Kind::kEnd && !is(";")) {
      // What else the line holds: calls without an assignment, further targets, the suite behind a colon.
      if (is_stop()) {
        ++at_;
      } else {
        value(scope_path(), false);
      }
    }
  }

  // "a", "a.b", "a['b']", with or without an annotation, in front of "=": at that sign afterwards. Else nothing is
  // taken.
  bool target(Path& path) {
    std::size_t ahead = 0;
    Path names;
    if (kind() != Kind::kName) return false;
    names.emplace_back(word(token()));
    for (++ahead;;) {
      if (is(".", ahead) && kind(ahead + 1) == Kind::kName) {
        names.emplace_back(word(token(ahead + 1)));
        ahead += 2;
      } else if (is("[", ahead) && kind(ahead + 1) == Kind::kString && is("]", ahead + 2)) {
        names.push_back(text_of(token(ahead + 1)));
        ahead += 3;
      } else {
        break;
      }
    }
    if (is(":", ahead)) {  // an annotation, up to the "=" of this line
      std::size_t equals = ahead + 1;
      int depth = 0;
      for (; kind(equals) != Kind::kLineEnd && kind(equals) != Kind::kEnd; ++equals) {
        if (is("(", equals) || is("[", equals) || is("{", equals)) ++depth;
        if (is(")", equals) || is("]", equals) || is("}", equals)) --depth;
        if (depth == 0 && (is("=", equals) || is(":", equals))) break;
      }
      ahead = equals;
    }
    if (!is("=", ahead)) return false;
    at_ += ahead;
    path.insert(path.end(), names.begin(), names.end());
    return true;
  }

  void definition(int indent) {
    const bool function = is("def");
    ++at_;
    if (kind() != Kind::kName) return;
    scopes_.push_back({indent, std::string{word(token())}});
    ++at_;
    if (is("(")) group(scope_path(), function);
    while (kind() != Kind::kLineEnd && kind() != Kind::kEnd && !is(":")) ++at_;  // -> int
    if (is(":")) ++at_;
  }

  // One expression. When `whole`, and it is one literal, it is an entry at `path`; an entry that cannot be edited when
  // it is anything else.
  void value(const Path& path, bool whole) {
    const std::size_t first = at_;
    const std::size_t known = document_.entries.size();
    while (!is_stop()) {
      if (is("(") || is("[") || is("{")) {
        bracket(path, first);
      } else {
        ++at_;
      }
    }
    const bool ends_well = !is(":") && !is("=");
    if (!whole || at_ == first || !ends_well) return;
    const auto begin = document_.entries.begin() + static_cast<std::ptrdiff_t>(known);
    const auto is_default = [&](const Entry& entry) { return entry.path == path; };  // field(default=32) has said it
    if (std::none_of(begin, document_.entries.end(), is_default)) add(path, first, at_);
  }

  void bracket(const Path& path, std::size_t first) {
    const bool follows = at_ > first && (tokens_[at_ - 1].kind == Kind::kName || word(tokens_[at_ - 1]) == ")" ||
                                         word(tokens_[at_ - 1]) == "]");
    if (is("(") && follows && tokens_[at_ - 1].kind == Kind::kName) {
      Path inner = path;
      const std::string_view callee = word(tokens_[at_ - 1]);
      if (callee != "dict") inner.push_back(std::string{callee} + "()");
      return group(inner, false);
    }
    Path inner = path;
    if (follows)
      inner.emplace_back(is("(") ? "()" : "[]");  // a call of what a call gave; a subscript, with no setting in it
    group(inner, false);
  }

  // x.squeeze(dim=1), torch.cat(…, dim=0): an axis of a tensor, and no width of a model.
  static bool is_axis(const Path& path) {
    if (path.size() < 2 || path.back() != "dim") return false;
    const std::string& callee = path[path.size() - 2];
    return callee.ends_with("()") && is_lower(first_char(callee));
  }

  // What stands between brackets.
  void group(Path path, bool function) {
    const bool braces = is("{");
    const bool round = is("(");
    ++at_;
    std::size_t index = 0;
    const std::size_t named = path.size();
    declared_flag(path, round);
    const bool declares = path.size() > named;
    while (!is(")") && !is("]") && !is("}") && kind() != Kind::kEnd) {
      Path item = path;
      if (round && kind() == Kind::kName && is("=", 1)) {
        item.emplace_back(word(token()));
        at_ += 2;
        field_default(item);
        value(item, !is_axis(item));
      } else if (function && kind() == Kind::kName && is(":", 1)) {
        item.emplace_back(word(token()));
        at_ += 2;
        const PythonToken& name = tokens_[at_ - 2];
        value(scope_path(), false);  // the annotation
        if (is("=")) {
          ++at_;
          value(item, true);
        } else {
          parameter(item, name);
        }
      } else if (function && kind() == Kind::kName && (is(",", 1) || is(")", 1))) {
        item.emplace_back(word(token()));
        parameter(item, token());
        ++at_;
      } else if (braces && (kind() == Kind::kString || kind() == Kind::kName) && is(":", 1)) {
        item.push_back(kind() == Kind::kString ? text_of(token()) : std::string{word(token())});
        at_ += 2;
        value(item, true);
      } else {
        item.push_back("[" + std::to_string(index) + "]");
        if (round) field_default(item);
        const std::size_t before = at_;
        const bool string = declares && kind() == Kind::kString;
        const bool name = string && text_of(token()).starts_with('-');
        value(item, !string || name);
        if (name) document_.entries.back().fixed = "the name of a flag";
        if (at_ == before && is_stop() && !is(")") && !is("]") && !is("}")) ++at_;  // ":" of a slice, a stray "="
      }
      if (is(",")) {
        ++index;
        ++at_;
      } else if (is(":") || is("=") || is(";") || kind() == Kind::kLineEnd) {
        ++at_;
      }
    }
    if (kind() != Kind::kEnd) ++at_;
  }

  // One without a default: nothing to edit, but it hides what has its name outside.
  void parameter(const Path& path, const PythonToken& name) {
    document_.entries.push_back({.path = path,
                                 .value = {},
                                 .begin = name.begin,
                                 .end = name.begin,
                                 .line = name.line,
                                 .quoted = false,
                                 .fixed = std::string{kParameter},
                                 .shared = {}});
  }

  // add_argument("--batch-size", …), @click.option("--batch-size", …), DEFINE_integer("batch_size", 32, …): the path
  // gets the flag's name.
  void declared_flag(Path& path, bool round) {
    if (!round || path.empty()) return;
    const std::string& callee = path.back();
    if (callee.starts_with("DEFINE_") && kind() == Kind::kString) {
      path.push_back("--" + text_of(token()));
      return;
    }
    if (callee != "add_argument()" && callee != "option()" && callee != "Option()") return;
    std::size_t ahead = 0;
    std::string flag;
    while (kind(ahead) == Kind::kString) {
      const std::string name = text_of(token(ahead));
      if (name.starts_with("--") && !flag.starts_with("--")) flag = name;
      if (name.starts_with("-") && flag.empty()) flag = name;
      ahead += is(",", ahead + 1) ? 2 : 1;
    }
    if (!flag.empty()) path.push_back(std::move(flag));
  }

  // batch_size: int = field(default=32), Field(32), attr.ib(32), typer.Option(32) is batch_size's own default.
  static void field_default(Path& path) {
    if (path.size() < 3 || (path.back() != "default" && path.back() != "[0]")) return;
    const std::string& callee = path[path.size() - 2];
    const bool makes_field = callee == "field()" || callee == "Field()" || callee == "ib()" || callee == "attrib()" ||
                             callee == "Option()" || callee == "Argument()";
    if (makes_field) path.resize(path.size() - 2);
  }

  // A name stands for what was assigned to it in the scope around, once.
  void resolve_names() {
    std::map<std::string, std::vector<std::size_t>> places;
    auto& entries = document_.entries;
    for (std::size_t i = 0; i < entries.size(); ++i) places[joined(entries[i].path)].push_back(i);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      Entry& entry = entries[i];
      for (std::size_t depth = entry.refers.empty() ? 0 : entry.path.size(); depth-- > 0;) {
        const std::string scope = joined({entry.path.begin(), entry.path.begin() + static_cast<std::ptrdiff_t>(depth)});
        const auto found = places.find(scope.empty() ? entry.refers : scope + "." + entry.refers);
        if (found == places.end() || found->second.front() == i) continue;
        if (found->second.size() == 1) entry.stands_at = found->second.front();
        if (found->second.size() > 1) entry.fixed = entry.refers + " is assigned more than once";
        break;
      }
    }
  }

  [[nodiscard]] std::string text_of(const PythonToken& t) const { return python_string(word(t)); }

  void add(const Path& path, std::size_t first, std::size_t last) {
    Entry entry = python_entry(text_, tokens_, first, last, path);
    if (last - first == 2 && entry.fixed.empty()) --document_.units;  // a sign and its number are one
    document_.entries.push_back(std::move(entry));
  }

  std::string_view text_;
  std::vector<PythonToken> tokens_;
  std::size_t at_ = 0;
  std::vector<Scope> scopes_;
  Document document_;
};

}  // namespace

Result<Document> read_python(std::string_view text) {
  auto tokens = python_tokens(text);
  if (!tokens) return tokens.error();
  return PythonReader{text, *std::move(tokens)}.read();
}

}  // namespace gputop::knobs
