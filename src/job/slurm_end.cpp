#include "gputop/job/slurm_end.hpp"

#include <chrono>
#include <cstdio>
#include <optional>

#include "gputop/core/scan.hpp"
#include "job/scontrol.hpp"

namespace gputop::job {
namespace {

constexpr std::chrono::seconds kNear{300};  // --signal=TERM@300 and less: the end of the time limit is why

// Only differences count, so the time zone does not matter. nullopt: "Unknown", "None".
std::optional<std::chrono::seconds> moment(std::string_view text) {
  const std::string copy{text};
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (std::sscanf(copy.c_str(), "%d-%u-%uT%d:%d:%d", &year, &month, &day, &hour, &minute, &second) != 6) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{month}, std::chrono::day{day}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch() + std::chrono::hours{hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
}

// "1-02:03:04", "02:03:04". nullopt: "UNLIMITED".
std::optional<std::chrono::seconds> duration(std::string_view text) {
  int days = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (const auto dash = text.find('-'); dash != std::string_view::npos) {
    if (std::sscanf(std::string{slice(text, 0, dash)}.c_str(), "%d", &days) != 1) return std::nullopt;
    text = slice(text, dash + 1);
  }
  if (std::sscanf(std::string{text}.c_str(), "%d:%d:%d", &hour, &minute, &second) != 3) return std::nullopt;
  return std::chrono::hours{24 * days + hour} + std::chrono::minutes{minute} + std::chrono::seconds{second};
}

}  // namespace

std::string why_slurm_ends_it(std::string_view answer, std::string_view now) {
  const auto state = scontrol_field(answer, "JobState");
  if (state.empty()) return {};
  if (state == "PREEMPTED" || moment(scontrol_field(answer, "PreemptTime"))) return "a job of higher priority takes its place (preemption)";
  if (state == "NODE_FAIL") return "a node failed";
  if (state == "OUT_OF_MEMORY") return "it used more memory than was asked for";
  const auto limit = scontrol_field(answer, "TimeLimit");
  const auto most = duration(limit);
  const auto began = moment(scontrol_field(answer, "StartTime"));
  const auto today = moment(now);
  const auto reached = most && began ? std::optional{*began + *most} : std::nullopt;
  const std::string words = "its time limit of " + std::string{limit};
  if (state == "TIMEOUT" || (reached && today && *today >= *reached)) return words + " is reached";
  // A canceled job is not RUNNING any more; one that gets its signal before the limit (--signal) still is.
  if (state == "RUNNING") return reached && today && *today + kNear >= *reached ? words + " is near" : "";
  return "it was canceled";
}

}  // namespace gputop::job
