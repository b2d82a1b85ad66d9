#include "sources/host/process_table.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/secrets.hpp"
#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

constexpr std::size_t kLongestCommand = 4096;
// Programs may rename themselves; noticing that can wait.
constexpr Duration kCommandEvery = std::chrono::seconds{5};
constexpr std::size_t kMostKeptOpen = 64;
// Two more files per process: every other second is enough. Slightly less, because ticks are not exact.
constexpr Duration kCountersEvery = std::chrono::milliseconds{1800};

std::uint64_t ticks_per_second() {
  static const auto ticks = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_CLK_TCK)));
  return ticks;
}

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return bytes;
}

// Each argument ends with a NUL; programs that rename themselves leave trailing NULs. Secrets are masked here, because
// screens get photographed and pasted.
std::string command_line(std::string_view arguments) {
  while (!arguments.empty() && (arguments.back() == '\0' || arguments.back() == ' ')) arguments.remove_suffix(1);
  std::vector<std::string> words(1);
  for (const char c : arguments) {
    if (c == '\0') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::string masked;
  for (const auto& word : mask_arguments(words)) masked += word + '\0';
  if (!masked.empty()) masked.pop_back();
  return printable(masked);
}

Reading<std::uint64_t> owner(std::string_view status) {
  return value_of(status, "Uid");
}

}  // namespace

ProcessTable::ProcessTable(const std::string& proc, UserNames::LookUp user_name)
    : proc_(open_folder(proc)), tree_(proc_), users_(std::move(user_name)) {}

void ProcessTable::watch(std::vector<std::int64_t> pids, std::vector<std::int64_t> tree_roots) {
  const auto is_no_process = [](std::int64_t pid) { return pid <= 0; };
  std::erase_if(pids, is_no_process);
  std::erase_if(tree_roots, is_no_process);
  pids_ = std::move(pids);
  tree_.follow(std::move(tree_roots));
}

Descriptor ProcessTable::open(std::int64_t pid, const char* name) const {
  std::array<char, 64> path{};
  auto* end = std::to_chars(path.data(), path.data() + 24, pid).ptr;
  *end++ = '/';
  std::strncpy(end, name, 32);
  return open_file(proc_.get(), path.data());
}

std::optional<std::string_view> ProcessTable::file(std::int64_t pid,
                                                   const char* name,
                                                   ReadBuffer& buffer,
                                                   std::size_t limit) const {
  return buffer.read(open(pid, name), limit);
}

// The file that is read at every tick stays open. Reading fails once its process is gone, even if another process has
// the PID by then.
std::optional<std::string_view> ProcessTable::stat_file(std::int64_t pid, ReadBuffer& buffer) {
  const auto known = known_.find(pid);
  if (known == known_.end() || known_.size() > kMostKeptOpen) return file(pid, "stat", buffer);
  auto& stat = known->second.stat;
  if (const auto text = buffer.read(stat)) return text;
  stat = open(pid, "stat");
  return buffer.read(stat);
}

void ProcessTable::refresh_command(std::int64_t pid, Known& known, char state, Instant now, ReadBuffer& buffer) const {
  // A dead process has no arguments left; of one that hangs in the kernel they may not be had without hanging too.
  if (state == 'Z' || state == 'X' || state == 'D') return;
  if (known.command_at && now - *known.command_at < kCommandEvery) return;
  if (const auto text = file(pid, "cmdline", buffer, kLongestCommand)) {
    known.command = command_line(*text);
    known.command_at = now;
  }
}

ProcessTable::Counters ProcessTable::read_counters(std::int64_t pid, Known& known, ReadBuffer& buffer) const {
  Counters counters;
  if (const auto status = file(pid, "status", buffer)) {
    // Of the first thread only: each other thread would cost a file.
    counters.involuntary_switches = value_of(*status, "nonvoluntary_ctxt_switches");
    known.uid = owner(*status);
  }
  // Not readable by other users.
  if (const auto io = file(pid, "io", buffer)) {
    counters.bytes_read = value_of(*io, "read_bytes");
    counters.bytes_written = value_of(*io, "write_bytes");
    counters.bytes_asked = value_of(*io, "rchar");
  }
  return counters;
}

void ProcessTable::refresh_cpu(Known& known, std::uint64_t cpu_ticks, Instant now, unsigned cpu_count) {
  if (known.cpu_at) {
    const auto elapsed = now - *known.cpu_at;
    if (elapsed < kShortestWindow) return;
    known.cpu.reset();
    if (const auto ticks = per_second(known.cpu_ticks, cpu_ticks, elapsed)) {
      const double percent = 100.0 * *ticks / static_cast<double>(ticks_per_second());
      known.cpu = Percent{std::min(percent, 100.0 * std::max(1U, cpu_count))};
    }
  }
  known.cpu_ticks = cpu_ticks;
  known.cpu_at = now;
}

void ProcessTable::refresh_counters(std::int64_t pid, Known& known, Instant now, ReadBuffer& buffer) const {
  if (known.counters_at && now - *known.counters_at < kCountersEvery) return;
  const auto counters = read_counters(pid, known, buffer);
  if (known.counters_at) {
    const auto elapsed = now - *known.counters_at;
    const auto& before = known.counters;
    known.read = rate<BytesPerSecond>(before.bytes_read, counters.bytes_read, elapsed);
    known.write = rate<BytesPerSecond>(before.bytes_written, counters.bytes_written, elapsed);
    known.asked = rate<BytesPerSecond>(before.bytes_asked, counters.bytes_asked, elapsed);
    known.involuntary_switches = per_second(before.involuntary_switches, counters.involuntary_switches, elapsed);
  }
  known.counters = counters;
  known.counters_at = now;
}

bool ProcessTable::read_one(Instant now,
                            unsigned cpu_count,
                            const Reading<std::uint64_t>& boot_seconds,
                            ProcessReading& reading,
                            ReadBuffer& buffer) {
  const auto text = stat_file(reading.pid, buffer);
  const auto stat = text ? parse_process_stat(*text) : std::nullopt;
  if (!stat) return false;
  auto& known = known_[reading.pid];
  if (known.cpu_at && known.start_ticks != stat->start_ticks) {
    known = {};  // another process has this PID now
    if (reading.root != reading.pid) return false;
  }
  if (known.start_ticks == 0) {
    known.start_ticks = stat->start_ticks;
    if (boot_seconds) {
      const auto since_boot_ms = stat->start_ticks * 1000 / ticks_per_second();
      known.started = WallTime{std::chrono::milliseconds{*boot_seconds * 1000 + since_boot_ms}};
    }
  }
  if (known.name != stat->name) {
    known.name = stat->name;
    known.command_at.reset();
  }
  reading.parent = stat->parent;
  reading.state = stat->state;
  reading.threads = stat->threads;
  reading.cpu_time = std::chrono::milliseconds{stat->cpu_ticks * 1000 / ticks_per_second()};
  reading.resident = Bytes{stat->resident_pages * page_bytes()};
  const auto cpu_ticks = stat->cpu_ticks;
  // From here on, the text that `stat` points into is invalid.
  refresh_command(reading.pid, known, reading.state, now, buffer);
  refresh_cpu(known, cpu_ticks, now, cpu_count);
  refresh_counters(reading.pid, known, now, buffer);
  reading.uid = known.uid;
  if (reading.uid) reading.user = users_.name(*reading.uid);
  reading.started = known.started;
  reading.command = known.command.empty() ? "[" + printable(known.name) + "]" : known.command;
  reading.cpu = known.cpu;
  reading.read = known.read;
  reading.write = known.write;
  reading.asked = known.asked;
  reading.involuntary_switches = known.involuntary_switches;
  return true;
}

std::vector<ProcessReading> ProcessTable::read(Instant now,
                                               const Reading<std::uint64_t>& boot_seconds,
                                               unsigned cpu_count,
                                               ReadBuffer& buffer) {
  tree_.look(now, buffer);
  auto watched = tree_.members();
  for (const auto pid : pids_) watched.try_emplace(pid, pid);
  std::erase_if(known_, [&](const auto& entry) { return !watched.contains(entry.first); });
  std::vector<ProcessReading> readings;
  readings.reserve(watched.size());
  for (const auto& [pid, root] : watched) {
    ProcessReading reading;
    reading.pid = pid;
    reading.root = root;
    if (read_one(now, cpu_count, boot_seconds, reading, buffer)) {
      readings.push_back(std::move(reading));
    } else {
      known_.erase(pid);
      tree_.forget(pid);
    }
  }
  std::sort(readings.begin(), readings.end(), [](const auto& a, const auto& b) { return a.pid < b.pid; });
  return readings;
}

}  // namespace gputop::host
