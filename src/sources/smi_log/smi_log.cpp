#include "gputop/sources/smi_log.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/smi_log/log_time.hpp"
#include "sources/smi_log/nameless.hpp"
#include "sources/smi_log/table.hpp"

namespace gputop {
namespace {

using smi::Cell;
using smi::Row;

class Assembler {
 public:
  explicit Assembler(smi::LogTable table) : table_(std::move(table)) {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].entry == nullptr) continue;
      by_name_.emplace(table_.columns[i].entry->name, i);
      if (table_.columns[i].entry->name == "timestamp") times_.push_back(i);
    }
  }

  SmiLog run() {
    std::vector<std::optional<WallTime>> times;
    times.reserve(table_.rows.size());
    for (std::size_t i = 0; i < table_.rows.size(); ++i)
      times.push_back(times_.empty() ? table_.places[i].time : time_of(table_.rows[i]));
    const bool named = by_name_.contains("uuid") || by_name_.contains("pci_bus_id") || by_name_.contains("index");
    const auto begins = named ? std::vector<bool>{} : smi::round_begins(table_, times);
    for (const auto i : order(times, named)) {
      if (!round_.empty() && begins_round(i, named, begins)) finish_round();
      add(i, times[i], named);
    }
    finish_round();
    auto log = stream_.finish("nvidia-smi log", "", cell_text(table_.rows.front(), "driver_version"));
    log.notes.insert(log.notes.begin(), table_.notes.begin(), table_.notes.end());
    if (unread_ > 0) {
      log.notes.push_back(std::to_string(unread_) + (unread_ == 1 ? " timestamp" : " timestamps") +
                          " could not be read (“" + printable(first_unread_) + "”); write them as 2024-05-01 12:00:00");
    }
    return log;
  }

 private:
  [[nodiscard]] std::string cell_text(const Row& row, std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::string{} : smi::parse_cell(row[found->second]).text;
  }

  // Date and time may be in two columns.
  std::optional<WallTime> time_of(const Row& row) {
    std::string text;
    for (const auto column : times_) text += (text.empty() ? "" : " ") + smi::parse_cell(row[column]).text;
    if (text.empty()) return std::nullopt;
    auto wall = clock_.read(text);
    if (!wall && times_.size() > 1) wall = clock_.read(smi::parse_cell(row[times_.front()]).text);
    if (!wall && unread_++ == 0) first_unread_ = slice(text, 0, 40);
    return wall;
  }

  // Which GPU this row describes, if the log says so.
  [[nodiscard]] std::string identity(const Row& row) const {
    for (const auto* name : {"uuid", "pci_bus_id", "index"}) {
      if (by_name_.contains(name)) return cell_text(row, "hostname") + "/" + cell_text(row, name);
    }
    return {};
  }

  // In file order; sorted by time if all rows of one GPU come before all rows of the next.
  [[nodiscard]] std::vector<std::size_t> order(const std::vector<std::optional<WallTime>>& times, bool named) const {
    std::vector<std::size_t> order(table_.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::set<std::string> known;
    std::size_t changes = 0;
    std::string last;
    for (const auto i : order) {
      if (!named || !times[i]) return order;
      auto who = identity(table_.rows[i]);
      if (who == last) continue;
      ++changes;
      known.insert(who);
      last = std::move(who);
    }
    if (changes == known.size() && known.size() > 1 && order.size() > 2 * known.size())
      std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return *times[a] < *times[b]; });
    return order;
  }

  [[nodiscard]] bool begins_round(std::size_t i, bool named, const std::vector<bool>& begins) const {
    if (!named) return begins[i];
    return round_who_.contains(identity(table_.rows[i]));
  }

  void add(std::size_t i, std::optional<WallTime> wall, bool named) {
    const auto& row = table_.rows[i];
    auto who = named ? identity(row) : std::to_string(round_.size());
    if (round_.empty()) round_wall_ = wall;
    gpu_log::LogReading reading;
    auto& gpu = reading.gpu;
    for (std::size_t c = 0; c < table_.columns.size(); ++c) {
      const auto& column = table_.columns[c];
      if (column.entry == nullptr) continue;
      Cell cell = smi::parse_cell(row[c]);
      if (cell.unit.empty()) cell.unit = column.unit;
      reading.put(column.entry->name, cell);
    }
    if (!gpu.memory_used) gpu.memory_used = used_of(row, gpu);
    if (!by_name_.contains("index") || by_name_.contains("hostname")) gpu.index = index_of(who);
    gpu.name = printable(gpu.name);
    round_.push_back(std::move(reading));
    round_who_.insert(std::move(who));
  }

  unsigned index_of(const std::string& who) {
    return numbers_.try_emplace(who, static_cast<unsigned>(numbers_.size())).first->second;
  }

  // What is neither free nor reserved by the driver.
  [[nodiscard]] Reading<Bytes> used_of(const Row& row, const GpuReading& gpu) const {
    const auto free = by_name_.find("memory_free");
    if (free == by_name_.end() || by_name_.contains("memory_used") || !gpu.memory_total) return std::nullopt;
    GpuReading other;
    Cell cell = smi::parse_cell(row[free->second]);
    if (cell.unit.empty()) cell.unit = table_.columns[free->second].unit;
    smi::find_column("memory_used")->read(cell, other);
    const Bytes rest = other.memory_used.value_or(*gpu.memory_total) + gpu.memory_reserved.value_or(Bytes{});
    return other.memory_used && rest <= *gpu.memory_total ? Reading<Bytes>{*gpu.memory_total - rest} : std::nullopt;
  }

  void finish_round() {
    stream_.add(round_wall_, std::exchange(round_, {}));
    round_who_.clear();
    round_wall_.reset();
  }

  smi::LogTable table_;
  std::map<std::string_view, std::size_t> by_name_;
  std::map<std::string, unsigned> numbers_;
  std::vector<std::size_t> times_;
  smi::LogClock clock_;
  gpu_log::LogStream stream_;
  std::size_t unread_ = 0;  // timestamps that could not be read
  std::string first_unread_;
  std::optional<WallTime> round_wall_;
  std::vector<gpu_log::LogReading> round_;
  std::set<std::string> round_who_;
};

}  // namespace

Result<SmiLog> parse_smi_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  auto table = smi::read_table(text, file, columns);
  if (!table) return table.error();
  return Assembler{*std::move(table)}.run();
}

}  // namespace gputop
