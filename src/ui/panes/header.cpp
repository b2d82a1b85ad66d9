// header — one line: what, where, since when, how often. SIMULATED stands first in line for room.
#include <algorithm>
#include <array>

#include "gputop/app/run_now.hpp"
#include "gputop/core/format.hpp"
#include "ui/pane.hpp"

namespace gputop::ui::panes {
namespace {

std::string interval_text(std::chrono::milliseconds interval) {
  const double seconds = static_cast<double>(interval.count()) / 1000;
  return format_number(seconds, interval.count() % 1000 == 0 ? 0 : 1) + " s";
}

// "8 × H100 80GB" when all are of one kind.
std::string gpus_text(const Model& model) {
  if (model.gpus.size() < 2) return {};
  for (const auto& track : model.gpus) {
    if (track.now.name != model.gpus.front().now.name) return std::to_string(model.gpus.size()) + " GPUs";
  }
  return std::to_string(model.gpus.size()) + " × " + printable(model.gpus.front().now.name);
}

Role end_role(const RunEnded& end) {
  if (!end.exit_code) return Role::kUnknown;
  return *end.exit_code == 0 ? Role::kGood : Role::kBad;
}

// "▁▂▅▇▇": the last minutes of the run's throughput against their best.
std::string trend(const RunTrack& run, Instant now) {
  static constexpr std::array<std::string_view, 8> kLevels{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kCells = 6;
  constexpr Duration kSpan = std::chrono::minutes{2};
  const auto columns = run.throughput.columns(now - kSpan, now + std::chrono::seconds{1}, kCells);
  float best = 0;
  for (const auto& column : columns) best = column ? std::max(best, column->mean()) : best;
  std::string text;
  for (const auto& column : columns) {
    if (!column && text.empty()) continue;
    text += column && best > 0 ? kLevels[static_cast<std::size_t>(column->mean() / best * 7.999F)] : " ";
  }
  return text;
}

struct Part {
  std::string text;
  Role role;
  int rank;            // the lowest stays longest
  bool shown = false;  // there is room for it
};

// "exited with code 1", or the cause in two words where it is known: "gpu_oom" reads "GPU out of memory".
std::string end_text(const RunTrack& run) {
  switch (run.log.end().kind) {
    case EndKind::kGpuOom: return "GPU out of memory";
    case EndKind::kHostOom: return "host out of memory";
    case EndKind::kShmExhausted: return "/dev/shm exhausted";
    case EndKind::kSegfault: return "segmentation fault";
    case EndKind::kNcclTimeout: return "NCCL timeout";
    case EndKind::kXid: return "GPU fault (Xid)";
    default: return printable(run.end->text);
  }
}

void add_progress(const Model& model, std::vector<Part>& parts) {
  const auto& run = *model.run;
  const Instant now = model.now;
  const auto& progress = run.log.progress();
  const auto add = [&](std::string text, Role role, int rank) {
    if (!text.empty()) parts.push_back({std::move(text), role, rank});
  };
  add(format_epoch(progress), Role::kText, 4);
  add(format_step(progress), Role::kText, 6);
  if (const auto speed = last_throughput(model)) {
    auto text = format_throughput(speed->per_second, speed->unit);
    if (const auto line = trend(run, now); !line.empty() && !run.end) text += " " + line;
    add(std::move(text), Role::kAccent, 3);
  }
  if (run.end) return;
  if (is_validating(model)) add("validation", Role::kMuted, 5);
  const auto& wait = model.advice.facts.step.input_wait_share;
  if (wait || progress.input_wait_share) {
    const double share = wait ? wait->value : *progress.input_wait_share;
    add("input wait " + format_number(share * 100, 0) + " %", share >= 0.2 ? Role::kWarning : Role::kText, 4);
  }
  if (progress.eta)
    add("ETA " + format_duration(std::max(Duration{}, *progress.eta - (now - progress.at))), Role::kText, 5);
  add(format_loss(progress), Role::kText, 7);
}

}  // namespace

void header(PaneContext& context, Painter painter) {
  const auto& model = context.model;
  const int edge = context.framed ? 2 : 0;
  std::vector<Part> left{{"gputop", Role::kTitle, 2}};
  if (model.simulated) left.insert(left.begin(), {"SIMULATED", Role::kSimulated, 0});
  if (context.paused) left.push_back({"PAUSED", Role::kWarning, 1});
  if (model.ended) left.push_back({"ended: " + printable(model.end_reason), Role::kWarning, 3});
  if (!model.stream.hostname.empty()) left.push_back({printable(model.stream.hostname), Role::kText, 5});
  if (model.run) {
    left.push_back({"run " + printable(model.run->started.name), Role::kAccent, 2});
    left.push_back({format_duration(model.run->age(model.now)), Role::kText, 5});
    if (model.run->end) left.push_back({end_text(*model.run), end_role(*model.run->end), 3});
    add_progress(model, left);
  } else {
    left.push_back({format_duration(model.now.time_since_epoch()), Role::kText, 4});
  }
  if (auto gpus = gpus_text(model); !gpus.empty()) left.push_back({std::move(gpus), Role::kText, 7});
  if (model.gpu_source.state == SourceStatus::State::kOk && !model.gpu_source.message.empty()) {
    // "NVML crashed in nvmlDeviceGetPowerUsage", of what the events have in full.
    const auto& why = model.gpu_source.message;
    const bool wide = painter.width() >= 120;
    left.push_back({wide ? printable(why.substr(0, why.find_first_of("(:"))) + "· helper process" : "NVML in a helper",
                    Role::kWarning, 3});
  }
  if (!model.gpu_source.driver_version.empty()) {
    left.push_back({"driver " + printable(model.gpu_source.driver_version), Role::kMuted, 8});
  }
  std::vector<Part> right;
  right.push_back({format_wall(model.wall(model.now)).substr(11, 8) + " UTC", Role::kMuted, 9});
  right.push_back({interval_text(context.settings.interval), Role::kMuted, 6});

  const auto cost = [&](const Part& part) { return columns_of(part.text) + (context.framed ? 3 : 1); };
  const int room = painter.width() - 2 * edge;
  for (int rank = 0, used = 0; rank <= 9; ++rank) {
    for (auto* parts : {&left, &right}) {
      for (auto& part : *parts) {
        if (part.rank != rank || (rank > 0 && used + cost(part) > room + 1)) continue;
        used += cost(part);
        part.shown = true;
      }
    }
  }
  const auto write = [&](int x, const Part& part) {
    if (context.framed) painter.text(x - 1, 0, " ", Role::kText);
    x += painter.text(x, 0, part.text, part.role);
    if (context.framed) painter.text(x, 0, " ", Role::kText);
    return x + (context.framed ? 3 : 1);
  };
  int x = edge;
  for (const auto& part : left) {
    if (part.shown) x = write(x, part);
  }
  int end = painter.width() - edge;
  for (auto part = right.rbegin(); part != right.rend(); ++part) {
    if (!part->shown) continue;
    write(end - columns_of(part->text), *part);
    end -= cost(*part);
  }
}

}  // namespace gputop::ui::panes
