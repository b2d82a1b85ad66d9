#include "knobs/shell_words.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/readers.hpp"

namespace gputop::knobs {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool ends_command(char c) {
  return c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  std::vector<std::vector<ShellWord>> commands() {
    while (at_ < text_.size()) {
      const char c = char_at(text_, at_);
      if (is_blank(c)) {
        ++at_;
      } else if (slice(text_, at_, 2) == "\\\n" || slice(text_, at_, 3) == "\\\r\n") {
        at_ = text_.find('\n', at_) + 1;
        ++line_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '<' || c == '>') {
        redirection();
      } else if (ends_command(c)) {
        finish();
        ++at_;
        if (c == '\n') next_line();
      } else {
        word();
      }
    }
    finish();
    return std::move(commands_);
  }

 private:
  void finish() {
    if (!command_.empty()) commands_.push_back(std::move(command_));
    command_.clear();
  }

  void word() {
    const std::size_t begin = at_;
    const int line = line_;
    skip_word();
    const auto word = slice(text_, begin, at_ - begin);
    const bool descriptor = (char_at(text_, at_) == '<' || char_at(text_, at_) == '>') &&
                            word.find_first_not_of("0123456789") == word.npos;  // of "2>&1"
    if (!descriptor) command_.push_back({word, begin, line});
  }

  void skip_word() {
    while (at_ < text_.size() && !is_blank(char_at(text_, at_)) && !ends_command(char_at(text_, at_)) &&
           char_at(text_, at_) != '<' && char_at(text_, at_) != '>') {
      const char c = char_at(text_, at_);
      if (c == '\\') {
        if (at_ + 1 < text_.size() && char_at(text_, at_ + 1) == '\n') return;
        at_ = std::min(at_ + 2, text_.size());
      } else if (c == '\'' || c == '"' || c == '`') {
        skip_quoted(c);
      } else if (slice(text_, at_, 2) == "$(" || slice(text_, at_, 2) == "${") {
        skip_nested(char_at(text_, at_ + 1) == '(' ? ')' : '}');
      } else {
        ++at_;
      }
    }
  }
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && char_at(text_, at_) != quote; ++at_) {
      if (char_at(text_, at_) == '\n') ++line_;
      if (char_at(text_, at_) == '\\' && quote != '\'' && at_ + 1 < text_.size()) ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }
  void skip_nested(char closing) {
    const char opening = char_at(text_, at_ + 1);
    int depth = 0;
    for (++at_; at_ < text_.size(); ++at_) {
      if (char_at(text_, at_) == '\n') ++line_;
      if (char_at(text_, at_) == opening) ++depth;
      if (char_at(text_, at_) == closing && --depth == 0) break;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  // "> file", "2>&1", "<<EOF": what belongs to it is no word of the command.
  void redirection() {
    const bool here = slice(text_, at_, 2) == "<<" && slice(text_, at_, 3) != "<<<";
    while (at_ < text_.size() && std::string_view{"<>&-"}.find(char_at(text_, at_)) != std::string_view::npos) ++at_;
    while (at_ < text_.size() && is_blank(char_at(text_, at_))) ++at_;
    const std::size_t begin = at_;
    skip_word();
    if (!here) return;
    read_into_variable_ = read_into_variable_ || (!command_.empty() && command_.front().text == "read");
    for (const char c : slice(text_, begin, at_ - begin)) {
      if (c != '\'' && c != '"' && c != '\\') ends_.push_back(c);
    }
    ends_.push_back('\n');
  }
  // Here documents stand between this line and the one that ends them.
  void next_line() {
    ++line_;
    while (!ends_.empty()) {
      const std::string end = slice(ends_, 0, ends_.find('\n'));
      ends_.erase(0, end.size() + 1);
      const std::size_t begin = at_;
      const int line_before = line_;
      std::size_t last = at_;
      while (at_ < text_.size()) {
        last = at_;
        const std::size_t stop = std::min(text_.find('\n', at_), text_.size());
        auto line = slice(text_, at_, stop - at_);
        at_ = std::min(stop + 1, text_.size());
        ++line_;
        while (!line.empty() && is_blank(first_char(line))) skip_front(line, 1);
        if (line == end || line == end + "\r") break;
      }
      if (read_into_variable_) words_of_document(begin, last, line_before);
    }
    read_into_variable_ = false;
  }

  // read -d '' ARGS <<EOF: words of a command that is put together later.
  void words_of_document(std::size_t begin, std::size_t end, int line) {
    for (auto& command : Scanner{slice(text_, begin, end - begin)}.commands()) {
      for (auto& word : command) {
        word.begin += begin;
        word.line += line - 1;
      }
      commands_.push_back(std::move(command));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool read_into_variable_ = false;
  std::string ends_;  // of the here documents that are to come, each with a line end
  std::vector<ShellWord> command_;
  std::vector<std::vector<ShellWord>> commands_;
};

bool is_assigned_name(std::string_view text) {
  const auto fine = [](char c) {
    return is_alnum(c) || c == '_' || c == '-' ||
           c == '.' || c == '/' || c == '+';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fine);
}

}  // namespace

std::vector<std::vector<ShellWord>> shell_commands(std::string_view text) {
  return Scanner{text}.commands();
}

ShellValue shell_value(const ShellWord& word) {
  ShellValue value{.begin = word.begin, .end = word.begin + word.text.size()};
  std::string_view raw = word.text;
  if (const auto equals = raw.find('='); equals != raw.npos && is_assigned_name(slice(raw, 0, equals))) {
    value.name = slice(raw, 0, equals);
    value.begin += equals + 1;
    skip_front(raw, equals + 1);
  }
  if (raw.size() >= 2 && (char_at(raw, 0) == '"' || char_at(raw, 0) == '\'') &&
      raw.find(char_at(raw, 0), 1) == raw.size() - 1) {
    value.quoted = true;
    value.literal = char_at(raw, 0) == '\'' || raw.find_first_of("$`\\") == raw.npos;
    ++value.begin;
    --value.end;
  } else {
    value.literal = raw.find_first_of("$`\\\"'*?[]{}~!") == raw.npos;
  }
  return value;
}

}  // namespace gputop::knobs
