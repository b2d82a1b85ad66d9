// JSON with byte spans, and what JSON5 allows besides: comments, commas at the end, names without quotes, 'single' ones.
#include <algorithm>
#include <set>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  Result<Document> read() {
    if (auto done = value(0); !done) return done.error();
    if (auto done = space(); !done) return done.error();
    if (at_ < text_.size()) return unexpected("the end of the text");
    return std::move(document_);
  }

 private:
  [[nodiscard]] Error unexpected(std::string_view wanted) const {
    if (at_ >= text_.size()) return wrong_at(line_, "the text ends where " + std::string{wanted} + " should be");
    return wrong_at(line_,
                    "\"" + printable(slice(text_, at_, 1)) + "\" stands where " + std::string{wanted} + " should be");
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? char_at(text_, at_) : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    ++document_.units;
    return true;
  }

  // White space and comments.
  Status space() {
    while (at_ < text_.size()) {
      const char c = char_at(text_, at_);
      if (c == '\n') ++line_;
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at_;
      } else if (slice(text_, at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (slice(text_, at_, 2) == "/*") {
        const auto end = text_.find("*/", at_ + 2);
        if (end == text_.npos) return wrong_at(line_, "a comment does not end");
        line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end + 2;
      } else {
        break;
      }
    }
    return success();
  }

  // The bytes between quotes, as written.
  Result<std::string_view> string() {
    const char quote = peek();
    if (!take('"') && !take('\'')) return unexpected("a string");
    const std::size_t begin = at_;
    while (at_ < text_.size() && char_at(text_, at_) != quote) {
      if (static_cast<unsigned char>(char_at(text_, at_)) < ' ')
        return wrong_at(line_, "a string does not end on its line");
      at_ += char_at(text_, at_) == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) return wrong_at(line_, "a string does not end");
    return slice(text_, begin, at_++ - begin);
  }

  Status value(int depth) {
    if (depth > kDeepestNesting) return wrong_at(line_, "nests too deep");
    if (auto done = space(); !done) return done;
    if (peek() == '{') return object(depth);
    if (peek() == '[') return array(depth);
    Entry entry{.path = path_, .line = line_};
    if (is_quote(peek())) {
      const auto raw = string();
      if (!raw) return raw.error();
      entry.begin = static_cast<std::size_t>(raw->data() - text_.data());
      entry.end = entry.begin + raw->size();
      entry.quoted = true;
      entry.value = std::string{*raw};
      if (raw->find('\\') != raw->npos) entry.fixed = "the string has escapes in it";
    } else {
      entry.begin = at_;
      while (at_ < text_.size() &&
             std::string_view{",]}/ \t\r\n:\"[{"}.find(char_at(text_, at_)) == std::string_view::npos)
        ++at_;
      entry.end = at_;
      const auto raw = slice(text_, entry.begin, at_ - entry.begin);
      entry.value = read_scalar(raw, Dialect::kJson);
      if (std::holds_alternative<std::string>(entry.value) || !is_json_number(raw, entry.value)) {
        if (!is_json5_number(raw)) {
          at_ = entry.begin;
          return unexpected("a value");
        }
        entry.value = std::string{raw};
        entry.fixed = "a number as only JSON5 writes it";
      }
    }
    ++document_.units;
    document_.entries.push_back(std::move(entry));
    return success();
  }

  static bool is_quote(char c) { return c == '"' || c == '\''; }
  // Infinity, NaN, +1, .5, 5., 0xF
  static bool is_json5_number(std::string_view raw) {
    if (raw.starts_with('-') || raw.starts_with('+')) skip_front(raw, 1);
    if (raw == "Infinity" || raw == "NaN") return true;
    const bool hex = raw.starts_with("0x") || raw.starts_with("0X");
    const auto digits = hex ? slice(raw, 2) : raw;
    const bool octal = !hex && digits.size() > 1 && char_at(digits, 0) == '0' && is_digit(char_at(digits, 1));
    if (octal) return false;
    return !digits.empty() && (hex || digits.find_first_of("0123456789") != digits.npos) &&
           digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789+-.eE") == digits.npos;
  }
  // A name without quotes.
  Result<std::string_view> name() {
    if (is_quote(peek())) return string();
    const std::size_t begin = at_;
    const auto part = [](char c) {
      return is_alnum(c) || c == '_' || c == '$';
    };
    while (at_ < text_.size() && part(char_at(text_, at_))) ++at_;
    if (at_ == begin) return unexpected("a string");
    ++document_.units;
    return slice(text_, begin, at_ - begin);
  }

  static bool is_json_number(std::string_view raw, const Value& value) {
    if (!as_number(value)) return true;
    if (raw.starts_with('-')) skip_front(raw, 1);
    const auto digit_at = [&](std::size_t at) { return is_digit(char_at(raw, at)); };
    const auto point = raw.find('.');
    return raw.find_first_not_of("0123456789+-.eE") == raw.npos && digit_at(0) &&
           !(char_at(raw, 0) == '0' && digit_at(1)) && (point == raw.npos || digit_at(point + 1));
  }

  Status object(int depth) {
    take('{');
    if (auto done = space(); !done) return done;
    if (take('}')) return success();
    std::set<std::string_view> keys;
    for (;;) {
      if (auto done = space(); !done) return done;
      if (!keys.empty() && take('}')) return success();  // a comma at the end
      const auto key = name();
      if (!key) return key.error();
      path_.emplace_back(*key);
      if (!keys.insert(*key).second) document_.repeated.push_back(path_);
      if (auto done = space(); !done) return done;
      if (!take(':')) return unexpected("\":\"");
      if (auto done = value(depth + 1); !done) return done;
      path_.pop_back();
      if (auto done = space(); !done) return done;
      if (take('}')) return success();
      if (!take(',')) return unexpected("\",\" or \"}\"");
    }
  }

  Status array(int depth) {
    take('[');
    if (auto done = space(); !done) return done;
    if (take(']')) return success();
    for (std::size_t index = 0;; ++index) {
      if (auto done = space(); !done) return done;
      if (index > 0 && take(']')) return success();  // a comma at the end
      path_.push_back("[" + std::to_string(index) + "]");
      if (auto done = value(depth + 1); !done) return done;
      path_.pop_back();
      if (auto done = space(); !done) return done;
      if (take(']')) return success();
      if (!take(',')) return unexpected("\",\" or \"]\"");
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<std::string> path_;
  Document document_;
};

}  // namespace

Result<Document> read_json(std::string_view text) {
  return JsonReader{text}.read();
}

}  // namespace gputop::knobs
