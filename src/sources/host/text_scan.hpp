// Splits the kernel's text files into lines, words and numbers without copying or allocating.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "gputop/core/reading.hpp"

namespace gputop::host {

// The whole `word` as a number; unknown if it is anything else.
template <class Number = std::uint64_t>
Reading<Number> to_number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Consumes a text piece by piece from the front.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::string_view rest() const { return rest_; }

  // Up to the next newline, which is consumed too.
  std::string_view line() { return until('\n'); }

  // Up to `end`, which is consumed too; the rest if there is none.
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

// The number after `key` in a file of "key value" or "key: value" lines; unknown if there is no such line.
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
