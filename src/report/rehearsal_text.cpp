// What a rehearsal adds to an estimate's text: the answer in one line, the peak and its holders, memory over time.
#include "report/rehearsal_text.hpp"

#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/report/estimate.hpp"

namespace gputop {
namespace {

constexpr std::size_t kChartColumns = 72;
constexpr std::size_t kChartRows = 8;

std::string percent_text(double share) {
  return format_number(100 * share, share < 0.1 ? 1 : 0) + " %";
}

// One column per part of the run, one character per phase: where memory rises and falls.
std::string chart(const RehearsedMemory& memory) {
  if (memory.timeline.empty()) return {};
  std::vector<MemoryMoment> columns;
  const auto count = std::min(kChartColumns, memory.timeline.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = i * memory.timeline.size() / count;
    const auto end = std::max(begin + 1, (i + 1) * memory.timeline.size() / count);
    columns.push_back(*std::max_element(
        memory.timeline.begin() + static_cast<std::ptrdiff_t>(begin), memory.timeline.begin() + static_cast<std::ptrdiff_t>(end),
        [](const MemoryMoment& a, const MemoryMoment& b) { return a.allocated < b.allocated; }));
  }
  constexpr std::array<std::string_view, 9> kEighths{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto top = static_cast<double>(std::max<std::uint64_t>(1, memory.peak_allocated.value()));
  std::string text = "\nallocated over time, up to " + format_bytes(memory.peak_allocated) + "\n";
  for (std::size_t row = kChartRows; row-- > 0;) {
    std::string line = "  ";
    for (const auto& moment : columns) {
      const double level = static_cast<double>(moment.allocated.value()) / top * kChartRows - static_cast<double>(row);
      line += kEighths.at(static_cast<std::size_t>(std::clamp(level * 8, 0.0, 8.0)));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  constexpr std::array<char, 5> kSigns{'m', 'f', 'b', 'o', 'v'};
  text += "  ";
  for (const auto& moment : columns) text += kSigns.at(static_cast<std::size_t>(moment.phase));
  return text + "\n  m model  f forward  b backward  o optimizer  v validation\n";
}

std::string peak_section(const RehearsalAnswer& answer) {
  const auto& memory = answer.memory;
  std::string text = "\npeak: in the " + std::string{to_string(memory.peak.phase)} + " of step " +
                     std::to_string(memory.peak.step + 1) + ", " + format_bytes(memory.peak_allocated) + " allocated, " +
                     format_bytes(memory.peak_reserved) + " reserved, " + format_bytes(answer.context) + " CUDA context\n";
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < kStorageKinds; ++i) {
    if (memory.at_peak.at(i) > Bytes{})
      rows.push_back({"  " + std::string{to_string(static_cast<StorageKind>(i))}, format_bytes(memory.at_peak.at(i))});
  }
  text += aligned(rows);
  if (memory.sites.empty()) return text;
  text += "lines that hold most of it\n";
  rows.clear();
  for (const auto& site : memory.sites) rows.push_back({"  " + format_bytes(site.bytes), printable(site.site)});
  return text + aligned(rows);
}

}  // namespace

std::string rehearsal_headline(const Estimate& estimate) {
  const auto& answer = *estimate.rehearsal;
  std::string text;
  if (answer.oom_chance)
    text += "chance of running out of memory: " + (*answer.oom_chance < 0.01   ? std::string{"below 1 %"}
                                                   : *answer.oom_chance > 0.99 ? std::string{"above 99 %"}
                                                                               : percent_text(*answer.oom_chance)) + "\n";
  if (answer.cache_given_back)
    text += "it runs only because the allocator gives unused blocks back, which costs time\n";
  if (answer.points.size() > 1) {
    const auto& [a_batch, a] = answer.points.front();
    const auto& [b_batch, b] = answer.points.back();
    const double slope = (static_cast<double>(b.value()) - static_cast<double>(a.value())) / static_cast<double>(b_batch - a_batch);
    const double fixed = static_cast<double>(a.value()) - slope * static_cast<double>(a_batch);
    const auto size = [](double bytes) { return format_bytes(Bytes{static_cast<std::uint64_t>(std::max(0.0, bytes))}); };
    text += "forward and backward take " + size(fixed) + " + " + size(slope) + " × batch (rehearsed at " + std::to_string(a_batch) + " and " +
            std::to_string(b_batch) + ")\n";
  }
  return text;
}

std::string rehearsal_text(const Estimate& estimate) {
  const auto& answer = *estimate.rehearsal;
  std::string text = peak_section(answer) + chart(answer.memory);
  if (!answer.what_if.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& other : answer.what_if)
      rows.push_back({"  " + other.name, format_bytes(other.total), !estimate.gpu ? "" : other.fits ? "fits" : "does not fit"});
    text += "\nthe same run, rehearsed with\n" + aligned(rows);
  }
  text += std::string{answer.measured ? "\nmeasured: " : "\nrehearsed: "} + std::to_string(answer.memory.steps) + " optimizer steps with torch " + printable(answer.torch) +
          (answer.measured ? "; run for real on the GPU here, nothing was written\n" : "; no GPU was used, nothing was written\n");
  for (const auto& one : answer.assumptions) text += "assumed: " + printable(one) + "\n";
  return text;
}

}  // namespace gputop
