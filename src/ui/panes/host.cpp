// host — the machine around the GPUs: cores, memory, what waits, disks, networks, and what a container may use of it.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/look.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kHostLabel = 6;
constexpr int kCoreBar = 14;

// "RAM   ■■■·· 12.1/64.0 GiB"
ftxui::Element host_meter(const Look& look, const std::string& label, Reading<double> share, std::string value,
                          Role role) {
  const int width = std::max(5, columns_of(value));
  const Role value_role = value == kUnknownText ? Role::kUnknown : Role::kText;
  return ftxui::hbox({look.say(label, Role::kMuted) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, kHostLabel),
                      meter(look.styles, {share, 0, role}, std::move(value), width, value_role, 40) | ftxui::flex});
}

ftxui::Element host_words(const Look& look, const std::string& label, std::string text, Role role = Role::kText) {
  const auto gap = std::string(static_cast<std::size_t>(std::max(1, kHostLabel - columns_of(label))), ' ');
  return look.line({{label + gap, Role::kMuted}, {std::move(text), role}});
}

// Colors say health: busy cores are fine as long as nobody waits for them.
Role cpu_role(const HostReading& host) {
  const auto& waits = host.cpu_pressure.some;
  return waits && waits->value() >= 40 ? Role::kWarning : Role::kUtilization;
}

Role ram_role(const HostReading& host) {
  const auto share = share_of(host.memory_used, host.memory_total);
  return share.value_or(0) >= 0.97 ? Role::kBad : share.value_or(0) >= 0.9 ? Role::kWarning : Role::kMemory;
}

void add_cores(const HostReading& host, const Look& look, int width, int room, ftxui::Elements& lines) {
  const int count = static_cast<int>(host.cores.size());
  if (count == 0) return;
  const int columns = std::max(1, width / kCoreBar);
  const int rows = (count + columns - 1) / columns;
  if (rows <= room) {
    for (int row = 0; row < rows; ++row) {
      ftxui::Elements cells;
      for (int column = 0; column < columns && column * rows + row < count; ++column) {
        const int core = column * rows + row;
        const auto& load = host.cores[static_cast<std::size_t>(core)];
        const auto number = std::to_string(core);
        const auto pad = std::string(number.size() < 3 ? 3 - number.size() : 0, ' ');
        cells.push_back(ftxui::hbox({look.say(pad + number + " ", Role::kMuted),
                                     meter(look.styles, {share_of(load), 0, cpu_role(host)},
                                           format_reading(load, "%"), 4, load ? Role::kText : Role::kUnknown) |
                                         ftxui::flex,
                                     ftxui::text(" ")}) |
                        ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width / columns));
      }
      lines.push_back(ftxui::hbox(std::move(cells)));
    }
    return;
  }
  // Too many for bars: a sparkline's column each.
  const int per_line = std::max(1, (width - kHostLabel) / 8 * 8);
  for (int first = 0; first < count; first += per_line) {
    std::vector<Reading<float>> values;
    for (int core = first; core < std::min(count, first + per_line); ++core) {
      const auto& load = host.cores[static_cast<std::size_t>(core)];
      const auto value = load ? Reading<float>{static_cast<float>(load->value() / 100)} : std::nullopt;
      values.push_back(value);
      values.push_back(value);
    }
    lines.push_back(ftxui::hbox({host_words(look, "cores", std::to_string(first) + " "),
                                 sparkline(look.styles, std::move(values), Role::kUtilization, look.glyphs)}));
  }
}

// "CPU 73 % of the time · memory 0 % · disk 0 %": how long some task had to wait, by the kernel's counters (PSI).
std::string waits_text(const HostReading& host, bool roomy) {
  return "CPU " + percent_text(host.cpu_pressure.some) + (roomy ? " of the time" : "") + " · memory " +
         percent_text(host.memory_pressure.some) + " · disk " + percent_text(host.io_pressure.some);
}

void add_cgroup(const CgroupReading& cgroup, const Look& look, ftxui::Elements& lines) {
  if (cgroup.memory_limit) {
    lines.push_back(host_meter(look, "limit", share_of(cgroup.memory_used, cgroup.memory_limit),
                               used_of_text(cgroup.memory_used, cgroup.memory_limit) + " of the container",
                               Role::kMemory));
  }
  std::string text;
  if (cgroup.cpu_limit) text = format_number(*cgroup.cpu_limit, 1) + " CPUs at most";
  if (cgroup.throttled) text += (text.empty() ? "" : ", ") + std::string{"held back "} + percent_text(cgroup.throttled);
  if (cgroup.oom_kills.value_or(0) > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(*cgroup.oom_kills) + " killed for memory";
  const bool bad = cgroup.oom_kills.value_or(0) > 0 || (cgroup.throttled && cgroup.throttled->value() >= 5);
  if (!text.empty()) lines.push_back(host_words(look, "group", text, bad ? Role::kWarning : Role::kText));
}

// What loads the run's data: "4 workers, 0.92 cores each, idle 12 %, disk 3 %".
void add_workers(const TreeTrack& tree, const Look& look, ftxui::Elements& lines) {
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
  lines.push_back(host_words(look, "data", text, disk.value_or(0) >= 0.25 ? Role::kWarning : Role::kText));
}

std::string cpu_text(const HostReading& host) {
  std::string cpu = percent_text(host.cpu) + " of " + std::to_string(host.cpu_count);
  if (host.usable_cpus && *host.usable_cpus + 0.05 < host.cpu_count)
    cpu += " (" + format_number(*host.usable_cpus, 1) + " usable)";
  return cpu;
}

std::string load_text(const Reading<double>& load) {
  return load ? format_number(*load, 1) : std::string{kUnknownText};
}

ftxui::Elements host_lines(const Model& model, const Look& look, int width, int height) {
  const auto& host = model.host;
  ftxui::Elements lines{
      host_meter(look, "CPU", share_of(host.cpu), cpu_text(host), cpu_role(host)),
      host_meter(look, "RAM", share_of(host.memory_used, host.memory_total),
                 used_of_text(host.memory_used, host.memory_total), ram_role(host))};
  ftxui::Elements rest;
  if (!host.swap_total || host.swap_total->value() > 0) {
    rest.push_back(host_meter(look, "swap", share_of(host.swap_used, host.swap_total),
                              used_of_text(host.swap_used, host.swap_total), Role::kMemory));
  }
  if (host.shm_total) {
    rest.push_back(host_meter(look, "shm", share_of(host.shm_used, host.shm_total),
                              used_of_text(host.shm_used, host.shm_total), Role::kMemory));
  }
  if (model.run && !model.run->end) add_workers(model.tree, look, rest);
  rest.push_back(host_words(look, "waits", waits_text(host, width >= 56)));
  rest.push_back(host_words(look, "load", load_text(host.load1) + " " + load_text(host.load5) + " " +
                                              load_text(host.load15) + "   disk wait " + percent_text(host.io_wait)));
  add_cgroup(host.cgroup, look, rest);
  for (const auto& disk : host.disks) {
    rest.push_back(host_words(look, "disk", printable(disk.name) + "  read " + rate_text(disk.read) + "  write " +
                                                rate_text(disk.write) + "  busy " + percent_text(disk.busy)));
  }
  for (const auto& network : host.networks) {
    rest.push_back(host_words(look, "net", printable(network.name) + "  in " + rate_text(network.receive) + "  out " +
                                               rate_text(network.transmit)));
  }
  if (host.oom_kills.value_or(0) > 0) {
    rest.push_back(host_words(look, "OOM", std::to_string(*host.oom_kills) + " processes killed for memory since boot",
                              Role::kWarning));
  }
  add_cores(host, look, width, std::max(2, height - 2 - static_cast<int>(rest.size())), lines);
  lines.insert(lines.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  return lines;
}

// All of it in one line.
ftxui::Element host_strip(const Model& model, const Look& look) {
  const auto& host = model.host;
  ftxui::Elements parts;
  const int bar = look.width >= 116 ? 10 : look.width >= 56 ? 6 : -1;
  const auto add = [&](const std::string& label, Reading<double> share, std::string value, Role role) {
    parts.push_back(look.say(" " + label + " ", Role::kMuted));
    const int width = columns_of(value);
    parts.push_back(meter(look.styles, {share, 0, role}, std::move(value), width, Role::kText) |
                    ftxui::size(ftxui::WIDTH, ftxui::EQUAL, bar + 1 + width));
    parts.push_back(ftxui::text(" "));
  };
  const bool roomy = look.width >= 116;
  add("CPU", share_of(host.cpu), percent_text(host.cpu) + " of " + std::to_string(host.cpu_count), cpu_role(host));
  add("RAM", share_of(host.memory_used, host.memory_total), used_of_text(host.memory_used, host.memory_total),
      ram_role(host));
  Spans words;
  if (roomy && host.shm_total) {
    const auto share = share_of(host.shm_used, host.shm_total);
    words.push_back({" shm ", Role::kMuted});
    words.push_back({share ? format_number(*share * 100, 0) + " % " : std::string{kUnknownText}});
  }
  words.push_back({" load ", Role::kMuted});
  words.push_back({load_text(host.load1) + " "});
  words.push_back({roomy ? " waits: " : " waits for ", Role::kMuted});
  words.push_back({roomy ? waits_text(host, false) : "CPU " + percent_text(host.cpu_pressure.some)});
  if (look.width >= 150 && !host.disks.empty()) {
    words.push_back({"   disk ", Role::kMuted});
    words.push_back({"read " + rate_text(host.disks.front().read) + " write " + rate_text(host.disks.front().write)});
  }
  if (look.width >= 190 && !host.networks.empty()) {
    words.push_back({"   net ", Role::kMuted});
    words.push_back(
        {"in " + rate_text(host.networks.front().receive) + " out " + rate_text(host.networks.front().transmit)});
  }
  if (bar > 0) parts.push_back(look.line(std::move(words)) | ftxui::flex);
  return ftxui::hbox(std::move(parts));
}

}  // namespace

ftxui::Element host(const Model& model, Look& look) {
  if (!model.host_known) return look.say(" waiting for the first reading", Role::kMuted);
  const auto& name = model.host.hostname;
  look.title = {{name.empty() ? "Host" : "Host " + printable(name), Role::kTitle}};
  if (look.height <= 2) return host_strip(model, look);
  const int width = look.width - 2;
  auto lines = host_lines(model, look, width, look.height);
  const int count = static_cast<int>(lines.size());
  auto& scroll = look.view.host_scroll;
  scroll = std::clamp(scroll, 0, std::max(0, count - look.height));
  const auto last = std::min<std::ptrdiff_t>(count, std::ptrdiff_t{scroll} + look.height);
  ftxui::Elements shown(lines.begin() + scroll, lines.begin() + last);
  for (auto& line : shown) line = ftxui::hbox({ftxui::text(" "), line | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width)});
  return ftxui::vbox(std::move(shown));
}

}  // namespace gputop::ui::panes
