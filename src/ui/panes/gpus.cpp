// gpus — one row a GPU: how busy, how full, how hot, and its state in words. Without any: why there are none.
#include <algorithm>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/gpu_health.hpp"
#include "ui/look.hpp"
#include "ui/no_gpus.hpp"
#include "ui/text.hpp"
#include "ui/trend.hpp"
#include "ui/values.hpp"

namespace gputop::ui::panes {
namespace {

constexpr int kWide = 150;       // columns from which values are told in full
constexpr int kRoomForWords = 96;  // from which a GPU's state is told in full
constexpr int kRoomForSentence = 24;  // of the column
constexpr int kTwoTables = 150;  // and from which two tables stand side by side, when one is too long

enum GpuColumn : std::size_t { kIndex, kName, kBusy, kActivity, kMemory, kTemp, kPower, kClock, kSpark, kLink, kRead, kWrite, kState };

// Whether a column has anything to say: no GPU that answers need have it.
template <class Has>
bool any_gpu(const Model& model, Has has) {
  const auto answers = [](const GpuTrack& track) { return track.now.state == GpuState::kOk; };
  if (std::none_of(model.gpus.begin(), model.gpus.end(), answers)) return true;
  return std::any_of(model.gpus.begin(), model.gpus.end(), [&](const GpuTrack& track) { return has(track.now); });
}

std::string short_name(std::string_view name) {
  auto text = printable(name);
  for (const std::string_view vendor : {"NVIDIA ", "GeForce "}) {
    if (text.starts_with(vendor)) text.erase(0, vendor.size());
  }
  return text.empty() ? std::string{kUnknownText} : text;
}

// The columns' `words` is what the longest state takes.
std::vector<TableColumn> gpu_columns(const Model& model, int width, bool slowed, int words) {
  const bool wide = width >= kWide;
  bool mixed = model.gpus.size() == 1;
  for (const auto& track : model.gpus) mixed = mixed || track.now.name != model.gpus.front().now.name;
  int name = 4;
  for (const auto& track : model.gpus) {
    if (mixed) name = std::max(name, columns_of(short_name(track.now.name)));
  }
  name = std::min(name, wide ? 24 : 18);
  const bool counted = std::any_of(model.gpus.begin(), model.gpus.end(), [](const GpuTrack& track) {
    return !inside_text(track.now).empty();
  });
  const bool clock = any_gpu(model, [](const GpuReading& gpu) { return clock_share(gpu).has_value(); });
  const bool link = any_gpu(model, [](const GpuReading& gpu) { return gpu.pcie.generation || gpu.pcie.width; });
  const bool traffic = any_gpu(model, [](const GpuReading& gpu) { return gpu.pcie_rx || gpu.pcie_tx; });
  return {
      {"GPU", 3, 0},
      {"NAME", mixed ? name : 0, mixed ? 8 : 99, true},
      {wide && slowed ? "BUSY (▨ = lost to slowdown)" : "BUSY", 16, 1, true, wide ? 11 : 4},
      {"OF IT", counted ? 34 : 0, counted ? 8 : 99},
      {"MEMORY", wide ? 22 : 12, 3, true, wide ? 9 : 3},
      {"TEMP", 5, 4},
      {"POWER", wide ? 9 : 6, 5},
      {wide ? "CLOCK OF FULL" : "CLOCK", !clock ? 0 : wide ? 14 : 6, 6},
      {"2 min", wide ? 18 : 8, 7, true, wide ? (link || traffic ? 6 : 40) : 8},
      {"PCIe", link ? 5 : 0, 9},
      {"READ", traffic ? 10 : 0, 10},
      {"WRITE", traffic ? 10 : 0, 11},
      {"STATE", std::clamp(words, 11, width >= kRoomForWords ? 36 : 12), 2, true, -1},
  };
}

// The sparkline's title, as much of it as its column has room for.
void name_sparkline(std::vector<TableColumn>& columns, const std::vector<PlacedColumn>& places) {
  for (const auto& place : places) {
    if (place.column != kSpark) continue;
    columns[kSpark].title = place.width >= 16 ? "BUSY, LAST 2 min" : place.width >= 10 ? "LAST 2 min" : "2 min";
  }
}

std::string link_text(const PcieLink& link) {
  const auto number = [](const Reading<unsigned>& n) { return n ? std::to_string(*n) : std::string{kUnknownText}; };
  if (!link.generation && !link.width) return std::string{kUnknownText};
  return number(link.generation) + "×" + number(link.width);
}

Role temperature_role(const GpuReading& gpu) {
  const double slowdown = gpu.slowdown_temperature ? gpu.slowdown_temperature->value() : 93;
  Reading<double> celsius;
  if (gpu.temperature) celsius = gpu.temperature->value();
  return level(celsius, slowdown - 12, slowdown - 4);
}

TableCell gpu_cell(const Model& model, const Look& look, const GpuTrack& track, const GpuCondition& state,
                   GpuColumn column, int width, bool wide) {
  const auto& gpu = track.now;
  const Role role = health_role(state.health);
  switch (column) {
    case kIndex: return {std::to_string(gpu.index), state.troubled() ? role : Role::kTitle};
    case kName: return {short_name(gpu.name), Role::kAccent};
    case kBusy: {
      const auto fill = BarFill{share_of(gpu.utilization), slowed_share(gpu, state.health),
                                state.health == GpuHealth::kOk ? Role::kUtilization : role};
      return {"", role, meter(look.styles, fill, percent_text(gpu.utilization), 5,
                              gpu.utilization ? Role::kText : Role::kUnknown)};
    }
    case kActivity: return {inside_text(gpu), Role::kMuted};
    case kMemory: {
      const auto share = share_of(gpu.memory_used, gpu.memory_total);
      const auto text = wide                ? used_of_text(gpu.memory_used, gpu.memory_total)
                        : share             ? format_number(*share * 100, 0) + " %"
                                            : std::string{kUnknownText};
      return {"", role, meter(look.styles, {share, 0, Role::kMemory}, text, wide ? 13 : 5,
                              share ? level(share, 0.9, 0.97) : Role::kUnknown)};
    }
    case kTemp: {
      auto text = temperature_text(gpu.temperature, look.settings.temperature_unit);
      std::erase(text, ' ');
      if (text.ends_with("C")) text.pop_back();
      return {text, temperature_role(gpu)};
    }
    case kPower: return {wide ? power_text(gpu.power, gpu.power_limit) : format_reading(gpu.power, " W")};
    case kClock: {
      const auto share = clock_share(gpu);
      auto text = share ? format_number(*share * 100, 0) + " %" : std::string{kUnknownText};
      if (wide && share) {
        const auto mhz = format_reading(gpu.sm_clock, " MHz");
        text += std::string(static_cast<std::size_t>(std::max(1, 9 - static_cast<int>(mhz.size()))), ' ') + mhz;
      }
      return {text, state.health == GpuHealth::kSlowed ? role : Role::kText};
    }
    case kSpark:
      return {"", role, trend(look, track.series.utilization, model.now, width,
                              state.health == GpuHealth::kOk ? Role::kUtilization : role, 100)};
    case kLink: return {link_text(gpu.pcie)};
    case kRead: return {rate_text(gpu.pcie_rx)};
    case kWrite: return {rate_text(gpu.pcie_tx)};
    case kState: {
      const auto mark = std::string{health_mark(state.health)};
      // A sentence that is cut says more than one word.
      const bool told = width >= kRoomForSentence || columns_of(mark + state.words) <= width;
      return {mark + (told ? state.words : state.short_words), role};
    }
  }
  return {};
}

ftxui::Element nothing(const Model& model, const Look& look) {
  const auto said = no_gpus(model, look.width - 2);
  if (said.why.empty()) {
    return look.say(model.gpu_source.source.empty() ? " waiting for the first reading" : " the driver lists no GPU", Role::kMuted);
  }
  ftxui::Elements lines;
  for (const auto& line : said.why) lines.push_back(look.say(" " + line, Role::kWarning));
  for (const auto& line : said.next) lines.push_back(look.say(" " + line, Role::kText));
  return ftxui::vbox(std::move(lines));
}

}  // namespace

ftxui::Element gpus(const Model& model, Look& look) {
  look.gpu_order.clear();
  if (model.gpus.empty()) return nothing(model, look);
  const int count = static_cast<int>(model.gpus.size());
  const int rows = std::max(1, look.height - 1);
  const int tables = count > rows && look.width >= kTwoTables ? 2 : 1;
  const bool all = count <= rows * tables;
  const auto order = gpu_order(model, look.view.gpus_by_trouble && !all);
  for (const auto at : order) look.gpu_order.push_back(model.gpus[at].now.index);

  auto& list = look.view.gpus;
  const int visible = std::min(count, rows * tables);
  list.settle(count, visible);
  const int inner = look.width - 2;
  const int width = tables == 2 ? (inner - 3) / 2 : inner;
  std::vector<GpuCondition> states;  // of those with a row
  int words = 0;
  bool slowed = false;
  for (int i = 0; i < visible; ++i) {
    states.push_back(gpu_state(model, model.gpus[order[static_cast<std::size_t>(list.top + i)]]));
    words = std::max(words, columns_of(states.back().words) + columns_of(health_mark(states.back().health)));
    slowed = slowed || states.back().health == GpuHealth::kSlowed;
  }
  auto columns = gpu_columns(model, width, slowed, words);
  const auto places = fit_columns(columns, width, width >= 100 ? 2 : 1);
  name_sparkline(columns, places);
  ftxui::Elements sides;
  const int per_table = (visible + tables - 1) / tables;
  for (int table = 0; table < tables; ++table) {
    ftxui::Elements lines{table_head(look.styles, columns, places)};
    for (int i = table * per_table; i < std::min(visible, (table + 1) * per_table); ++i) {
      const auto& track = model.gpus[order[static_cast<std::size_t>(list.top + i)]];
      const auto& state = states[static_cast<std::size_t>(i)];
      std::vector<TableCell> cells;
      for (const auto& place : places) {
        cells.push_back(gpu_cell(model, look, track, state, static_cast<GpuColumn>(place.column), place.width,
                                 width >= kWide));
      }
      auto row = table_row(look.styles, columns, places, std::move(cells));
      if (look.focused && list.top + i == list.cursor) row = look.selected(row);
      lines.push_back(look.hit(row, Hit::Kind::kRow, list.top + i));
    }
    if (table > 0) sides.push_back(ftxui::text("   "));
    sides.push_back(ftxui::vbox(std::move(lines)) | ftxui::size(ftxui::WIDTH, ftxui::EQUAL, width));
  }
  look.title = {{all ? "GPUs " + std::to_string(count)
                     : "GPUs " + std::to_string(visible) + " of " + std::to_string(count) +
                           (look.view.gpus_by_trouble ? ", worst first" : ""),
                 Role::kTitle}};
  return ftxui::hbox({ftxui::text(" "), ftxui::hbox(std::move(sides)), ftxui::text(" ")});
}

}  // namespace gputop::ui::panes
