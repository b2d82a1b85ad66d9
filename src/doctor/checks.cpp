#include "doctor/checks.hpp"

#include <charconv>
#include <vector>

namespace gputop::doctor::checks {
namespace {

std::optional<unsigned> to_unsigned(std::string_view text) {
  unsigned value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "0-3,8" as flags by CPU number.
std::optional<std::vector<bool>> parse_list(std::string_view list) {
  constexpr unsigned kMostCpus = 1U << 16U;
  std::vector<bool> cpus;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const auto part = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    const auto dash = part.find('-');
    const auto first = to_unsigned(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : to_unsigned(part.substr(dash + 1));
    if (!first || !last || *last < *first || *last >= kMostCpus) return std::nullopt;
    if (cpus.size() <= *last) cpus.resize(*last + 1);
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus[cpu] = true;
  }
  return cpus;
}

std::optional<double> to_double(const std::string& text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class Map>
std::optional<double> number_in(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? std::nullopt : to_double(found->second);
}

}  // namespace

Verdict each_gpu(const Machine& machine, const GpuLook& look, std::string well, Verdict otherwise) {
  if (machine.gpus.empty()) return unknown("no GPU to check");
  Level worst = Level::kOk;
  std::string found;
  bool somebody_says = false;
  std::optional<unsigned> first;
  for (const auto& gpu : machine.gpus) {
    const auto finding = gpu.state == GpuState::kOk ? look(gpu) : std::nullopt;
    if (!finding) continue;
    somebody_says = true;
    if (finding->level == Level::kOk) continue;
    worst = std::max(worst, finding->level);
    if (!first) first = gpu.index;
    found += (found.empty() ? "GPU " : "; GPU ") + std::to_string(gpu.index) + ": " + finding->found;
  }
  if (!somebody_says) return unknown("the driver does not report it");
  if (worst == Level::kOk) return ok(std::move(well));
  otherwise.level = worst;
  otherwise.found = std::move(found);
  otherwise.fix = with_gpu(std::move(otherwise.fix), *first);
  return otherwise;
}

std::string with_gpu(std::string fix, unsigned gpu) {
  constexpr std::string_view kMark = "{gpu}";
  for (auto at = fix.find(kMark); at != std::string::npos; at = fix.find(kMark)) {
    fix.replace(at, kMark.size(), std::to_string(gpu));
  }
  return fix;
}

std::optional<unsigned> cpus_in_list(const std::string& list) {
  const auto cpus = parse_list(list);
  if (!cpus) return std::nullopt;
  unsigned count = 0;
  for (const bool set : *cpus) count += set ? 1U : 0U;
  return count;
}

std::optional<bool> list_within(const std::string& part, const std::string& whole) {
  const auto inner = parse_list(part);
  const auto outer = parse_list(whole);
  if (!inner || !outer) return std::nullopt;
  for (std::size_t cpu = 0; cpu < inner->size(); ++cpu) {
    if ((*inner)[cpu] && (cpu >= outer->size() || !(*outer)[cpu])) return false;
  }
  return true;
}

std::optional<double> setting_number(const Machine& machine, std::string_view knob) {
  return number_in(machine.settings, knob);
}

std::optional<double> environment_number(const Machine& machine, std::string_view name) {
  return number_in(machine.environment, name);
}

}  // namespace gputop::doctor::checks
