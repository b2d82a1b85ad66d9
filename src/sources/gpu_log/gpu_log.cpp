#include "gputop/sources/gpu_log.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLinesLookedAt = 50;

// Behind a "[": an array of objects, and no "[N/A]".
bool next_is_json(std::string_view text) {
  const auto next = text.find_first_not_of(" \t\r\n");
  return next != std::string_view::npos && (char_at(text, next) == '{' || char_at(text, next) == ']');
}

// What a shell wrote before it does not matter.
bool has_dmon_header(std::string_view text) {
  for (std::size_t i = 0; i < kLinesLookedAt && !text.empty(); ++i) {
    const auto end = std::min(text.find('\n'), text.size());
    if (is_dmon_header(slice(text, 0, end))) return true;
    skip_front(text, end + 1);
  }
  return false;
}

// nvidia-smi pmon ("# gpu        pid  type …") and --query-compute-apps have a line for each process.
bool is_of_processes(std::string_view text) {
  const auto line = slice(text, 0, text.find('\n'));
  const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
  return (line.starts_with('#') && has(" gpu ") && has(" pid ")) ||
         (has("pid") && (has("used_gpu_memory") || has("used_memory"))) || has("process_name");
}

}  // namespace

Result<SmiLog> parse_gpu_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  const auto begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (begin == std::string_view::npos)
    return Error{Error::Kind::kInvalid, std::string{file} + ": is empty: nothing was recorded or logged into it"};
  if (char_at(text, begin) == '{' || (char_at(text, begin) == '[' && next_is_json(slice(text, begin + 1))))
    return parse_gpustat_log(text, file);
  if (is_of_processes(slice(text, begin))) {
    return Error{Error::Kind::kInvalid,
                 std::string{file} +
                     ": holds processes (nvidia-smi pmon or --query-compute-apps), and no readings of GPUs; " +
                     std::string{kLogsThatAreRead}};
  }
  if (has_dmon_header(slice(text, begin))) return parse_dmon_log(text, file);
  return parse_smi_log(text, file, columns);
}

}  // namespace gputop
