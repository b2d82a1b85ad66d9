// Cutting the kernel's text files into lines, words and numbers without copying or allocating.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "gputop/core/reading.hpp"

namespace gputop::host {

// The whole of `word` as a number; unknown when it is anything else.
template <class Number = std::uint64_t>
Reading<Number> to_number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Takes one piece after the other off the front of a text.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  // Up to the next newline, which is taken too.
  std::string_view line() { return until('\n'); }

  // Up to `end`, which is taken too; all that is left when there is none.
  std::string_view until(char end) {
    const auto length = rest_.find(end);
    const auto piece = rest_.substr(0, length);
    rest_.remove_prefix(length == std::string_view::npos ? rest_.size() : length + 1);
    return piece;
  }

  // The next word between blanks; "" at the end.
  std::string_view word() {
    const auto begin = rest_.find_first_not_of(" \t\n");
    rest_.remove_prefix(begin == std::string_view::npos ? rest_.size() : begin);
    const auto length = rest_.find_first_of(" \t\n");
    const auto piece = rest_.substr(0, length);
    rest_.remove_prefix(piece.size());
    return piece;
  }

  void skip_words(int count) {
    for (int i = 0; i < count; ++i) word();
  }

  template <class Number = std::uint64_t>
  Reading<Number> number() {
    return to_number<Number>(word());
  }

 private:
  std::string_view rest_;
};

// The number behind `key` in a file of "key value" or "key: value" lines; unknown when it has no such line.
inline Reading<std::uint64_t> value_of(std::string_view text, std::string_view key) {
  TextScan lines{text};
  while (!lines.done()) {
    const auto line = lines.line();
    if (!line.starts_with(key) || line.size() == key.size()) continue;
    const char next = line[key.size()];
    if (next != ' ' && next != ':' && next != '\t') continue;
    return TextScan{line.substr(key.size() + 1)}.number();
  }
  return std::nullopt;
}

}  // namespace gputop::host
