// New values in the manner of the old ones: see value.hpp.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gputop/core/characters.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/knobs/value.hpp"
#include "knobs/numbers.hpp"

namespace gputop::knobs {
namespace {

Error refuse(std::string message) {
  return {Error::Kind::kNotSupported, std::move(message)};
}

std::string write_switch(std::string_view raw, bool on, Dialect dialect) {
  struct Pair {
    std::string_view yes;
    std::string_view no;
  };
  static constexpr std::array kPairs{
      Pair{"true", "false"}, Pair{"True", "False"}, Pair{"TRUE", "FALSE"}, Pair{"yes", "no"}, Pair{"Yes", "No"},
      Pair{"YES", "NO"},     Pair{"on", "off"},     Pair{"On", "Off"},     Pair{"ON", "OFF"}, Pair{"1", "0"}};
  for (const auto& [yes, no] : kPairs) {
    if (raw == yes || raw == no) return std::string{on ? yes : no};
  }
  if (dialect == Dialect::kPython) return on ? "True" : "False";
  return on ? "true" : "false";
}

// A real number that every reader takes for one: PyYAML wants a point in the mantissa and a sign in the exponent, or it
// reads a word; TOML wants digits on both sides of the point.
std::string write_real(std::string_view raw, double real, Dialect dialect) {
  const bool exponent = raw.find_first_of("eE") != std::string_view::npos;
  const bool point = raw.find('.') != std::string_view::npos;
  const double size = std::abs(real);
  const bool far = size != 0 && (size < 1e-4 || size >= 1e15);
  std::array<char, 400> text{};
  const auto form = exponent || far ? std::chars_format::scientific : std::chars_format::fixed;
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), real, form);
  if (problem != std::errc{}) return {};
  std::string written{text.data(), end};
  const std::size_t split = written.find('e');
  if (split == std::string::npos) {
    if (written.find('.') == std::string::npos && (point || !read_number(raw))) written += ".0";
    return written;
  }
  std::string mantissa = slice(written, 0, split);
  std::string power = slice(written, split + 1);  // sign and at least two digits
  const bool bare = exponent && !point;           // 1e-3: as it was
  if (!bare && mantissa.find('.') == std::string::npos) mantissa += ".0";
  const std::size_t old = raw.find_first_of("eE");
  if (old != std::string_view::npos) {
    const auto digits = slice(raw, old + 1);
    const bool padded = digits.size() > 2 && char_at(digits, 1) == '0';
    if (!padded && power.size() == 3 && char_at(power, 1) == '0') power.erase(1, 1);  // e-3, not e-03
    const bool needs_sign = dialect == Dialect::kYaml && mantissa.find('.') != std::string::npos;
    if (char_at(power, 0) == '+' && !digits.empty() && char_at(digits, 0) != '+' && !needs_sign) power.erase(0, 1);
    return mantissa + char_at(raw, old) + power;
  }
  return mantissa + "e" + power;
}

// Needs no quotes anywhere: no mark of any language in it, and nothing a reader would take for a number or a switch.
bool is_plain_word(std::string_view word, Dialect dialect) {
  const auto fine = [](char c) {
    return is_alnum(c) || c == '_' || c == '-' ||
           c == '.' || c == '/' || c == '+';
  };
  if (word.empty() || char_at(word, 0) == '-' || char_at(word, 0) == '.') return false;
  return std::all_of(word.begin(), word.end(), fine) && std::holds_alternative<std::string>(read_scalar(word, dialect));
}

Result<std::string> write_word(bool quoted, const std::string& word, Dialect dialect) {
  const auto awkward = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\'' || c == '\\'; };
  if (std::any_of(word.begin(), word.end(), awkward)) {
    return refuse("\"" + printable(word) + "\" has characters that need escaping");
  }
  if (quoted || dialect == Dialect::kWords) return word;
  if (dialect == Dialect::kYaml && is_plain_word(word, dialect)) return word;
  return "\"" + word + "\"";
}

}  // namespace

Result<std::string> write_like(std::string_view raw, bool quoted, const Value& value, Dialect dialect) {
  if (const auto number = read_number(raw);
      number && !number->plain && raw.find_first_of("xXoObB") == raw.npos && dialect == Dialect::kYaml) {
    return refuse(std::string{raw} + " begins with 0: octal for some YAML readers, decimal for others");
  }
  if (const auto* on = std::get_if<bool>(&value)) return write_switch(raw, *on, dialect);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    const auto old = read_number(raw);
    if (old && std::holds_alternative<double>(old->value)) return write_real(raw, static_cast<double>(*whole), dialect);
    return std::to_string(*whole);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    if (!std::isfinite(*real)) return refuse("not a finite number");
    return write_real(raw, *real, dialect);
  }
  if (const auto* word = std::get_if<std::string>(&value)) return write_word(quoted, *word, dialect);
  return refuse("nothing to write");
}

}  // namespace gputop::knobs
