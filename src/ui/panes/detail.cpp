// detail — all that is known about one GPU, or one process: every reading, its history, who is on it, what happened.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/gpu_health.hpp"
#include "ui/look.hpp"
#include "ui/trend.hpp"
#include "ui/scrolled_page.hpp"
#include "ui/text.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kLabel = 18;
constexpr int kHistory = 40;  // cells, where there is room
constexpr int kSaid = 38;     // "  lowest 96.4 MiB/s   highest 312 MiB/s"

class DetailPage {
 public:
  explicit DetailPage(const Look& look) : look_(look) {}

  void heading(std::string text) {
    if (!rows_.empty()) rows_.push_back(ftxui::text(""));
    rows_.push_back(look_.say(std::move(text), Role::kTitle));
  }
  void say(std::string_view label, std::string value, Role role = Role::kText) {
    if (value == kUnknownText) role = Role::kUnknown;
    auto name = padded(label);
    const int room = std::max(12, look_.width - static_cast<int>(name.size()));
    auto parts = columns_of(value) <= room ? std::vector<std::string>{std::move(value)} : wrapped(value, room);
    for (auto& part : parts) {
      rows_.push_back(look_.line({{name, Role::kMuted}, {std::move(part), role}}));
      name.assign(name.size(), ' ');
    }
  }
  void text(std::string_view text, Role role = Role::kText) {
    for (auto& row : paragraph(look_.styles, text, look_.width, role)) rows_.push_back(std::move(row));
  }
  void history(std::string_view label, std::vector<Reading<float>> values, std::string value, Role role) {
    rows_.push_back(ftxui::hbox({look_.say(padded(label), Role::kMuted),
                                 sparkline(look_.styles, std::move(values), role, look_.glyphs),
                                 look_.say("  " + std::move(value))}));
  }
  // Cells for a history, beside its name and what is said of it.
  [[nodiscard]] int history_cells() const { return std::clamp(look_.width - kLabel - kSaid, 8, kHistory); }
  ftxui::Elements take() { return std::move(rows_); }

 private:
  static std::string padded(std::string_view label) {
    return std::string{label} + std::string(label.size() < kLabel ? kLabel - label.size() : 1, ' ');
  }
  const Look& look_;
  ftxui::Elements rows_;
};

struct Scaled {
  std::vector<Reading<float>> values;
  float low = 0;
  float high = 0;
  bool any = false;
};

Scaled scaled(const std::vector<Reading<float>>& raw, float top) {
  Scaled result;
  for (const auto& value : raw) {
    if (!value) continue;
    result.low = result.any ? std::min(result.low, *value) : *value;
    result.high = result.any ? std::max(result.high, *value) : *value;
    result.any = true;
  }
  const float full = top > 0 ? top : std::max(result.high, 1e-6F);
  for (const auto& value : raw) result.values.push_back(value ? Reading<float>{*value / full} : std::nullopt);
  return result;
}

std::vector<Reading<float>> values_of(const TieredSeries& series, Instant now, int cells) {
  return last_minutes(series, now, cells);
}

std::vector<Reading<float>> values_of(const History& history, Instant now, int cells) {
  constexpr Duration kSpan = std::chrono::minutes{2};
  std::vector<Reading<float>> raw(static_cast<std::size_t>(cells) * kSparkPerColumn);
  for (const auto& point : history.window(now - kSpan, now)) {
    const double share = 1 - to_seconds(now - point.at) / to_seconds(kSpan);
    const auto at = static_cast<std::size_t>(std::clamp(share * static_cast<double>(raw.size() - 1), 0.0, static_cast<double>(raw.size() - 1)));
    raw[at] = static_cast<float>(point.value);
  }
  for (std::size_t i = 1; i < raw.size(); ++i) {
    if (!raw[i] && i + 2 < raw.size()) raw[i] = raw[i - 1];
  }
  return raw;
}

template <class Series, class Say>
void add_history(DetailPage& page, std::string_view label, const Series& series, Instant now, float top, Role role, Say say) {
  const auto scale = scaled(values_of(series, now, page.history_cells()), top);
  if (!scale.any) return;
  page.history(label, scale.values, "lowest " + say(scale.low) + "   highest " + say(scale.high), role);
}

std::string percent(float value) {
  return format_number(static_cast<double>(value), 0) + " %";
}
std::string bytes(float value) {
  return format_bytes(Bytes{static_cast<std::uint64_t>(std::max(0.0F, value))});
}
std::string rate(float value) {
  return format_rate(BytesPerSecond{static_cast<double>(value)});
}

std::string count(const Reading<std::uint64_t>& value) {
  return value ? std::to_string(*value) : std::string{kUnknownText};
}

void gpu_readings(DetailPage& page, const Look& look, const GpuTrack& track, const GpuCondition& state) {
  const auto& gpu = track.now;
  page.say("state", std::string{health_mark(state.health)} + state.words, health_role(state.health));
  const auto activity = activity_text(gpu.activity);
  page.say("busy", percent_text(gpu.utilization) + (activity.empty() ? "" : "   " + activity) +
                       (gpu.activity.occupancy ? "   occupancy " + percent_text(gpu.activity.occupancy) : ""));
  page.say("effective", percent_text(track.effective_load()) + "   (busy × share of the power limit)");
  page.say("memory", used_of_text(gpu.memory_used, gpu.memory_total) + "   reserved " + bytes_text(gpu.memory_reserved));
  page.say("memory traffic", percent_text(gpu.memory_utilization) + " of the time");
  page.say("temperature", temperature_text(gpu.temperature, look.settings.temperature_unit) + "   slows down at " +
                              temperature_text(gpu.slowdown_temperature, look.settings.temperature_unit) + "   fan " +
                              percent_text(gpu.fan));
  const auto& margin = gpu.health.thermal_margin;
  if (margin) page.say("until slowed", format_reading(margin, " degrees"), margin->value() <= 0 ? Role::kBad : Role::kText);
  if (gpu.memory_temperature)
    page.say("memory's heat", temperature_text(gpu.memory_temperature, look.settings.temperature_unit));
  page.say("power", power_text(gpu.power, gpu.power_limit) + "   board allows " + format_reading(gpu.max_power_limit, " W"));
  const auto clock = clock_share(gpu);
  page.say("SM clock", format_reading(gpu.sm_clock, "") + "/" + format_reading(gpu.max_sm_clock, " MHz") +
                           (clock ? "   " + format_number(*clock * 100, 0) + " % of full" : ""));
  page.say("memory clock", format_reading(gpu.memory_clock, "") + "/" + format_reading(gpu.max_memory_clock, " MHz"));
  const auto slowed = gpu.throttle ? throttle_in_words(*gpu.throttle) : std::string{kUnknownText};
  const auto share = slowed_time_text(gpu.slowed);
  page.say("slowed by", (slowed.empty() ? "nothing" : slowed) + (share.empty() ? "" : "   of the time: " + share));
  const auto number = [](const Reading<unsigned>& n) { return n ? std::to_string(*n) : std::string{kUnknownText}; };
  page.say("PCIe", "generation " + number(gpu.pcie.generation) + " of " + number(gpu.pcie.max_generation) + ", ×" +
                       number(gpu.pcie.width) + " of ×" + number(gpu.pcie.max_width) + "   read " +
                       rate_text(gpu.pcie_rx) + "   write " + rate_text(gpu.pcie_tx));
  if (gpu.nvlink) {
    page.say("NVLink", std::to_string(gpu.nvlink->active) + " of " + std::to_string(gpu.nvlink->total) + " links   read " +
                           rate_text(gpu.nvlink_rx) + "   write " + rate_text(gpu.nvlink_tx) + "   " + count(gpu.nvlink->errors) + " errors");
  }
  page.say("video", "encoder " + percent_text(gpu.encoder) + "   decoder " + percent_text(gpu.decoder));
  page.say("ECC errors", count(gpu.ecc_corrected) + " corrected   " + count(gpu.ecc_uncorrected) + " uncorrected",
           gpu.ecc_uncorrected.value_or(0) > 0 ? Role::kBad : Role::kText);
  page.say("Xid", track.xid_count == 0 ? "none" : std::to_string(track.xid_count) + ", last " + std::to_string(track.last_xid),
           track.xid_count == 0 ? Role::kText : Role::kBad);
  page.say("UUID", gpu.uuid.empty() ? std::string{kUnknownText} : printable(gpu.uuid));
  page.say("bus", gpu.pci_bus_id.empty() ? std::string{kUnknownText} : printable(gpu.pci_bus_id));
}

// Each has memory and counters of its own; what it is called is in its GPU's words ("MIG 3g.40gb").
void mig_instances(DetailPage& page, const GpuReading& gpu) {
  if (gpu.mig.empty()) return;
  page.heading("MIG instances");
  for (const auto& instance : gpu.mig) {
    const auto activity = activity_text(instance.activity);
    page.say(std::to_string(instance.index) + "  " + printable(instance.name),
             used_of_text(instance.memory_used, instance.memory_total) + (activity.empty() ? "" : "   " + activity) +
                 (instance.multiprocessors ? "   " + std::to_string(*instance.multiprocessors) + " multiprocessors" : ""));
  }
}

void gpu_page(DetailPage& page, const Model& model, Look& look, const GpuTrack& track) {
  const auto& gpu = track.now;
  look.title = {{"GPU " + std::to_string(gpu.index) + "  " + printable(gpu.name), Role::kTitle}};
  gpu_readings(page, look, track, gpu_state(model, track));
  mig_instances(page, gpu);
  page.heading("Last 2 min");
  const auto& series = track.series;
  add_history(page, "busy", series.utilization, model.now, 100, Role::kUtilization, percent);
  add_history(page, "memory", series.memory, model.now, 100, Role::kMemory, percent);
  add_history(page, "temperature", series.temperature, model.now, 100, Role::kTemperature,
              [&](float v) { return temperature_text(Celsius{static_cast<double>(v)}, look.settings.temperature_unit); });
  add_history(page, "power", series.power, model.now, 0, Role::kPower,
              [](float v) { return format_number(static_cast<double>(v), 0) + " W"; });
  add_history(page, "clock, of full", series.clock, model.now, 100, Role::kUtilization, percent);
  add_history(page, "PCIe", series.pcie, model.now, 0, Role::kPcie, rate);
  page.heading("Processes");
  bool any = false;
  for (const auto& row : model.processes) {
    if (row.gpu != gpu.index) continue;
    any = true;
    page.say(std::to_string(row.pid), bytes_text(row.gpu_memory) + "  " + format_reading(row.sm, " %") + "  " +
                                          (row.host ? printable(row.host->command) : "(not visible from here)"));
  }
  if (!any) page.say("none", "");
  page.heading("Events");
  any = false;
  const auto mention = "GPU " + std::to_string(gpu.index) + ":";
  for (const auto& line : model.log) {
    if (!line.text.starts_with(mention)) continue;
    any = true;
    page.say(format_duration(line.at.time_since_epoch()), printable(line.text));
  }
  if (!any) page.say("none", "");
}

void process_page(DetailPage& page, const Model& model, Look& look, std::int64_t pid) {
  look.title = {{"Process " + std::to_string(pid), Role::kTitle}};
  bool any = false;
  for (const auto& row : model.processes) {
    if (row.pid != pid) continue;
    if (!any && row.host) {
      const auto& host = *row.host;
      page.heading("Command line");
      page.text(printable(host.command));
      page.heading("Now");
      page.say("user", host.user.empty() ? std::string{kUnknownText} : printable(host.user));
      page.say("parent", std::to_string(host.parent));
      page.say("CPU", format_reading(host.cpu, " % of one core"));
      page.say("RAM", bytes_text(host.resident));
      page.say("disk", "read " + rate_text(host.read) + "   write " + rate_text(host.write));
      const auto time = running_time(row, model.wall(model.now));
      page.say("running for", time ? format_duration(*time) : std::string{kUnknownText});
    }
    any = true;
    if (row.gpu) {
      page.say("GPU " + std::to_string(*row.gpu), bytes_text(row.gpu_memory) + "   " + format_reading(row.sm, " % of its time"));
    }
  }
  if (!any) return page.text("this process is gone, or is not on a GPU any more", Role::kMuted);
  const auto track = model.process_tracks.find(pid);
  if (track == model.process_tracks.end()) return;
  page.heading("Last 2 min");
  add_history(page, "GPU", track->second.gpu, model.now, 100, Role::kUtilization, percent);
  add_history(page, "GPU memory", track->second.gpu_memory, model.now, 0, Role::kMemory, bytes);
  add_history(page, "CPU", track->second.cpu, model.now, 0, Role::kUtilization, percent);
  add_history(page, "disk", track->second.io, model.now, 0, Role::kPcie, rate);
}

}  // namespace

ftxui::Element detail(const Model& model, Look& look) {
  DetailPage page{look};
  if (look.view.detail_gpu) {
    const auto track = std::find_if(model.gpus.begin(), model.gpus.end(), [&](const GpuTrack& candidate) {
      return candidate.now.index == *look.view.detail_gpu;
    });
    if (track == model.gpus.end()) return look.say("this GPU is not listed any more", Role::kMuted);
    gpu_page(page, model, look, *track);
  } else if (look.view.detail_pid) {
    process_page(page, model, look, *look.view.detail_pid);
  }
  return scrolled_page(look, page.take());
}

}  // namespace gputop::ui::panes
