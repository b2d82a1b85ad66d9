#include "ui/top_line.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/gpu_health.hpp"

namespace gputop::ui {
namespace {

struct Part {
  Spans spans;
  int rank;            // the lowest stays longest
  bool shown = false;  // there is room for it

  [[nodiscard]] int width() const {
    int columns = 0;
    for (const auto& span : spans) columns += columns_of(span.text);
    return columns;
  }
};

std::string interval_text(std::chrono::milliseconds interval) {
  const double seconds = static_cast<double>(interval.count()) / 1000;
  return format_number(seconds, interval.count() % 1000 == 0 ? 0 : 1) + " s";
}

std::string family(std::string name) {
  for (const std::string_view vendor : {"NVIDIA ", "GeForce "}) {
    if (name.starts_with(vendor)) name.erase(0, vendor.size());
  }
  return name;
}

// "8 × A100-SXM4-80GB" when all are of one kind.
std::string gpus_text(const Model& model, const std::string& shown) {
  if (model.gpus.size() < 2) return {};
  for (const auto& track : model.gpus) {
    if (track.now.name != model.gpus.front().now.name) return (shown.empty() ? std::to_string(model.gpus.size()) : shown) + " GPUs";
  }
  return (shown.empty() ? std::to_string(model.gpus.size()) : shown) + " × " + family(printable(model.gpus.front().now.name));
}

Spans health_text(const Model& model, bool wide) {
  if (model.gpus.empty()) return {};
  const auto counts = count_health(model);
  if (model.gpus.size() == 1 && counts.ok == 1) return {};
  Spans spans;
  const auto add = [&](unsigned count, std::string_view mark, std::string_view words, Role role) {
    if (count == 0) return;
    spans.push_back({(spans.empty() ? "" : wide ? "  " : " ") + std::string{mark} + " " + std::to_string(count) + " " +
                         std::string{words},
                     role});
  };
  add(counts.lost, "✗", "lost", Role::kBad);
  add(counts.silent, "✗", wide ? "not answering" : "silent", Role::kBad);
  add(counts.failed, "✗", "failed", Role::kBad);
  add(counts.slowed, "▲", wide ? "slowed or at risk" : "slowed", Role::kWarning);
  add(counts.ok, "✓", "ok", Role::kGood);
  return spans;
}

// "2.0 of 3.1 kW", of all GPUs that say it.
std::string power_sum(const Model& model) {
  if (model.gpus.size() < 2) return {};
  double used = 0;
  double limit = 0;
  for (const auto& track : model.gpus) {
    if (track.now.power) used += track.now.power->value();
    if (track.now.power_limit) limit += track.now.power_limit->value();
  }
  if (used <= 0 || limit < used || limit > 1e7) return {};
  return limit < 1000 ? format_number(used, 0) + " of " + format_number(limit, 0) + " W"
                      : format_number(used / 1000, 1) + " of " + format_number(limit / 1000, 1) + " kW";
}

Role end_role(const RunEnded& end) {
  if (!end.exit_code) return Role::kUnknown;
  return *end.exit_code == 0 ? Role::kGood : Role::kBad;
}

// "exited with code 1", or the cause in two words where it is known.
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

std::vector<Part> left_parts(const Model& model, const Look& look, int width, const std::string& gpus_shown) {
  std::vector<Part> parts;
  const auto add = [&](std::string text, Role role, int rank) {
    if (!text.empty()) parts.push_back({{{std::move(text), role}}, rank});
  };
  if (model.simulated) add("SIMULATED", Role::kSimulated, 0);
  add("gputop", Role::kTitle, 2);
  if (look.paused) add("PAUSED", Role::kWarning, 1);
  if (model.ended) add("ended: " + printable(model.end_reason), Role::kWarning, 3);
  if (model.run) {
    const auto on = model.stream.hostname.empty() ? "" : " on " + printable(model.stream.hostname);
    add("run " + printable(model.run->started.name) + (width >= 100 ? on : ""), Role::kAccent, 2);
    const auto age = format_duration(model.run->age(model.now));
    if (model.run->end) {
      add(end_text(*model.run), end_role(*model.run->end), 3);
      add(age, Role::kText, 6);
    } else {
      add("RUNNING " + age, Role::kGood, 3);
    }
  } else {
    if (!model.stream.hostname.empty()) add(printable(model.stream.hostname), Role::kText, 5);
    add(format_duration(model.now.time_since_epoch()), Role::kMuted, 9);
  }
  add(gpus_text(model, gpus_shown), Role::kText, gpus_shown.empty() ? 6 : 4);
  if (auto health = health_text(model, width >= 120); !health.empty()) parts.push_back({std::move(health), 3});
  if (model.gpu_source.state == SourceStatus::State::kOk && !model.gpu_source.message.empty()) {
    // "NVML crashed in nvmlDeviceGetPowerUsage", of what the events have in full.
    const auto& why = model.gpu_source.message;
    add(width >= 120 ? printable(why.substr(0, why.find_first_of("(:"))) + "· helper process" : "NVML in a helper",
        Role::kWarning, 3);
  }
  if (!model.gpu_source.driver_version.empty() && !model.simulated && width >= 120) {
    add("driver " + printable(model.gpu_source.driver_version), Role::kMuted, 9);
  }
  return parts;
}

std::vector<Part> right_parts(const Model& model, const Look& look, int width) {
  std::vector<Part> parts;
  if (auto power = power_sum(model); !power.empty()) parts.push_back({{{power, Role::kPower}}, 7});
  parts.push_back({{{format_wall(model.wall(model.now)).substr(11, width >= 100 ? 8 : 5) + " UTC", Role::kMuted}}, 8});
  parts.push_back({{{(width >= 100 ? "every " : "") + interval_text(look.settings.interval), Role::kMuted}}, 7});
  return parts;
}

bool is_offered(const Model& model, const Look& look, Action action) {
  const auto& findings = model.advice.now().findings;
  const bool may_change = look.run_is_live(model) && !look.identity.readonly;
  const auto overlay = look.view.overlay;
  const bool list = overlay == Overlay::kSortMenu || overlay == Overlay::kSignalMenu;
  const bool page = overlay == Overlay::kHelp || overlay == Overlay::kWhy || overlay == Overlay::kDetail || overlay == Overlay::kDiff;
  switch (action) {
    case Action::kAccept: return !page;
    case Action::kFind: return overlay == Overlay::kHelp || overlay == Overlay::kNone;
    case Action::kPageDown: return !list;
    case Action::kDetach: return look.run_is_live(model);
    case Action::kType: return may_change;
    case Action::kWhy: return !findings.empty();
    case Action::kApply: {
      const auto has_change = [](const Finding& finding) { return !finding.changes.empty(); };
      return may_change && std::any_of(findings.begin(), findings.end(), has_change);
    }
    case Action::kUndo: return may_change && model.changes.can_undo();
    default: return true;
  }
}

}  // namespace

ftxui::Element top_line(const Model& model, const Look& look, int width, bool framed, const std::string& gpus_shown) {
  auto left = left_parts(model, look, width, gpus_shown);
  auto right = right_parts(model, look, width);
  const int gap = framed ? 3 : 1;
  const int room = width - (framed ? 4 : 0);
  for (int rank = 0, used = 0; rank <= 9; ++rank) {
    for (auto* parts : {&left, &right}) {
      for (auto& part : *parts) {
        if (part.rank != rank || (rank > 0 && used + part.width() + gap > room + 1)) continue;
        used += part.width() + gap;
        part.shown = true;
      }
    }
  }
  const auto joined_parts = [&](std::vector<Part>& parts) {
    Spans spans;
    for (auto& part : parts) {
      if (!part.shown) continue;
      if (!spans.empty()) spans.push_back({framed ? " ─ " : " ", Role::kBorder});
      std::move(part.spans.begin(), part.spans.end(), std::back_inserter(spans));
    }
    return spans;
  };
  auto first = joined_parts(left);
  auto last = joined_parts(right);
  if (framed) return rule(look.styles, std::move(first), std::move(last), Role::kBorder);
  return look.line(std::move(first), std::move(last));
}

ftxui::Element key_line(const Model& model, const Look& look, std::span<const KeyContext> contexts, bool framed) {
  const auto& notice = look.view.notice;
  if (!notice.empty()) {
    if (framed) return rule(look.styles, {{notice, Role::kWarning}}, {}, Role::kBorder);
    return look.say(notice, Role::kWarning);
  }
  std::vector<const KeyEntry*> entries;
  for (const auto wanted : contexts) {
    for (const auto& entry : key_entries()) {
      if (entry.context == wanted && !entry.label.empty() && is_offered(model, look, entry.action)) entries.push_back(&entry);
    }
  }
  // The ways to help and out have fixed places at the beginning, whatever else has room.
  std::stable_partition(entries.begin(), entries.end(), [](const KeyEntry* entry) {
    return entry->action == Action::kHelp || entry->action == Action::kQuit;
  });
  ftxui::Elements parts;
  if (framed) parts.push_back(rule(look.styles, {}, {}, Role::kBorder) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, 1));
  if (framed) parts.push_back(ftxui::text(" "));
  int free = look.width - (framed ? 4 : 0);
  for (const auto* entry : entries) {
    const auto key = std::string{entry->keys.substr(0, entry->keys.find(' '))};
    const auto label = std::string{entry->label};
    const int width = columns_of(key) + 1 + columns_of(label) + 2;
    if (width > free + 1) continue;
    free -= width;
    parts.push_back(look.hit(look.line({{key, Role::kKey}, {" " + label, Role::kKeyLabel}}), Hit::Kind::kKey,
                             static_cast<int>(entry->action)));
    parts.push_back(ftxui::text("  "));
  }
  if (!parts.empty()) parts.back() = ftxui::text(" ");
  if (framed) parts.push_back(rule(look.styles, {}, {}, Role::kBorder) | ftxui::flex);
  return ftxui::hbox(std::move(parts));
}

}  // namespace gputop::ui
