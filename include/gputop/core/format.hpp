// Formats quantities for people: short, fixed precision, "–" for unknown.
#pragma once

#include <string>
#include <string_view>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"

namespace gputop {

inline constexpr std::string_view kUnknownText = "–";

std::string format_bytes(Bytes bytes);                  // "7.4 GiB", "512 B"
std::string format_rate(BytesPerSecond rate);           // "1.2 GiB/s"
std::string format_duration(Duration duration);         // "00:12:41", "3d 04:10"
std::string format_wall(WallTime wall);                 // "2026-11-16T03:37:00.000Z"
std::string format_number(double value, int decimals);  // no locale, "0" never "-0"

// A number with its unit, or "–".
template <class Quantity>
std::string format_reading(const Reading<Quantity>& reading, std::string_view unit, int decimals = 0) {
  if (!reading) return std::string{kUnknownText};
  return format_number(static_cast<double>(reading->value()), decimals) + std::string{unit};
}

// Makes control characters, invalid UTF-8 and bidi/zero-width characters visible, so untrusted text cannot move the
// cursor.
std::string printable(std::string_view text);
// Equivalent JSON in which such characters are escaped as \uXXXX. For JSON that may be shown on a terminal.
std::string harmless_json(std::string_view json);
// True for characters that move or hide others, or have no width and are not combining marks. printable() shows "·"
// instead.
bool is_sly(char32_t code);

}  // namespace gputop
