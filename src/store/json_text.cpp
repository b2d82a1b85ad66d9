#include "store/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/scan.hpp"

namespace gputop::store {
namespace {

constexpr std::string_view kCut = "…";

template <class Integer>
void write_digits(std::string& out, Integer value) {
  std::array<char, 24> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

bool is_plain(char c) {
  return c >= 0x20 && c != '"' && c != '\\' && static_cast<unsigned char>(c) < 0x7F;
}

// The largest length <= limit that does not split a character. Text that is not UTF-8 may be cut anywhere.
std::size_t cut_length(std::string_view text, std::size_t limit) {
  std::size_t length = limit;
  while (length > limit - 4 && (static_cast<unsigned char>(char_at(text, length)) & 0xC0U) == 0x80U) --length;
  return length;
}

}  // namespace

void write_string(std::string& out, std::string_view text) {
  if (text.size() > kMaxText) {
    const std::string shorter =
        std::string{slice(text, 0, cut_length(text, kMaxText - kCut.size()))} + std::string{kCut};
    write_string(out, shorter);
    return;
  }
  if (!std::all_of(text.begin(), text.end(), is_plain)) {
    using Json = nlohmann::json;
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void write_integer(std::string& out, std::int64_t value) {
  write_digits(out, value);
}
void write_unsigned(std::string& out, std::uint64_t value) {
  write_digits(out, value);
}

void write_decimals(std::string& out, double value, int decimals) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 400> text{};
  auto* end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  if (decimals > 0) {
    while (end[-1] == '0') --end;
    if (end[-1] == '.') --end;
  }
  const std::string_view digits{text.data(), static_cast<std::size_t>(end - text.data())};
  out += digits == "-0" ? std::string_view{"0"} : digits;
}

void write_significant(std::string& out, double value, int digits) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  if (value == 0) {
    out += '0';
    return;
  }
  // "-1.31e+09" → the digits 131 and their power of ten.
  std::array<char, 64> text{};
  const auto* end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits - 1).ptr;
  std::string mantissa;
  const char* p = text.data();
  for (; *p != 'e'; ++p) {
    if (*p != '.') mantissa += *p;
  }
  int exponent = 0;
  ++p;
  if (*p == '+') ++p;
  std::from_chars(p, end, exponent);
  exponent -= digits - 1;
  while (last_char(mantissa) == '0') {
    mantissa.pop_back();
    ++exponent;
  }
  out += mantissa;
  if (exponent > 0 && exponent <= 2) {
    out.append(static_cast<std::size_t>(exponent), '0');
  } else if (exponent != 0) {
    out += 'e';
    write_digits(out, exponent);
  }
}

}  // namespace gputop::store
