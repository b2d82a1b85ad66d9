#include "knobs/python_literal.hpp"

#include <algorithm>
#include <cmath>

#include "gputop/core/scan.hpp"

namespace gputop::knobs {
namespace {

using Kind = PythonToken::Kind;

struct Quotes {
  std::size_t prefix;  // letters in front: r, b, f, u
  std::size_t count;   // of quotes on each side
};
Quotes quotes_of(std::string_view raw) {
  const std::size_t prefix = std::min(raw.find_first_of("\"'"), raw.size());
  const bool triple = raw.size() >= prefix + 6 && char_at(raw, prefix) == char_at(raw, prefix + 1) &&
                      char_at(raw, prefix + 1) == char_at(raw, prefix + 2);
  return {prefix, triple ? 3U : 1U};
}

void take_string(Entry& entry, std::string_view raw) {
  const auto [prefix, count] = quotes_of(raw);
  entry.begin += prefix + count;
  entry.end -= count;
  entry.quoted = true;
  entry.value = python_string(raw);
  if (count == 3 || raw.find('\\') != raw.npos) entry.fixed = "a string with escapes or of several lines";
  if (slice(raw, 0, prefix).find_first_of("bBfF") != raw.npos) entry.fixed = "a string with a prefix";
}

}  // namespace

std::string python_string(std::string_view raw) {
  const auto [prefix, count] = quotes_of(raw);
  return raw.size() >= prefix + 2 * count ? std::string{slice(raw, prefix + count, raw.size() - prefix - 2 * count)}
                                          : std::string{};
}

// 5 * 8, 2**16, 0.01 / 64: what it comes to; nothing for any other expression.
static Value worked_out(std::string_view text, const std::vector<PythonToken>& tokens, std::size_t first, std::size_t last) {
  double product = 0;
  bool whole = true;
  std::string_view mark;
  for (std::size_t i = first; i < last; ++i) {
    const auto word = slice(text, tokens[i].begin, tokens[i].end - tokens[i].begin);
    if ((i - first) % 2 == 1) {
      mark = word;
      continue;
    }
    const auto read = tokens[i].kind == Kind::kNumber ? read_scalar(word, Dialect::kPython) : Value{};
    const auto number = as_number(read);
    const bool divided = mark == "/" || mark == "//";
    if (!number || (divided && *number == 0)) return {};
    whole = whole && std::holds_alternative<std::int64_t>(read) && mark != "/";
    if (i == first) product = *number;
    else if (mark == "*") product *= *number;
    else if (mark == "/") product /= *number;
    else if (mark == "//") product = std::floor(product / *number);
    else if (mark == "**" && last - first == 3) product = std::pow(product, *number);
    else return {};
  }
  constexpr double kLargest = 9e15;
  if ((last - first) % 2 == 0 || std::abs(product) > kLargest) return {};
  return whole ? Value{static_cast<std::int64_t>(product)} : Value{product};
}

// "batch", "cfg.batch", "cfg['batch']" as "cfg.batch"; "" for anything else.
static std::string python_name(std::string_view text,
                               const std::vector<PythonToken>& tokens,
                               std::size_t first,
                               std::size_t last) {
  std::string name;
  for (std::size_t i = first; i < last; ++i) {
    const auto word = slice(text, tokens[i].begin, tokens[i].end - tokens[i].begin);
    const bool subscript = word == "[" && i > first && i + 2 < last && tokens[i + 1].kind == Kind::kString &&
                           slice(text, tokens[i + 2].begin, 1) == "]";
    if (subscript) {
      name += "." + python_string(slice(text, tokens[i + 1].begin, tokens[i + 1].end - tokens[i + 1].begin));
      i += 2;
    } else if (tokens[i].kind == Kind::kName && (name.empty() || last_char(name) == '.')) {
      name += word;
    } else if (word == "." && !name.empty()) {
      name += '.';
    } else {
      return {};
    }
  }
  return name;
}

Entry python_entry(std::string_view text,
                   const std::vector<PythonToken>& tokens,
                   std::size_t first,
                   std::size_t last,
                   std::vector<std::string> path) {
  Entry entry{.path = std::move(path), .line = tokens[first].line};
  const PythonToken& end = tokens[last - 1];
  entry.begin = tokens[first].begin;
  entry.end = end.end;
  const auto raw = slice(text, entry.begin, entry.end - entry.begin);
  const bool single = last - first == 1;
  if (single && end.kind == Kind::kString) {
    take_string(entry, raw);
    return entry;
  }
  const bool sign =
      last - first == 2 && (char_at(raw, 0) == '-' || char_at(raw, 0) == '+') && tokens[first].end == end.begin;
  entry.value = read_scalar(raw, Dialect::kPython);
  const bool number = (single || (sign && end.kind == Kind::kNumber)) && as_number(entry.value);
  const bool constant = single && !std::holds_alternative<std::string>(entry.value);
  if (!number && !constant) {
    entry.value = worked_out(text, tokens, first, last);
    entry.fixed = kExpression;
    entry.refers = python_name(text, tokens, first, last);
  }
  return entry;
}

}  // namespace gputop::knobs
