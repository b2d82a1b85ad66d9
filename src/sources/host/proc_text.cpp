#include "sources/host/proc_text.hpp"

#include <algorithm>

#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

Reading<Bytes> kibibytes(std::string_view meminfo, std::string_view key) {
  const auto value = value_of(meminfo, key);
  if (!value) return std::nullopt;
  return Bytes{*value * 1024};
}

Reading<Bytes> used(const Reading<Bytes>& total, const Reading<Bytes>& free) {
  if (!total || !free) return std::nullopt;
  return *total - std::min(*total, *free);
}

// Kernels before 3.14 do not report available memory: use free memory plus reclaimable page cache.
Reading<Bytes> estimated_available(std::string_view meminfo) {
  auto available = kibibytes(meminfo, "MemFree");
  if (!available) return std::nullopt;
  for (const auto* key : {"Buffers", "Cached", "SReclaimable"}) {
    *available += kibibytes(meminfo, key).value_or(Bytes{});
  }
  return *available - std::min(*available, kibibytes(meminfo, "Shmem").value_or(Bytes{}));
}

Reading<Percent> average_of_10_seconds(TextScan line) {
  constexpr std::string_view kKey = "avg10=";
  const auto word = line.word();
  if (!word.starts_with(kKey)) return std::nullopt;
  const auto value = to_number<double>(word.substr(kKey.size()));
  if (!value) return std::nullopt;
  return Percent{*value};
}

}  // namespace

void read_memory(std::string_view meminfo, HostReading& host) {
  host.memory_total = kibibytes(meminfo, "MemTotal");
  auto available = kibibytes(meminfo, "MemAvailable");
  if (!available) available = estimated_available(meminfo);
  host.memory_used = used(host.memory_total, available);
  host.swap_total = kibibytes(meminfo, "SwapTotal");
  host.swap_used = used(host.swap_total, kibibytes(meminfo, "SwapFree"));
}

void read_load(std::string_view loadavg, HostReading& host) {
  TextScan scan{loadavg};
  host.load1 = scan.number<double>();
  host.load5 = scan.number<double>();
  host.load15 = scan.number<double>();
}

Pressure parse_pressure(std::string_view text) {
  Pressure pressure;
  TextScan lines{text};
  while (!lines.done()) {
    TextScan line{lines.line()};
    const auto kind = line.word();
    if (kind == "some") pressure.some = average_of_10_seconds(line);
    if (kind == "full") pressure.full = average_of_10_seconds(line);
  }
  return pressure;
}

Reading<ProcessStat> parse_process_stat(std::string_view text) {
  // The name may contain blanks and parentheses: it ends at the last parenthesis.
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  ProcessStat stat;
  stat.name = text.substr(open + 1, close - open - 1);
  TextScan scan{text.substr(close + 1)};
  const auto state = scan.word();
  const auto parent = scan.number<std::int64_t>();
  scan.skip_words(9);  // pgrp … cmajflt
  const auto user = scan.number();
  const auto system = scan.number();
  scan.skip_words(4);  // children's times, priority, nice
  const auto threads = scan.number<unsigned>();
  scan.skip_words(1);
  const auto start = scan.number();
  scan.skip_words(1);
  const auto resident = scan.number();
  if (state.size() != 1 || !parent || !user || !system || !threads || !start || !resident) return std::nullopt;
  stat.state = state.front();
  stat.parent = *parent;
  stat.cpu_ticks = *user + *system;
  stat.threads = *threads;
  stat.start_ticks = *start;
  stat.resident_pages = *resident;
  return stat;
}

}  // namespace gputop::host
