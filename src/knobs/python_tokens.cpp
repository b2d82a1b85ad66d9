#include "knobs/python_tokens.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

bool is_word(char c) {
  return is_alnum(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  Result<std::vector<PythonToken>> run() {
    measure_indent();
    while (at_ < text_.size()) {
      const char c = char_at(text_, at_);
      if (c == '\n') {
        if (brackets_.empty()) end_line();
        ++line_;
        ++at_;
        if (brackets_.empty()) measure_indent();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '\\' && is_line_break(at_ + 1)) {
        at_ = text_.find('\n', at_) + 1;
        ++line_;
      } else if (auto done = token(c); !done) {
        return done.error();
      }
    }
    if (!brackets_.empty()) return wrong_at(line_, "a \"" + std::string(1, last_char(brackets_)) + "\" is not closed");
    end_line();
    add(PythonToken::Kind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool is_line_break(std::size_t at) const {
    return slice(text_, at, 1) == "\n" || slice(text_, at, 2) == "\r\n";
  }
  void measure_indent() {
    indent_ = 0;
    std::size_t at = at_;
    while (at < text_.size() && (char_at(text_, at) == ' ' || char_at(text_, at) == '\t'))
      indent_ += char_at(text_, at++) == '\t' ? 8 : 1;
  }
  void add(PythonToken::Kind kind, std::size_t begin) { tokens_.push_back({kind, begin, at_, line_, indent_}); }
  void end_line() {
    if (!tokens_.empty() && tokens_.back().kind != PythonToken::Kind::kLineEnd) add(PythonToken::Kind::kLineEnd, at_);
  }

  Status token(char c) {
    const std::size_t begin = at_;
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(char_at(text_, at_ + 1)))) {
      number();
      add(PythonToken::Kind::kNumber, begin);
    } else if (c == '"' || c == '\'') {
      return string(begin);
    } else if (is_word(c)) {
      while (at_ < text_.size() && is_word(char_at(text_, at_))) ++at_;
      const bool prefix = at_ - begin <= 2 && at_ < text_.size() &&
                          (char_at(text_, at_) == '"' || char_at(text_, at_) == '\'') &&
                          slice(text_, begin, at_ - begin).find_first_not_of("rRbBfFuU") == std::string_view::npos;
      if (prefix) return string(begin);
      add(PythonToken::Kind::kName, begin);
    } else {
      return mark(begin);
    }
    return success();
  }

  void number() {
    const bool marked = char_at(text_, at_) == '0' && at_ + 1 < text_.size() &&
                        std::string_view{"xXoObB"}.find(char_at(text_, at_ + 1)) != std::string_view::npos;
    while (at_ < text_.size()) {
      const char c = char_at(text_, at_);
      const bool sign =
          (c == '+' || c == '-') && !marked && (char_at(text_, at_ - 1) == 'e' || char_at(text_, at_ - 1) == 'E');
      if (!is_word(c) && c != '.' && !sign) break;
      ++at_;
    }
  }

  Status string(std::size_t begin) {
    const char quote = char_at(text_, at_);
    const int first_line = line_;
    const std::string triple(3, quote);
    const bool is_triple = slice(text_, at_, 3) == triple;
    at_ += is_triple ? 3 : 1;
    while (at_ < text_.size()) {
      if (char_at(text_, at_) == '\\') {
        if (at_ + 1 < text_.size() && char_at(text_, at_ + 1) == '\n') ++line_;
        at_ += 2;
        continue;
      }
      if (char_at(text_, at_) == '\n') {
        if (!is_triple) break;
        ++line_;
      }
      if (is_triple ? slice(text_, at_, 3) == triple : char_at(text_, at_) == quote) {
        at_ += is_triple ? 3 : 1;
        tokens_.push_back({PythonToken::Kind::kString, begin, at_, first_line, indent_});
        return success();
      }
      ++at_;
    }
    return wrong_at(first_line, "a string does not end");
  }

  Status mark(std::size_t begin) {
    const char c = char_at(text_, at_);
    static constexpr std::array<std::string_view, 24> kLong{
        "**=", "//=", ">>=", "<<=", "...", "==", "!=", "<=", ">=", ":=", "+=", "-=",
        "*=",  "/=",  "%=",  "&=",  "|=",  "^=", "@=", "->", "**", "//", ">>", "<<"};
    const auto found =
        std::find_if(kLong.begin(), kLong.end(), [&](std::string_view m) { return slice(text_, at_, m.size()) == m; });
    at_ += found == kLong.end() ? 1 : found->size();
    if (c == '(' || c == '[' || c == '{') {
      if (brackets_.size() >= static_cast<std::size_t>(kDeepestNesting)) return wrong_at(line_, "nests too deep");
      brackets_ += c;
    }
    if (c == ')' || c == ']' || c == '}') {
      const char opened = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (brackets_.empty() || last_char(brackets_) != opened) {
        return wrong_at(line_, "\"" + std::string(1, c) + "\" closes nothing");
      }
      brackets_.pop_back();
    }
    add(PythonToken::Kind::kMark, begin);
    return success();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  int indent_ = 0;
  std::string brackets_;
  std::vector<PythonToken> tokens_;
};

}  // namespace

Result<std::vector<PythonToken>> python_tokens(std::string_view text) {
  return Tokenizer{text}.run();
}

}  // namespace gputop::knobs
