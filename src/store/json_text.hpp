// JSON as recordings write it: no spaces, numbers as short as their precision allows, always valid UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gputop::store {

// Longer texts (mostly command lines) are cut: a recording should not store 128 KiB of arguments.
inline constexpr std::size_t kMaxText = 4096;

// Quoted and escaped; invalid UTF-8 becomes U+FFFD; cut at kMaxText bytes with "…" at the end.
void write_string(std::string& out, std::string_view text);

void write_integer(std::string& out, std::int64_t value);
void write_unsigned(std::string& out, std::uint64_t value);

// Rounded to this many decimals, without trailing zeros; null if not finite.
void write_decimals(std::string& out, double value, int decimals);
// Rounded to this many significant digits, large and small ones as "131e7"; null if not finite.
void write_significant(std::string& out, double value, int digits);

}  // namespace gputop::store
