// Reading and comparing values: see value.hpp. write_like() is in write_like.cpp.
#include "gputop/knobs/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "knobs/numbers.hpp"

namespace gputop::knobs {
namespace {

struct Spelling {
  std::string_view text;
  bool on;
};
constexpr std::array kYamlSwitches{Spelling{"true", true},   Spelling{"false", false}, Spelling{"True", true},
                                   Spelling{"False", false}, Spelling{"TRUE", true},   Spelling{"FALSE", false},
                                   Spelling{"yes", true},    Spelling{"no", false},    Spelling{"Yes", true},
                                   Spelling{"No", false},    Spelling{"YES", true},    Spelling{"NO", false},
                                   Spelling{"on", true},     Spelling{"off", false},   Spelling{"On", true},
                                   Spelling{"Off", false},   Spelling{"ON", true},     Spelling{"OFF", false}};

std::optional<bool> read_switch(std::string_view raw, Dialect dialect) {
  switch (dialect) {
    case Dialect::kYaml:
    case Dialect::kWords:
      for (const auto& [text, on] : kYamlSwitches) {
        if (raw == text) return on;
      }
      return std::nullopt;
    case Dialect::kPython:
      if (raw == "True" || raw == "False") return raw == "True";
      return std::nullopt;
    case Dialect::kJson:
    case Dialect::kToml:
      if (raw == "true" || raw == "false") return raw == "true";
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_nothing(std::string_view raw, Dialect dialect) {
  switch (dialect) {
    case Dialect::kYaml: return raw.empty() || raw == "~" || raw == "null" || raw == "Null" || raw == "NULL";
    case Dialect::kJson: return raw == "null";
    case Dialect::kPython: return raw == "None";
    case Dialect::kWords: return raw == "null" || raw == "None";
    case Dialect::kToml: return false;
  }
  return false;
}

}  // namespace

std::optional<Number> read_number(std::string_view raw) {
  std::string digits;
  digits.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (char_at(raw, i) != '_') {
      digits += char_at(raw, i);
      continue;
    }
    const auto is_digit = [&](std::size_t at) {  // also of a hexadecimal number
      return at < raw.size() && ((char_at(raw, at) >= '0' && char_at(raw, at) <= '9') ||
                                 (char_at(raw, at) >= 'a' && char_at(raw, at) <= 'f') ||
                                 (char_at(raw, at) >= 'A' && char_at(raw, at) <= 'F'));
    };
    if (i == 0 || !is_digit(i - 1) || !is_digit(i + 1)) return std::nullopt;
  }
  std::string_view body = digits;
  bool negative = false;
  if (body.starts_with('+') || body.starts_with('-')) {
    negative = body.starts_with('-');
    skip_front(body, 1);
  }
  const bool starts_well =
      !body.empty() &&
      ((char_at(body, 0) >= '0' && char_at(body, 0) <= '9') ||
       (char_at(body, 0) == '.' && body.size() > 1 && char_at(body, 1) >= '0' && char_at(body, 1) <= '9'));
  if (!starts_well) return std::nullopt;
  Number number;
  int base = 10;
  if (body.size() > 2 && char_at(body, 0) == '0') {
    const char mark = char_at(body, 1);
    if (mark == 'x' || mark == 'X') base = 16;
    if (mark == 'o' || mark == 'O') base = 8;
    if (mark == 'b' || mark == 'B') base = 2;
    if (base != 10) skip_front(body, 2);
  }
  std::int64_t whole = 0;
  const auto* end = body.data() + body.size();
  if (const auto [stop, problem] = std::from_chars(body.data(), end, whole, base);
      problem == std::errc{} && stop == end) {
    number.plain = base == 10 && !(body.size() > 1 && char_at(body, 0) == '0');
    number.value = negative ? -whole : whole;
    return number;
  }
  double real = 0;
  const auto [stop, problem] = std::from_chars(body.data(), end, real);
  if (base != 10 || problem != std::errc{} || stop != end || !std::isfinite(real)) return std::nullopt;
  number.value = negative ? -real : real;
  return number;
}

Value read_scalar(std::string_view raw, Dialect dialect) {
  if (is_nothing(raw, dialect)) return std::monostate{};
  if (const auto on = read_switch(raw, dialect)) return *on;
  if (const auto number = read_number(raw)) {
    if (const auto* whole = std::get_if<std::int64_t>(&number->value)) return *whole;
    return std::get<double>(number->value);
  }
  return std::string{raw};
}

std::optional<double> as_number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool same_value(const Value& a, const Value& b) {
  const auto x = as_number(a);
  const auto y = as_number(b);
  if (x && y) return std::abs(*x - *y) <= 1e-9 * std::max(std::abs(*x), std::abs(*y));
  return a == b;
}

std::string to_text(const Value& value) {
  struct Text {
    std::string operator()(std::monostate) const { return std::string{kUnknownText}; }
    std::string operator()(bool on) const { return on ? "true" : "false"; }
    std::string operator()(std::int64_t whole) const { return std::to_string(whole); }
    std::string operator()(double real) const { return shortest(real); }
    std::string operator()(const std::string& word) const { return word; }
  };
  return std::visit(Text{}, value);
}

std::string shortest(double real) {
  std::array<char, 32> text{};
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), real);
  return problem == std::errc{} ? std::string{text.data(), end} : std::string{};
}

}  // namespace gputop::knobs
