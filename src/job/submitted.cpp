#include "gputop/job/submitted.hpp"

#include <algorithm>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"
#include "job/scontrol.hpp"

namespace gputop::job {
namespace {

std::string_view leading_digits(std::string_view text) {
  return slice(text, 0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

std::optional<std::string> number_after(std::string_view output, std::string_view words) {
  const auto at = output.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = slice(output, at + words.size());
  const auto digits = leading_digits(rest);
  return digits.empty() || digits.size() == rest.size() ? std::nullopt : std::optional{std::string{digits}};
}

std::string_view name_of(std::string_view program) {
  return slice(program, program.rfind('/') + 1);
}

std::string lower(std::string_view text) {
  std::string small;
  for (const char c : text) small += c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

}  // namespace

std::string_view scontrol_field(std::string_view answer, std::string_view name) {
  for (auto at = answer.find(name); at != std::string_view::npos; at = answer.find(name, at + 1)) {
    const auto before = slice(answer, at == 0 ? 0 : at - 1, 1);
    const bool begins = at == 0 || before == " " || before == "\n";
    if (!begins || !slice(answer, at + name.size()).starts_with('=')) continue;
    const auto value = slice(answer, at + name.size() + 1);
    return slice(value, 0, value.find_first_of(" \n"));
  }
  return {};
}

bool is_submit(const std::vector<std::string>& argv) {
  return !argv.empty() && name_of(argv.front()) == "sbatch";
}

bool is_allocation(const std::vector<std::string>& argv) {
  return !argv.empty() && name_of(argv.front()) == "salloc";
}

bool is_for_a_script(const std::vector<std::string>& argv) {
  // Behind the script's name, words are the script's own.
  for (std::size_t i = 1; i < argv.size() && argv[i].starts_with('-'); ++i) {
    if (argv[i] == "--parsable") return true;
  }
  return false;
}

std::optional<std::string> submitted_job(std::string_view output) {
  if (auto job = number_after(output, "Submitted batch job ")) return job;
  const auto line = slice(output, 0, output.find('\n'));
  const auto digits = leading_digits(line);
  const auto rest = slice(line, digits.size());
  if (digits.empty() || (!rest.empty() && !rest.starts_with(';'))) return std::nullopt;
  return std::string{digits};
}

std::optional<std::string> granted_job(std::string_view output) {
  return number_after(output, "salloc: Granted job allocation ");
}

std::optional<QueuedJob> read_queued(std::string_view line) {
  line = slice(line, 0, line.find('\n'));
  const auto first = line.find(' ');
  if (line.empty() || first == std::string_view::npos) return std::nullopt;
  const auto last = line.rfind(' ');
  QueuedJob job{std::string{slice(line, 0, first)}, "", std::string{slice(line, last + 1)}};
  if (last > first) job.reason = slice(line, first + 1, last - first - 1);
  if (job.reason == "None") job.reason.clear();
  return job;
}

std::string to_words(const QueuedJob& job) {
  auto text = lower(job.state);
  if (job.state == "PENDING") return job.reason.empty() ? text : text + " (" + job.reason + ")";
  return job.nodes.empty() ? text : text + " on " + job.nodes;
}

std::string how_it_ended(std::string_view answer) {
  const auto state = scontrol_field(answer, "JobState");
  const auto code = scontrol_field(answer, "ExitCode");  // "3:0": the exit code and the signal
  const auto colon = code.find(':');
  const auto number = slice(code, 0, colon);
  const auto signal = colon == std::string_view::npos ? std::string_view{} : slice(code, colon + 1);
  auto text = lower(state);
  if (text.empty()) return text;
  if (!signal.empty() && signal != "0") return text + " (signal " + std::string{signal} + ")";
  if (!number.empty() && number != "0") return text + " with exit code " + std::string{number};
  return text;
}

}  // namespace gputop::job
