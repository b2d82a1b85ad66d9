#include <algorithm>
#include <cctype>

#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

bool is_numbered(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), name.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

void add_once(std::vector<std::string>& list, const std::optional<std::string>& word) {
  if (word && !word->empty() && std::find(list.begin(), list.end(), *word) == list.end()) list.push_back(*word);
}

// "Cpus_allowed_list:\t0-3" → "0-3".
std::optional<std::string> line_value(const std::string& text, std::string_view key) {
  const auto at = text.find(key);
  if (at == std::string::npos) return std::nullopt;
  auto begin = at + key.size();
  while (begin < text.size() && (text[begin] == ':' || text[begin] == ' ' || text[begin] == '\t')) ++begin;
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

void probe_cpu(const Files& files, Machine& machine) {
  constexpr std::string_view kCpus = "/sys/devices/system/cpu";
  for (const auto& name : files.names(kCpus)) {
    if (!is_numbered(name, "cpu")) continue;
    const std::string folder = std::string{kCpus} + "/" + name + "/cpufreq/";
    add_once(machine.cpu.drivers, files.text(folder + "scaling_driver"));
    add_once(machine.cpu.governors, files.text(folder + "scaling_governor"));
    add_once(machine.cpu.preferences, files.text(folder + "energy_performance_preference"));
  }
  if (const auto info = files.text("/proc/cpuinfo")) {
    machine.cpu.virtual_machine = info->find(" hypervisor") != std::string::npos;
  }
  if (files.exists("/sys/hypervisor/type")) machine.cpu.virtual_machine = true;
  constexpr std::string_view kNodes = "/sys/devices/system/node";
  for (const auto& name : files.names(kNodes)) {
    if (!is_numbered(name, "node")) continue;
    const auto cpus = files.text(std::string{kNodes} + "/" + name + "/cpulist");
    if (cpus && !cpus->empty()) machine.numa.nodes.push_back(*cpus);
  }
  if (const auto balancing = files.text("/proc/sys/kernel/numa_balancing")) machine.numa.balancing = *balancing != "0";
  if (const auto pages = files.text("/sys/kernel/mm/transparent_hugepage/enabled")) {
    const auto open = pages->find('[');
    const auto close = pages->find(']');
    if (open != std::string::npos && close != std::string::npos && close > open) {
      machine.transparent_pages = pages->substr(open + 1, close - open - 1);
    }
  }
  if (const auto status = files.text("/proc/self/status")) machine.affinity = line_value(*status, "Cpus_allowed_list");
}

}  // namespace gputop::doctor
