#include "sources/smi_log/columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "gputop/core/saturate.hpp"
#include "gputop/core/scan.hpp"
#include "sources/smi_log/column_words.hpp"

namespace gputop::smi {
namespace {

double in_bytes(double number, std::string_view unit) {
  if (unit == "B" || unit == "bytes") return number;
  if (unit == "KiB") return number * 1024;
  if (unit == "GiB") return number * 1024 * 1024 * 1024;
  if (unit == "KB" || unit == "kB") return number * 1e3;
  if (unit == "GB") return number * 1e9;
  return number * 1024 * 1024;  // nvidia-smi counts in MiB, even if it does not say so
}

template <class Rep, class Tag>
void set(Reading<Quantity<Tag, Rep>>& reading, const Cell& cell) {
  if (!cell.number) return;
  const double value = cell.unit == "mW" ? *cell.number / 1000 : *cell.number;
  reading = Quantity<Tag, Rep>{static_cast<Rep>(value)};
}
void set(Reading<Bytes>& reading, const Cell& cell) {
  if (!cell.number || !(*cell.number >= 0)) return;
  const double bytes = in_bytes(*cell.number, cell.unit);
  if (bytes < 1e18) reading = Bytes{saturate_rounded<std::uint64_t>(bytes)};
}
void set(Reading<unsigned>& reading, const Cell& cell) {
  if (cell.number && *cell.number >= 0 && *cell.number < 1e6) reading = static_cast<unsigned>(*cell.number);
}
void set(Reading<std::uint64_t>& reading, const Cell& cell) {
  if (cell.number && *cell.number >= 0 && *cell.number < 1e18) reading = static_cast<std::uint64_t>(*cell.number);
}

void set_index(GpuReading& gpu, const Cell& cell) {
  if (cell.number && *cell.number >= 0 && *cell.number < 1e6) gpu.index = static_cast<unsigned>(*cell.number);
}

void set_capability(GpuReading& gpu, const Cell& cell) {
  const auto dot = cell.text.find('.');
  if (!cell.number || dot == std::string::npos) return;
  int minor = 0;
  std::from_chars(cell.text.data() + dot + 1, cell.text.data() + cell.text.size(), minor);
  gpu.compute_capability = ComputeCapability{static_cast<int>(*cell.number), minor};
}

void set_performance(GpuReading& gpu, const Cell& cell) {
  if (cell.text.size() >= 2 && char_at(cell.text, 0) == 'P' && char_at(cell.text, 1) >= '0' &&
      char_at(cell.text, 1) <= '9') {
    unsigned state = 0;
    std::from_chars(cell.text.data() + 1, cell.text.data() + cell.text.size(), state);
    gpu.performance_state = state;
  }
}

void set_throttle(GpuReading& gpu, const Cell& cell) {
  if (!cell.text.starts_with("0x")) return;
  std::uint64_t bits = 0;
  const auto parsed = std::from_chars(cell.text.data() + 2, cell.text.data() + cell.text.size(), bits, 16);
  if (parsed.ec == std::errc{}) gpu.throttle = ThrottleReasons{bits};
}

void add_throttle(GpuReading& gpu, const Cell& cell, ThrottleReason reason) {
  if (cell.text != "Active" && cell.text != "Not Active") return;
  auto bits = gpu.throttle ? gpu.throttle->bits() : 0;
  if (cell.text == "Active") bits |= static_cast<std::uint64_t>(reason);
  gpu.throttle = ThrottleReasons{bits};
}

constexpr std::array kColumns{
#define COLUMN(name, unit, aliases, ...) \
  ColumnEntry{name, unit, aliases,       \
              []([[maybe_unused]] const Cell& cell, [[maybe_unused]] GpuReading& gpu) { __VA_ARGS__; }},
#include "sources/smi_log/columns.def"
#undef COLUMN
};

constexpr std::size_t kOwnWords = 100;  // the rank of a name understood only by its words

// The position of the name among those of the entry; nullopt: it is not one of them.
std::optional<std::size_t> rank_of(const ColumnEntry& entry, std::string_view name) {
  if (entry.name == name) return 0;
  std::size_t rank = 1;
  for (auto words = entry.aliases; !words.empty(); ++rank) {
    const auto space = words.find(' ');
    if (slice(words, 0, space) == name) return rank;
    skip_front(words, space == std::string_view::npos ? words.size() : space + 1);
  }
  return std::nullopt;
}

}  // namespace

const ColumnEntry* find_column(std::string_view name) {
  for (const auto& column : kColumns) {
    if (rank_of(column, name)) return &column;
  }
  return nullptr;
}

Column column_of(std::string_view header) {
  if (const auto name = normalised_name(header); name.empty())
    return {};
  else if (const auto* entry = find_column(name))
    return {entry, unit_of_header(header), rank_of(*entry, name).value_or(kOwnWords)};
  const auto meant = meant_column(header);
  return meant ? Column{find_column(meant->name), std::string{meant->unit}, kOwnWords} : Column{};
}

void keep_best(std::vector<Column>& columns) {
  for (auto& column : columns) {
    if (column.entry == nullptr || column.entry->name == "timestamp") continue;
    const auto better = [&](const Column& other) {
      if (&other == &column || other.entry != column.entry) return false;
      return other.rank != column.rank ? other.rank < column.rank : &other < &column;
    };
    if (std::any_of(columns.begin(), columns.end(), better)) column.rank = kOwnWords + 1;
  }
  for (auto& column : columns) {
    if (column.rank > kOwnWords) column = {};
  }
}

bool is_reading(const Column& column) {
  static constexpr std::string_view kOthers[] = {"index",    "name",      "uuid",          "pci_bus_id",
                                                 "hostname", "timestamp", "driver_version"};
  return column.entry != nullptr &&
         std::find(std::begin(kOthers), std::end(kOthers), column.entry->name) == std::end(kOthers);
}

}  // namespace gputop::smi
