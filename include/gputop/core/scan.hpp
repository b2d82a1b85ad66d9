// Steps over untrusted text that never leave it. A job's output, a recording, a log and a settings file may be cut at
// any byte, so their readers use these instead of remove_prefix, substr, [] and front() (tests/house/scan_test.py
// enforces this).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace gputop {

// Without the first or the last `count` bytes; empty if there are fewer.
constexpr void skip_front(std::string_view& text, std::size_t count) {
  text.remove_prefix(std::min(count, text.size()));
}
constexpr void skip_back(std::string_view& text, std::size_t count) {
  text.remove_suffix(std::min(count, text.size()));
}

// At most `count` bytes starting at `at`; "" past the end. Returns a view for a view, a string for a string.
constexpr std::string_view slice(std::string_view text, std::size_t at, std::size_t count = std::string_view::npos) {
  return text.substr(std::min(at, text.size()), count);
}
template <class Text>
requires std::same_as<Text, std::string> std::string slice(const Text& text,
                                                           std::size_t at,
                                                           std::size_t count = std::string::npos) {
  return text.substr(std::min(at, text.size()), count);
}

// The byte at that position, or '\0' past the end.
constexpr char char_at(std::string_view text, std::size_t index) {
  return index < text.size() ? text[index] : '\0';
}
constexpr char first_char(std::string_view text) {
  return char_at(text, 0);
}
constexpr char last_char(std::string_view text) {
  return text.empty() ? '\0' : text.back();
}

}  // namespace gputop
