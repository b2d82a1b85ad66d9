#include "knobs/yaml_span.hpp"

#include <algorithm>
#include <array>

#include "gputop/core/scan.hpp"

namespace gputop::knobs {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Behind "&anchor" and "!tag", and the space after them.
std::size_t behind_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (char_at(text, at) == '&' || char_at(text, at) == '!')) {
    while (at < text.size() && !is_space(char_at(text, at))) ++at;
    while (at < text.size() && is_space(char_at(text, at))) ++at;
  }
  return at;
}

}  // namespace

YamlSpan yaml_scalar_span(std::string_view text, std::size_t node, std::string_view value) {
  YamlSpan span;
  const std::size_t at = behind_properties(text, std::min(node, text.size()));
  if (at >= text.size()) return {at, at, false, "has no value"};
  const char first = char_at(text, at);
  if (first == '|' || first == '>') return {at, at, false, "a block of text (" + std::string(1, first) + ")"};
  span.quoted = first == '"' || first == '\'';
  span.begin = at + (span.quoted ? 1 : 0);
  span.end = std::min(span.begin + value.size(), text.size());
  // A plain or quoted scalar without folds and escapes is its own bytes; with them, its length is another.
  if (slice(text, span.begin, span.end - span.begin) != value) {
    span.problem = span.quoted ? "a string with escapes or line breaks in it" : "a value of several lines";
  } else if (span.quoted && (span.end >= text.size() || char_at(text, span.end) != first)) {
    span.problem = "a string with escapes or line breaks in it";
  }
  return span;
}

YamlSpan yaml_null_span(std::string_view text, std::size_t node) {
  const std::size_t at = behind_properties(text, std::min(node, text.size()));
  for (const std::string_view word : {"null", "Null", "NULL", "~"}) {
    const std::size_t end = at + word.size();
    if (slice(text, at, word.size()) == word &&
        (end >= text.size() || is_space(char_at(text, end)) || char_at(text, end) == ',' || char_at(text, end) == '}' ||
         char_at(text, end) == ']')) {
      return {at, end, false, ""};
    }
  }
  return {at, at, false, "has no value"};
}

std::optional<std::size_t> yaml_empty_place(std::string_view text, std::size_t key_end) {
  std::size_t colon = key_end;
  while (colon < text.size() && (char_at(text, colon) == ' ' || char_at(text, colon) == '\t')) ++colon;
  if (colon >= text.size() || char_at(text, colon) != ':') return std::nullopt;
  std::size_t behind = colon + 1;
  while (behind < text.size() && (char_at(text, behind) == ' ' || char_at(text, behind) == '\t')) ++behind;
  const bool comment = behind < text.size() && char_at(text, behind) == '#' && behind > colon + 1;
  const bool ends = behind >= text.size() || char_at(text, behind) == '\n' || char_at(text, behind) == '\r';
  return comment || ends ? std::optional{colon + 1} : std::nullopt;
}

}  // namespace gputop::knobs
