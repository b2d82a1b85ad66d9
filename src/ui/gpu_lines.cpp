#include "ui/gpu_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gputop/core/format.hpp"
#include "ui/draw.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

constexpr int kGap = 2;
constexpr int kIndent = 7;  // of the name, and of the second and third line below it
constexpr int kLongestName = 26;

struct FieldPainter {
  const PaneContext& context;
  const GpuTrack& track;
  Painter painter;  // exactly the field's place
};

// Value at the right end of the field, muted label at the left.
void label_value(FieldPainter& f, std::string_view label, std::string_view value, Role role = Role::kText) {
  const int used = f.painter.text(0, 0, label, Role::kMuted);
  f.painter.right(f.painter.width(), 0, value, value == kUnknownText ? Role::kUnknown : role, f.painter.width() - used);
}

void index(FieldPainter& f) {
  f.painter.text(0, 0, "GPU " + std::to_string(f.track.now.index), Role::kTitle);
}

void name(FieldPainter& f) {
  auto text = printable(f.track.now.name);
  for (const std::string_view vendor : {"NVIDIA ", "GeForce "}) {
    if (text.starts_with(vendor)) text.erase(0, vendor.size());
  }
  f.painter.text(0, 0, text.empty() ? std::string{kUnknownText} : text, Role::kAccent);
}

// "util ███░░░ 61 %": the bar takes what is left between label and value.
void with_bar(FieldPainter& f,
              std::string_view label,
              std::string_view value,
              int value_width,
              Reading<double> share,
              Role bar_role,
              Role value_role) {
  label_value(f, label, value, value_role);
  const int begin = columns_of(label) + 1;
  const int width = f.painter.width() - begin - value_width - 1;
  if (width >= 3) bar(f.painter, begin, 0, width, share, bar_role);
}

void utilization(FieldPainter& f) {
  with_bar(f, "util", percent_text(f.track.now.utilization), 5, share_of(f.track.now.utilization), Role::kUtilization,
           Role::kText);
}

void memory(FieldPainter& f) {
  const auto& gpu = f.track.now;
  const auto share = share_of(gpu.memory_used, gpu.memory_total);
  with_bar(f, "mem", used_of_text(gpu.memory_used, gpu.memory_total), 13, share, Role::kMemory,
           level(share, 0.9, 0.97));
}

void temperature(FieldPainter& f) {
  const auto& gpu = f.track.now;
  const double slowdown = gpu.slowdown_temperature ? gpu.slowdown_temperature->value() : 93;
  Reading<double> celsius;
  if (gpu.temperature) celsius = gpu.temperature->value();
  label_value(f, "", temperature_text(gpu.temperature, f.context.settings.temperature_unit),
              level(celsius, slowdown - 12, slowdown - 4));
}

void power(FieldPainter& f) {
  label_value(f, "", power_text(f.track.now.power, f.track.now.power_limit));
}
void sm_clock(FieldPainter& f) {
  label_value(f, "sm", format_reading(f.track.now.sm_clock, " MHz"));
}
void memory_clock(FieldPainter& f) {
  label_value(f, "mem", format_reading(f.track.now.memory_clock, " MHz"));
}
void fan(FieldPainter& f) {
  label_value(f, "fan", percent_text(f.track.now.fan));
}
void effective(FieldPainter& f) {
  label_value(f, "load", percent_text(f.track.effective_load()));
}
void encoder(FieldPainter& f) {
  label_value(f, "enc", percent_text(f.track.now.encoder));
}
void decoder(FieldPainter& f) {
  label_value(f, "dec", percent_text(f.track.now.decoder));
}
void received(FieldPainter& f) {
  label_value(f, "rx", rate_text(f.track.now.pcie_rx));
}
void transmitted(FieldPainter& f) {
  label_value(f, "tx", rate_text(f.track.now.pcie_tx));
}

void performance(FieldPainter& f) {
  const auto& state = f.track.now.performance_state;
  label_value(f, "", state ? joined({"P", std::to_string(*state)}) : std::string{kUnknownText});
}

void link(FieldPainter& f) {
  const auto& pcie = f.track.now.pcie;
  const auto number = [](const Reading<unsigned>& n) { return n ? std::to_string(*n) : std::string{kUnknownText}; };
  if (!pcie.generation && !pcie.width) return label_value(f, "PCIe", kUnknownText);
  const bool degraded = pcie.width && pcie.max_width && *pcie.width < *pcie.max_width;
  label_value(f, "PCIe", number(pcie.generation) + "×" + number(pcie.width) + (degraded ? "⚠" : ""),
              degraded ? Role::kWarning : Role::kText);
}

void ecc(FieldPainter& f) {
  const auto& gpu = f.track.now;
  if (!gpu.ecc_corrected && !gpu.ecc_uncorrected) return label_value(f, "ECC", kUnknownText);
  const auto total = gpu.ecc_corrected.value_or(0) + gpu.ecc_uncorrected.value_or(0);
  label_value(f, "ECC", std::to_string(total), gpu.ecc_uncorrected.value_or(0) > 0 ? Role::kBad : Role::kText);
}

void marks(FieldPainter& f) {
  const auto mark = gpu_marks(f.context.model, f.track);
  if (!mark.text.empty()) f.painter.text(0, 0, "⚠ " + mark.text, mark.role);
}

// In the order they are read; the lower the rank the later it is dropped. A field that stretches shares what is left of
// its line.
struct Field {
  void (*paint)(FieldPainter&);
  int width;
  int rank;
  int stretch;
};
constexpr std::array kFields{
    Field{index, 6, 0, 0},        Field{name, 12, 6, 0},       Field{utilization, 10, 1, 3},
    Field{memory, 17, 2, 3},      Field{temperature, 6, 3, 0}, Field{power, 9, 4, 0},
    Field{marks, 14, 5, 1},       Field{sm_clock, 11, 7, 0},   Field{memory_clock, 13, 12, 0},
    Field{performance, 3, 10, 0}, Field{fan, 9, 8, 0},         Field{effective, 10, 9, 0},
    Field{link, 10, 11, 0},       Field{received, 14, 13, 0},  Field{transmitted, 14, 14, 0},
    Field{encoder, 9, 15, 0},     Field{decoder, 9, 16, 0},    Field{ecc, 7, 17, 0},
};
constexpr std::size_t kNameField = 1;
constexpr std::size_t kUtilizationField = 2;
constexpr std::size_t kMemoryField = 3;
constexpr std::size_t kMarksField = 6;
constexpr std::size_t kClockField = 7;

constexpr bool is_bar(std::size_t field) {
  return field == kUtilizationField || field == kMemoryField;
}

// What a bar takes at least; on narrow screens the number says enough.
int bar_room(int width) {
  return width >= 120 ? 12 : width >= 76 ? 6 : 0;
}

// Fields of at most this rank, first fit into the lines; nullopt when they need more lines. The clocks may begin the
// second line though there is room for them on the first: the words before them get it.
std::optional<GpuPlan> flow(int most_rank, int width, int lines, int name_width, bool break_at_clocks) {
  GpuPlan plan;
  int x = 0;
  int y = 0;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (kFields[i].rank > most_rank) continue;
    const int wanted = (i == kNameField ? name_width : kFields[i].width) + (is_bar(i) ? bar_room(width) : 0);
    const bool full = x + wanted > width && x > 0;
    if (full || (break_at_clocks && i == kClockField && y == 0)) {
      ++y;
      x = kIndent;
    }
    if (y >= lines || x + wanted > width) return std::nullopt;
    plan.fields.push_back({i, x, y, wanted});
    x = i == 0 ? kIndent : x + wanted + kGap;
  }
  plan.lines = y + 1;
  return plan;
}

// With as many fields as there is room for.
GpuPlan richest_flow(int width, int lines, int name_width) {
  for (int rank = 17; rank >= 1; --rank) {
    for (const bool break_at_clocks : {true, false}) {
      if (auto plan = flow(rank, width, lines, name_width, break_at_clocks && rank > kFields[kClockField].rank)) {
        return *std::move(plan);
      }
    }
  }
  return {.lines = 1, .fields = {{0, 0, 0, std::max(0, std::min(width, kFields[0].width))}}};
}

void stretch_line(GpuPlan& plan, int y, int width) {
  int total = 0;
  int end = 0;
  for (const auto& placed : plan.fields) {
    if (placed.y != y) continue;
    total += kFields[placed.field].stretch;
    end = placed.x + placed.width;
  }
  int spare = width - end;
  if (total == 0 || spare <= 0) return;
  int moved = 0;
  for (auto& placed : plan.fields) {
    if (placed.y != y) continue;
    placed.x += moved;
    const int part = kFields[placed.field].stretch;
    if (part == 0) continue;
    // Bars of more than a hand's width tell no more; what is left goes to the words behind them.
    const int limit = placed.field == kMarksField ? spare : 16;
    const int more = std::min(spare * part / total, limit);
    placed.width += more;
    moved += more;
    spare -= more;
    total -= part;
  }
}

}  // namespace

GpuPlan plan_gpu_lines(const Model& model, int width, int lines) {
  int longest = 8;
  for (const auto& track : model.gpus) longest = std::max(longest, static_cast<int>(track.now.name.size()));
  const int name_width = std::min({longest, kLongestName, std::max(10, width / 6)});
  auto best = richest_flow(width, lines, name_width);
  for (int y = 0; y < best.lines; ++y) stretch_line(best, y, width);
  return best;
}

void paint_gpu(const PaneContext& context, const GpuTrack& track, const GpuPlan& plan, Painter painter) {
  if (track.now.state != GpuState::kOk) {
    // Nothing is known: the words take the place of the dashes.
    FieldPainter head{context, track, painter.part(0, 0, kFields[0].width, 1)};
    index(head);
    FieldPainter who{context, track, painter.part(kIndent, 0, std::min(kLongestName, painter.width() / 3), 1)};
    name(who);
    const int used = kIndent + who.painter.width() + kGap;
    FieldPainter words{context, track, painter.part(used, 0, painter.width() - used, 1)};
    marks(words);
    return;
  }
  for (const auto& placed : plan.fields) {
    FieldPainter f{context, track, painter.part(placed.x, placed.y, placed.width, 1)};
    kFields[placed.field].paint(f);
  }
}

void paint_gpu_cell(const PaneContext& context, const GpuTrack& track, Painter painter) {
  const auto& gpu = track.now;
  const auto mark = gpu_marks(context.model, track);
  painter.right(3, 0, std::to_string(gpu.index),
                mark.role == Role::kBad && !mark.text.empty() ? Role::kBad : Role::kTitle);
  if (gpu.state != GpuState::kOk) {
    painter.text(4, 0, mark.text, Role::kBad);
    return;
  }
  // Values stand next to each other in one colour: they all change together, and one run of bytes carries them.
  painter.put(4, 0, gauge(share_of(gpu.utilization)), Role::kUtilization);
  const auto value = [&](int end, std::string_view text, int room) {
    painter.right(end, 0, text, text == kUnknownText ? Role::kUnknown : Role::kText, room);
  };
  value(10, format_reading(gpu.utilization, "%"), 4);
  if (painter.width() < 34) {  // no room for words
    if (gpu_trouble(context.model, track) < kNoTrouble) painter.put(3, 0, glyph("⚠"), mark.role);
    value(17, short_bytes(gpu.memory_used), 6);
    auto temperature = temperature_text(gpu.temperature, context.settings.temperature_unit);
    std::erase(temperature, ' ');
    value(painter.width() - 1, temperature, 5);
    return;
  }
  auto memory = used_of_text(gpu.memory_used, gpu.memory_total);
  if (const auto space = memory.find(' '); space != std::string::npos)
    memory = memory.substr(0, space) + memory.substr(space + 1, 1);
  value(21, memory, 10);
  value(28, temperature_text(gpu.temperature, context.settings.temperature_unit), 6);
  value(34, format_reading(gpu.power, " W"), 5);
  painter.text(36, 0, mark.text, mark.role, painter.width() - 37);
}

GpuArrangement arrange_gpus(const Model& model, int width, int height) {
  const int count = static_cast<int>(model.gpus.size());
  if (count == 0) return {};
  for (int lines = 3; lines >= 1; --lines) {
    if (count * lines > height) continue;
    const int used = plan_gpu_lines(model, width, lines).lines;
    return {.grid = false, .columns = 1, .lines = used, .rows = count * used};
  }
  // Wide cells when they suffice, narrower ones to show more of them.
  GpuArrangement best;
  for (const int cell : {kGridCell, 36, kGridCellLeast}) {
    const int columns = std::max(1, width / cell);
    best = {.grid = true, .columns = columns, .lines = 1, .rows = (count + columns - 1) / columns};
    if (best.rows <= height) break;
  }
  return best;
}

}  // namespace gputop::ui
