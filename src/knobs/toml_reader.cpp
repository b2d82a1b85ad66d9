// TOML with byte spans: every value with its full key, tables and arrays of tables followed.
#include <algorithm>
#include <map>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

using Path = std::vector<std::string>;

bool is_bare(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}

class TomlReader {
 public:
  explicit TomlReader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  Result<Document> read() {
    for (;;) {
      space(true);
      if (at_ >= text_.size()) return std::move(document_);
      if (peek() == '[') {
        if (auto done = header(); !done) return done.error();
      } else if (auto done = pair(table_, 0); !done) {
        return done.error();
      }
      space(false);
      if (at_ < text_.size() && peek() != '\n') return unexpected("the end of the line");
    }
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? char_at(text_, at_ + ahead) : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    ++document_.units;
    return true;
  }
  [[nodiscard]] Error unexpected(std::string_view wanted) const {
    if (at_ >= text_.size()) return wrong_at(line_, "the text ends where " + std::string{wanted} + " should be");
    return wrong_at(line_,
                    "\"" + printable(slice(text_, at_, 1)) + "\" stands where " + std::string{wanted} + " should be");
  }

  void space(bool lines) {
    while (at_ < text_.size()) {
      const char c = char_at(text_, at_);
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || (c == '\r' && peek(1) == '\n') || (lines && c == '\n')) {
        line_ += c == '\n' ? 1 : 0;
        ++at_;
      } else {
        return;
      }
    }
  }

  // a."b c".d
  Result<Path> key() {
    Path path;
    for (;;) {
      space(false);
      if (peek() == '"' || peek() == '\'') {
        const auto word = line_string();
        if (!word) return word.error();
        path.emplace_back(*word);
      } else {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_bare(char_at(text_, at_))) ++at_;
        if (at_ == begin) return unexpected("a key");
        path.emplace_back(slice(text_, begin, at_ - begin));
      }
      space(false);
      if (!take('.')) return path;
    }
  }

  // The bytes between the quotes of "…" or '…'.
  Result<std::string_view> line_string() {
    const char quote = char_at(text_, at_++);
    const std::size_t begin = at_;
    while (at_ < text_.size() && char_at(text_, at_) != quote && char_at(text_, at_) != '\n') {
      at_ += quote == '"' && char_at(text_, at_) == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size() || char_at(text_, at_) != quote)
      return wrong_at(line_, "a string does not end on its line");
    return slice(text_, begin, at_++ - begin);
  }

  // Where an array of tables stands: {"stages"} → {"stages", "[1]"} after its second header.
  Path located(const Path& keys) {
    Path path;
    for (const auto& word : keys) {
      path.push_back(word);
      if (const auto found = arrays_.find(path); found != arrays_.end()) {
        path.push_back("[" + std::to_string(found->second) + "]");
      }
    }
    return path;
  }

  Status header() {
    take('[');
    const bool array = take('[');
    auto keys = key();
    if (!keys) return keys.error();
    if (!take(']') || (array && !take(']'))) return unexpected("\"]\"");
    if (array) {
      const std::string last = keys->back();
      keys->pop_back();
      Path path = located(*keys);
      path.push_back(last);
      const auto [found, first] = arrays_.try_emplace(path, 0);
      if (!first) ++found->second;
      path.push_back("[" + std::to_string(found->second) + "]");
      table_ = std::move(path);
    } else {
      table_ = located(*keys);
    }
    return success();
  }

  Status pair(const Path& table, int depth) {
    const auto keys = key();
    if (!keys) return keys.error();
    if (!take('=')) return unexpected("\"=\"");
    Path path = table;
    path.insert(path.end(), keys->begin(), keys->end());
    return value(path, depth);
  }

  Status value(const Path& path, int depth) {
    if (depth > kDeepestNesting) return wrong_at(line_, "nests too deep");
    space(false);
    if (peek() == '[') return array(path, depth);
    if (peek() == '{') return inline_table(path, depth);
    Entry entry{.path = path, .line = line_};
    if (peek() == '"' || peek() == '\'') {
      const std::string_view triple = peek() == '"' ? "\"\"\"" : "'''";
      if (slice(text_, at_, 3) == triple) {
        entry.begin = at_ + 3;
        auto end = text_.find(triple, at_ + 3);
        while (end != text_.npos && char_at(triple, 0) == '"' && char_at(text_, end - 1) == '\\')
          end = text_.find(triple, end + 1);
        if (end == text_.npos) return wrong_at(line_, "a string does not end");
        entry.end = end;
        entry.fixed = "a string of several lines";
        entry.value = std::string{slice(text_, entry.begin, end - entry.begin)};
        const auto body = slice(text_, entry.begin, end - entry.begin);
        line_ += static_cast<int>(std::count(body.begin(), body.end(), '\n'));
        at_ = end + 3;
        while (peek() == char_at(triple, 0)) ++at_;  // """ends with a quote""""
      } else {
        const auto raw = line_string();
        if (!raw) return raw.error();
        entry.begin = static_cast<std::size_t>(raw->data() - text_.data());
        entry.end = entry.begin + raw->size();
        entry.value = std::string{*raw};
        if (char_at(text_, entry.begin - 1) == '"' && raw->find('\\') != raw->npos)
          entry.fixed = "the string has escapes in it";
      }
      entry.quoted = true;
    } else if (auto done = bare_value(entry); !done) {
      return done;
    }
    ++document_.units;
    document_.entries.push_back(std::move(entry));
    return success();
  }

  // A number, a switch, a date.
  Status bare_value(Entry& entry) {
    entry.begin = at_;
    const auto more = [&] {
      while (at_ < text_.size() && (is_bare(char_at(text_, at_)) || char_at(text_, at_) == '+' ||
                                    char_at(text_, at_) == '.' || char_at(text_, at_) == ':')) {
        ++at_;
      }
    };
    more();
    const bool date = at_ - entry.begin == 10 && char_at(text_, entry.begin + 4) == '-';
    if (date && peek() == ' ' && is_digit(peek(1))) {
      ++at_;
      more();
    }
    entry.end = at_;
    const auto raw = slice(text_, entry.begin, at_ - entry.begin);
    entry.value = read_scalar(raw, Dialect::kToml);
    if (std::holds_alternative<std::string>(entry.value)) {
      const bool known =
          raw == "inf" || raw == "+inf" || raw == "-inf" || raw == "nan" || raw == "+nan" || raw == "-nan";
      const bool time =
          raw.size() >= 5 && is_digit(char_at(raw, 0)) && raw.find_first_of("-:") != raw.npos;
      if (!known && !time) {
        at_ = entry.begin;
        return unexpected("a value");
      }
      entry.fixed = time ? "a date or a time" : "not a finite number";
    }
    return success();
  }

  Status array(const Path& path, int depth) {
    take('[');
    for (std::size_t index = 0;; ++index) {
      space(true);
      if (take(']')) return success();
      Path item = path;
      item.push_back("[" + std::to_string(index) + "]");
      if (auto done = value(item, depth + 1); !done) return done;
      space(true);
      if (take(']')) return success();
      if (!take(',')) return unexpected("\",\" or \"]\"");
    }
  }

  Status inline_table(const Path& path, int depth) {
    take('{');
    space(false);
    if (take('}')) return success();
    for (;;) {
      space(false);
      if (auto done = pair(path, depth + 1); !done) return done;
      space(false);
      if (take('}')) return success();
      if (!take(',')) return unexpected("\",\" or \"}\"");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  Path table_;
  std::map<Path, std::size_t> arrays_;  // index of the table begun last
  Document document_;
};

}  // namespace

Result<Document> read_toml(std::string_view text) {
  return TomlReader{text}.read();
}

}  // namespace gputop::knobs
