// The time formats of logs.
#pragma once

#include <optional>
#include <string_view>

#include "gputop/core/time.hpp"

namespace gputop::smi {

// "2024/05/01 12:00:00.123", ISO 8601 with or without a zone, "05/01/2024 12:00:00 PM", "01.05.2024 12:00:00", "Wed May
// 1 12:00:00 2024", "12:00:00", or seconds (milliseconds …) since 1970 or since the log began. A time without a day is
// on January 1, 1970.
std::optional<WallTime> parse_time(std::string_view text);

// A line that is only a time: "Wed May  1 12:00:00 UTC 2024", "=== 2024-05-01 12:00:00 ===", "Timestamp: 12:00:00",
// seconds since 1970. nullopt: anything else, or more.
std::optional<WallTime> time_line(std::string_view line);

// Lines of a log, some of which are times: the day may be on a separate line before it ("date /T", "time /T"), and
// times without a day continue past midnight.
class LineClock {
 public:
  // nullopt: the line is not a time.
  std::optional<WallTime> read(std::string_view line);

 private:
  std::optional<WallTime> day_;
  std::chrono::hours days_{0};
  std::optional<WallTime> last_;
};

// Consecutive times: those without a day continue past midnight.
class LogClock {
 public:
  std::optional<WallTime> read(std::string_view text);

 private:
  std::chrono::hours days_{0};
  std::optional<WallTime> last_;
};

}  // namespace gputop::smi
