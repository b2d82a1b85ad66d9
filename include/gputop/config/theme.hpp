// A theme is data: the look of each role on the screen. Files are themes/*.yaml; no code knows a color.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gputop {

struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  bool operator==(const Rgb&) const = default;
};

struct Style {
  std::optional<Rgb> foreground;  // nullopt: the terminal's own
  std::optional<Rgb> background;
  bool bold = false;
  bool dim = false;
  bool underline = false;
  bool inverse = false;
  bool operator==(const Style&) const = default;
};

// X(enumerator, yaml key). The only list of roles: the enum, the loader and the documentation follow it.
#define GPUTOP_THEME_ROLES(X)         \
  X(kText, "text")                    \
  X(kMuted, "muted")                  \
  X(kBorder, "border")                \
  X(kBorderFocused, "border_focused") \
  X(kTitle, "title")                  \
  X(kAccent, "accent")                \
  X(kGood, "good")                    \
  X(kWarning, "warning")              \
  X(kBad, "bad")                      \
  X(kUnknown, "unknown")              \
  X(kSelection, "selection")          \
  X(kColumnHeader, "column_header")   \
  X(kKey, "key")                      \
  X(kKeyLabel, "key_label")           \
  X(kBarEmpty, "bar_empty")           \
  X(kUtilization, "utilization")      \
  X(kMemory, "memory")                \
  X(kPower, "power")                  \
  X(kTemperature, "temperature")      \
  X(kPcie, "pcie")                    \
  X(kThroughput, "throughput")        \
  X(kEventMark, "event_mark")         \
  X(kSimulated, "simulated")

enum class Role : std::uint8_t {
#define X(enumerator, key) enumerator,
  GPUTOP_THEME_ROLES(X)
#undef X
      kCount
};

struct Theme {
  std::string name;
  std::string description;
  bool light = false;
  std::array<Style, static_cast<std::size_t>(Role::kCount)> styles;

  [[nodiscard]] const Style& operator[](Role role) const { return styles[static_cast<std::size_t>(role)]; }
  Style& operator[](Role role) { return styles[static_cast<std::size_t>(role)]; }
};

}  // namespace gputop
