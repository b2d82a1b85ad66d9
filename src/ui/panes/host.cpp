// host — the machine around the GPUs: cores, memory, pressure, disks, networks, and what a container may use of it.
#include <algorithm>
#include <functional>

#include "gputop/core/format.hpp"
#include "ui/draw.hpp"

#include "ui/pane.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kLabel = 5;
constexpr int kCoreBar = 14;

using Line = std::function<void(Painter&, int y)>;

// "RAM  ███░░ 12.1/64.0 GiB"
Line meter(std::string label, Reading<double> share, std::string value, Role role) {
  return [=](Painter& painter, int y) {
    painter.text(0, y, label, Role::kMuted);
    const int value_width = std::max(5, columns_of(value));
    const int width = std::min(40, painter.width() - kLabel - value_width - 1);
    if (width >= 3) bar(painter, kLabel, y, width, share, role);
    painter.text(kLabel + std::max(0, width) + (width >= 3 ? 1 : 0), y, value,
                 value == kUnknownText ? Role::kUnknown : Role::kText);
  };
}

Line words(std::string label, std::string text, Role role = Role::kText) {
  return [=](Painter& painter, int y) {
    painter.text(0, y, label, Role::kMuted, kLabel);
    painter.text(kLabel, y, text, role);
  };
}

void add_cores(const HostReading& host, int width, int room, std::vector<Line>& lines) {
  const int count = static_cast<int>(host.cores.size());
  if (count == 0) return;
  const int columns = std::max(1, width / kCoreBar);
  const int rows = (count + columns - 1) / columns;
  if (rows <= room) {
    for (int row = 0; row < rows; ++row) {
      lines.push_back([&host, row, rows, columns, count](Painter& painter, int y) {
        const int wide = painter.width() / columns;
        for (int column = 0; column < columns; ++column) {
          const int core = column * rows + row;
          if (core >= count) break;
          const auto& load = host.cores[static_cast<std::size_t>(core)];
          auto place = painter.part(column * wide, y, wide - 1, 1);
          place.right(3, 0, std::to_string(core), Role::kMuted);
          place.right(wide - 1, 0, format_reading(load, "%"), load ? Role::kText : Role::kUnknown);
          bar(place, 4, 0, wide - 10, share_of(load), Role::kUtilization);
        }
      });
    }
    return;
  }
  // Too many for bars: one column of a gauge each.
  const int per_line = std::max(1, (width - kLabel) / 8 * 8);
  for (int first = 0; first < count; first += per_line) {
    lines.push_back([&host, first, per_line, count](Painter& painter, int y) {
      painter.right(kLabel - 1, y, std::to_string(first), Role::kMuted);
      for (int core = first; core < std::min(count, first + per_line); ++core) {
        const auto& load = host.cores[static_cast<std::size_t>(core)];
        painter.put(kLabel + core - first, y, load ? gauge(share_of(load)) : glyph("–"),
                    load ? Role::kUtilization : Role::kUnknown);
      }
    });
  }
}

std::string pressure_text(const Pressure& pressure) {
  return percent_text(pressure.some) + " some " + percent_text(pressure.full) + " all";
}

void add_cgroup(const CgroupReading& cgroup, std::vector<Line>& lines) {
  if (cgroup.memory_limit) {
    lines.push_back(meter("cmem", share_of(cgroup.memory_used, cgroup.memory_limit),
                          used_of_text(cgroup.memory_used, cgroup.memory_limit) + " limit", Role::kMemory));
  }
  std::string text;
  if (cgroup.cpu_limit) text = format_number(*cgroup.cpu_limit, 1) + " CPUs at most";
  if (cgroup.throttled) text += (text.empty() ? "" : ", ") + percent_text(cgroup.throttled) + " throttled";
  if (cgroup.oom_kills.value_or(0) > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(*cgroup.oom_kills) + " OOM kills";
  const bool bad = cgroup.oom_kills.value_or(0) > 0 || (cgroup.throttled && cgroup.throttled->value() >= 5);
  if (!text.empty()) lines.push_back(words("cgrp", text, bad ? Role::kWarning : Role::kText));
}

// What loads the run's data: "4 workers, 0.92 cores each, idle 12 %, disk 3 %".
void add_workers(const TreeTrack& tree, std::vector<Line>& lines) {
  if (tree.workers == 0) return;
  auto text = std::to_string(tree.workers) + (tree.workers == 1 ? " worker" : " workers");
  const auto newest = [&](const History& history) {
    return history.empty() || history.back().at + std::chrono::seconds{1} < tree.at ? Reading<double>{}
                                                                                    : history.back().value;
  };
  const auto share = [](double part) { return format_number(part * 100, 0) + " %"; };
  if (const auto cores = newest(tree.worker_cpu)) {
    text += ", " + format_number(*cores, 2) + (tree.workers == 1 ? " cores" : " cores each");
  }
  if (const auto idle = newest(tree.worker_idle)) text += ", idle " + share(*idle);
  const auto disk = newest(tree.worker_disk);
  if (disk) text += ", disk " + share(*disk);
  lines.push_back(words("data", text, disk.value_or(0) >= 0.25 ? Role::kWarning : Role::kText));
}

std::vector<Line> lines_of(const Model& model, int width, int height) {
  const auto& host = model.host;
  std::vector<Line> lines;
  std::string cpu = percent_text(host.cpu) + " of " + std::to_string(host.cpu_count);
  if (host.usable_cpus && *host.usable_cpus + 0.05 < host.cpu_count)
    cpu += " (" + format_number(*host.usable_cpus, 1) + " usable)";
  lines.push_back(meter("CPU", share_of(host.cpu), cpu, Role::kUtilization));
  lines.push_back(meter("RAM", share_of(host.memory_used, host.memory_total),
                        used_of_text(host.memory_used, host.memory_total), Role::kMemory));
  const auto load = [](const Reading<double>& n) { return n ? format_number(*n, 2) : std::string{kUnknownText}; };
  std::vector<Line> rest;
  if (!host.swap_total || host.swap_total->value() > 0) {
    rest.push_back(meter("swap", share_of(host.swap_used, host.swap_total),
                         used_of_text(host.swap_used, host.swap_total), Role::kMemory));
  }
  if (host.shm_total)
    rest.push_back(meter("shm", share_of(host.shm_used, host.shm_total), used_of_text(host.shm_used, host.shm_total),
                         Role::kMemory));
  if (model.run && !model.run->end) add_workers(model.tree, rest);
  auto loads = load(host.load1) + " " + load(host.load5) + " " + load(host.load15);
  const auto waits = "  io wait " + percent_text(host.io_wait);
  if (kLabel + columns_of(loads) + columns_of(waits) <= width) loads += waits;
  rest.push_back(words("load", loads));
  add_cgroup(host.cgroup, rest);
  rest.push_back(words("PSI", "cpu " + pressure_text(host.cpu_pressure)));
  rest.push_back(words("", "mem " + pressure_text(host.memory_pressure)));
  rest.push_back(words("", "io  " + pressure_text(host.io_pressure)));
  for (const auto& disk : host.disks) {
    rest.push_back(words("disk", printable(disk.name) + "  r " + rate_text(disk.read) + "  w " + rate_text(disk.write) +
                                     "  " + percent_text(disk.busy)));
  }
  for (const auto& network : host.networks) {
    rest.push_back(words(
        "net", printable(network.name) + "  rx " + rate_text(network.receive) + "  tx " + rate_text(network.transmit)));
  }
  if (host.oom_kills.value_or(0) > 0)
    rest.push_back(words("OOM", std::to_string(*host.oom_kills) + " kills since boot", Role::kWarning));
  add_cores(host, width, std::max(2, height - 2 - static_cast<int>(rest.size())), lines);
  lines.insert(lines.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  return lines;
}

}  // namespace

void host(PaneContext& context, Painter painter) {
  if (!context.model.host_known) {
    painter.text(1, 0, "waiting for the first reading", Role::kMuted);
    return;
  }
  auto inner = painter.part(1, 0, painter.width() - 2, painter.height());
  const auto lines = lines_of(context.model, inner.width(), inner.height());
  const int count = static_cast<int>(lines.size());
  auto& scroll = context.view.host_scroll;
  scroll = std::clamp(scroll, 0, std::max(0, count - inner.height()));
  for (int y = 0; y < std::min(inner.height(), count - scroll); ++y)
    lines[static_cast<std::size_t>(y + scroll)](inner, y);
  if (!context.model.host.hostname.empty()) context.title = "Host " + printable(context.model.host.hostname);
}

}  // namespace gputop::ui::panes
