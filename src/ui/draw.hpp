// Small things several panes draw: bars, gauges, labelled values.
#pragma once

#include <string>
#include <string_view>

#include "gputop/config/settings.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"
#include "ui/canvas.hpp"

namespace gputop::ui {

// A horizontal bar in eighths of a column; unknown is an empty one.
void bar(Painter& painter, int x, int y, int width, Reading<double> share, Ink ink);

// One column: ▁ (nothing) … █ (all); " " when unknown.
Glyph gauge(Reading<double> share);

// 0…1, or unknown.
Reading<double> share_of(const Reading<Percent>& percent);
Reading<double> share_of(const Reading<Bytes>& part, const Reading<Bytes>& whole);

// Good below the first threshold, warning below the second, else bad.
Role level(const Reading<double>& value, double warning, double bad, Role fine = Role::kText);

// "61 %", "–".
std::string percent_text(const Reading<Percent>& percent);
// "71 °C", "160 °F".
std::string temperature_text(const Reading<Celsius>& temperature, TemperatureUnit unit);
// "7.4/24.0 GiB": both in the unit of the whole.
std::string used_of_text(const Reading<Bytes>& used, const Reading<Bytes>& total);
// "7.4G": as short as it gets.
std::string short_bytes(const Reading<Bytes>& bytes);
std::string bytes_text(const Reading<Bytes>& bytes);
std::string rate_text(const Reading<BytesPerSecond>& rate);
// "212/350 W".
std::string power_text(const Reading<Watts>& power, const Reading<Watts>& limit);

// Muted label, then the value; unknown values in their own role. Returns the column behind it.
int labelled(Painter& painter, int x, int y, std::string_view label, std::string_view value, Ink ink);

// "↑ 3  ↓ 12" in the last row's right corner: lines of a page that are above and below what is shown. Nothing when all
// are.
void scroll_hint(Painter& painter, int above, int below);

}  // namespace gputop::ui
