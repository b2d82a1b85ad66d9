#include "gputop/app/view_processes.hpp"

#include <algorithm>
#include <unordered_map>

namespace gputop {
namespace {

// a before b? Unknown values come last in either direction.
template <class T>
std::optional<bool> before(const Reading<T>& a, const Reading<T>& b, bool descending) {
  if (a.has_value() != b.has_value()) return a.has_value();
  if (!a || *a == *b) return std::nullopt;
  return descending ? *b < *a : *a < *b;
}

Reading<std::string_view> user_of(const ProcessRow& row) {
  if (!row.host || row.host->user.empty()) return std::nullopt;
  return std::string_view{row.host->user};
}

Reading<std::string_view> command_of(const ProcessRow& row) {
  if (!row.host) return std::nullopt;
  return std::string_view{row.host->command};
}

template <class T>
Reading<T> of_host(const ProcessRow& row, Reading<T> ProcessReading::*member) {
  return row.host ? (*row.host).*member : std::nullopt;
}

std::optional<bool> before(const ProcessRow& a, const ProcessRow& b, ProcessColumn column, bool descending) {
  switch (column) {
    case ProcessColumn::kPid: return before(Reading<std::int64_t>{a.pid}, Reading<std::int64_t>{b.pid}, descending);
    case ProcessColumn::kUser: return before(user_of(a), user_of(b), descending);
    case ProcessColumn::kGpu: return before(a.gpu, b.gpu, descending);
    case ProcessColumn::kType: return before(a.type, b.type, descending);
    case ProcessColumn::kSm: return before(a.sm, b.sm, descending);
    case ProcessColumn::kGpuMemory: return before(a.gpu_memory, b.gpu_memory, descending);
    case ProcessColumn::kCpu:
      return before(of_host(a, &ProcessReading::cpu), of_host(b, &ProcessReading::cpu), descending);
    case ProcessColumn::kHostMemory:
      return before(of_host(a, &ProcessReading::resident), of_host(b, &ProcessReading::resident), descending);
    case ProcessColumn::kTime:  // the process that has run longest started first
      return before(of_host(a, &ProcessReading::started), of_host(b, &ProcessReading::started), !descending);
    case ProcessColumn::kCommand: return before(command_of(a), command_of(b), descending);
    case ProcessColumn::kCount: break;
  }
  return std::nullopt;
}

bool passes(const ProcessRow& row, const Pattern& filter) {
  std::string text = std::to_string(row.pid);
  if (row.host) text += " " + row.host->user + " " + row.host->command;
  return filter.matches(text);
}

// Depth first from every process whose parent is not in the list. A process on several GPUs stays together, with its
// children below its last line. Whatever the parents are (even loops), every row appears exactly once.
std::vector<ProcessLine> as_tree(const std::vector<ProcessRow>& rows, const std::vector<std::size_t>& sorted) {
  std::unordered_map<std::int64_t, std::vector<std::size_t>> of_pid;
  for (const auto index : sorted) of_pid[rows[index].pid].push_back(index);
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> children;
  std::vector<std::int64_t> roots;
  std::unordered_map<std::int64_t, bool> listed;
  for (const auto index : sorted) {
    const auto pid = rows[index].pid;
    if (std::exchange(listed[pid], true)) continue;
    const auto parent = rows[index].host ? rows[index].host->parent : 0;
    if (parent != pid && of_pid.contains(parent)) {
      children[parent].push_back(pid);
    } else {
      roots.push_back(pid);
    }
  }
  std::vector<ProcessLine> lines;
  std::unordered_map<std::int64_t, bool> done;
  const auto walk = [&](std::int64_t root) {
    std::vector<std::pair<std::int64_t, unsigned>> open{{root, 0}};
    while (!open.empty()) {
      const auto [pid, depth] = open.back();
      open.pop_back();
      if (std::exchange(done[pid], true)) continue;
      for (const auto index : of_pid[pid]) lines.push_back({index, depth});
      const auto& below = children[pid];
      for (auto child = below.rbegin(); child != below.rend(); ++child) open.emplace_back(*child, depth + 1);
    }
  };
  for (const auto root : roots) walk(root);
  for (const auto index : sorted) walk(rows[index].pid);  // reachable only through a loop of parents
  return lines;
}

}  // namespace

std::optional<ProcessColumn> process_column(std::string_view name) {
  for (std::size_t i = 0; i < kProcessColumns; ++i) {
    if (kProcessColumnText[i].name == name) return static_cast<ProcessColumn>(i);
  }
  return std::nullopt;
}

Reading<Duration> running_time(const ProcessRow& row, WallTime now) {
  if (!row.host || !row.host->started) return std::nullopt;
  return std::max(Duration{}, Duration{now - *row.host->started});
}

std::vector<ProcessLine> arrange(const std::vector<ProcessRow>& rows,
                                 const ProcessOrder& order,
                                 const Pattern* filter) {
  std::vector<std::size_t> sorted;
  sorted.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!filter || passes(rows[i], *filter)) sorted.push_back(i);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    if (const auto less = before(rows[a], rows[b], order.sort, order.descending)) return *less;
    return std::pair{rows[a].pid, rows[a].gpu} < std::pair{rows[b].pid, rows[b].gpu};
  });
  if (order.tree) return as_tree(rows, sorted);
  std::vector<ProcessLine> lines;
  lines.reserve(sorted.size());
  for (const auto index : sorted) lines.push_back({index, 0});
  return lines;
}

}  // namespace gputop
