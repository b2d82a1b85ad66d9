// Readings as shares of a whole and as text, for several panes.
#pragma once

#include <string>
#include <string_view>

#include "gputop/app/model.hpp"
#include "gputop/config/settings.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/units.hpp"
#include "gputop/config/theme.hpp"

namespace gputop::ui {

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

// "tensor 31 % · SM 62 % · DRAM 48 %": what is known of it; "" where the card has no such counters.
std::string activity_text(const GpuActivity& activity);
// The same of a whole card; of one that MIG divides, what its instances hold: "2 instances · 22.0/50.0 GiB".
std::string inside_text(const GpuReading& gpu);
// "power limit 12 % · heat 40 %" of the time since the last reading; "" where nothing held it down or the driver does not
// count it.
std::string slowed_time_text(const SlowedTime& slowed);

}  // namespace gputop::ui
