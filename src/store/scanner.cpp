#include "store/scanner.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::store {
namespace {

template <class Integer>
bool read_integer(const char*& p, const char* end, Integer& value) {
  const auto [next, error] = std::from_chars(p, end, value);
  if (error != std::errc{}) return false;
  p = next;
  return true;
}

// Characters that end a bare value: a number, null, true.
constexpr std::array<bool, 256> make_structural() {
  std::array<bool, 256> structural{};
  for (const unsigned char c : {',', ':', '[', ']', '{', '}', '"'}) structural[c] = true;
  return structural;
}
constexpr auto kStructural = make_structural();

// Characters of a list of numbers and null.
constexpr std::array<bool, 256> make_plain() {
  std::array<bool, 256> plain{};
  for (const unsigned char c : {',', '.', '-', '+', 'e', 'n', 'u', 'l'}) plain[c] = true;
  for (unsigned char c = '0'; c <= '9'; ++c) plain[c] = true;
  return plain;
}
constexpr auto kPlain = make_plain();

// Nearly all escapes are newlines. False: there is another kind, or an invalid character.
bool read_simple_escapes(std::string_view text, std::string& value) {
  value.clear();
  std::size_t plain = 0;  // start of what was not copied yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = char_at(text, i);
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x80) return false;
    if (c != '\\') continue;
    value += slice(text, plain, i - plain);
    c = char_at(text, ++i);  // exists: skip_string() checked it
    if (c == 'n')
      c = '\n';
    else if (c == 'r')
      c = '\r';
    else if (c == 't')
      c = '\t';
    else if (c != '"' && c != '\\' && c != '/')
      return false;
    value += c;
    plain = i + 1;
  }
  value += slice(text, plain);
  return true;
}

// A word such as null or true.
bool take_word(const char*& p, const char* end, std::string_view word) {
  if (static_cast<std::size_t>(end - p) < word.size() || std::memcmp(p, word.data(), word.size()) != 0) return false;
  p += word.size();
  return true;
}

}  // namespace

bool Scanner::take_null() {
  return p_ != end_ && *p_ == 'n' && take_word(p_, end_, "null");
}

bool Scanner::read_any(double& value) {
  // Up to 15 digits and a small power of ten need one correctly rounded operation; anything else takes the slow path.
  static constexpr std::array<double, 16> kPowers{1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* p = p_;
  const bool negative = p != end_ && *p == '-';
  if (negative) ++p;
  const char* const digits = p;
  std::int64_t mantissa = 0;
  int exponent = 0;
  while (p != end_ && is_digit(*p) && p - digits < 16) mantissa = mantissa * 10 + (*p++ - '0');
  if (p == digits) return false;
  if (p != end_ && *p == '.') {
    const char* const fraction = ++p;
    while (p != end_ && is_digit(*p) && p - digits < 16) mantissa = mantissa * 10 + (*p++ - '0');
    if (p == fraction) return false;
    exponent = -static_cast<int>(p - fraction);
  }
  const bool long_number = p - digits >= 16;
  if (!long_number && p != end_ && *p == 'e') {
    int power = 0;
    ++p;
    if (!read_integer(p, end_, power) || power < -400 || power > 400) return false;
    exponent += power;
  }
  if (long_number || exponent < -15 || exponent > 15) {
    const auto [next, error] = std::from_chars(p_, end_, value);
    if (error != std::errc{}) return false;
    p_ = next;
    return true;
  }
  value = static_cast<double>(mantissa);
  if (exponent < 0) value /= kPowers[static_cast<std::size_t>(-exponent)];
  if (exponent > 0) value *= kPowers[static_cast<std::size_t>(exponent)];
  if (negative) value = -value;
  p_ = p;
  return true;
}

bool Scanner::read(std::uint64_t& value) {
  return read_integer(p_, end_, value);
}
bool Scanner::read(std::int64_t& value) {
  return read_integer(p_, end_, value);
}

bool Scanner::read(bool& value) {
  value = p_ != end_ && *p_ == 't';
  return take_word(p_, end_, value ? "true" : "false");
}

bool Scanner::skip_string() {
  if (!take('"')) return false;
  for (; p_ != end_; ++p_) {
    if (*p_ == '"') {
      ++p_;
      return true;
    }
    if (*p_ == '\\' && ++p_ == end_) return false;
  }
  return false;
}

bool Scanner::read(std::string& value) {
  const char* const start = p_;
  if (!skip_string()) return false;
  const std::string_view quoted{start, static_cast<std::size_t>(p_ - start)};
  if (quoted.find('\\') == std::string_view::npos) {
    value = slice(quoted, 1, quoted.size() - 2);
    return true;
  }
  if (read_simple_escapes(slice(quoted, 1, quoted.size() - 2), value)) return true;
  const auto parsed = nlohmann::json::parse(quoted, nullptr, false);
  if (!parsed.is_string()) return false;
  value = parsed.get<std::string>();
  return true;
}

bool Scanner::read_key(std::string_view& key) {
  const char* const start = p_;
  if (!skip_string()) return false;
  key = {start + 1, static_cast<std::size_t>(p_ - start) - 2};
  return take(':');
}

bool Scanner::skip_numbers() {
  const char* p = p_;
  while (p != end_ && kPlain[static_cast<unsigned char>(*p)]) ++p;
  if (p == end_ || *p != ']') return false;
  p_ = p + 1;
  return true;
}

bool Scanner::skip() {
  // Nearly everything skipped is a list of numbers.
  if (take('[')) {
    if (skip_numbers()) return true;
    --p_;
  }
  int depth = 0;
  do {
    if (p_ == end_) return false;
    switch (*p_) {
      case '"':
        if (!skip_string()) return false;
        break;
      case '[':
      case '{':
        ++depth;
        ++p_;
        break;
      case ']':
      case '}':
        if (depth-- == 0) return false;
        ++p_;
        break;
      case ',':
      case ':':
        if (depth == 0) return false;
        ++p_;
        break;
      default: {
        const char* const start = p_;
        while (p_ != end_ && !kStructural[static_cast<unsigned char>(*p_)]) ++p_;
        if (p_ == start) return false;
      }
    }
  } while (depth > 0);
  return true;
}

}  // namespace gputop::store
