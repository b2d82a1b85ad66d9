// The times that logs are written with.
#pragma once

#include <optional>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop::smi {

// "2024/05/01 12:00:00.123", ISO 8601 with or without a zone, "05/01/2024 12:00:00 PM", "01.05.2024 12:00:00", "Wed May
// 1 12:00:00 2024", "12:00:00", or seconds (milliseconds …) since 1970 or since the log began. What names no day is of
// the first of 1970.
std::optional<WallTime> parse_time(std::string_view text);

// A line that is a time and nothing else: "Wed May  1 12:00:00 UTC 2024", "=== 2024-05-01 12:00:00 ===", "Timestamp:
// 12:00:00", seconds since 1970. nullopt: it says something else, or more.
std::optional<WallTime> time_line(std::string_view line);

// Lines of a log, of which some are a time: a day may stand on a line of its own before it ("date /T", "time /T"), and
// times that name none go on over midnight.
class LineClock {
 public:
  // nullopt: the line is no time.
  std::optional<WallTime> read(std::string_view line);

 private:
  std::optional<WallTime> day_;
  std::chrono::hours days_{0};
  std::optional<WallTime> last_;
};

// Times one after the other: those that name no day go on over midnight.
class LogClock {
 public:
  std::optional<WallTime> read(std::string_view text);

 private:
  std::chrono::hours days_{0};
  std::optional<WallTime> last_;
};

}  // namespace gputop::smi
