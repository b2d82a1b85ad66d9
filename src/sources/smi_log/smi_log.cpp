#include "gputop/sources/smi_log.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "sources/gpu_log/log_stream.hpp"
#include "sources/smi_log/log_time.hpp"
#include "sources/smi_log/table.hpp"

namespace gputop {
namespace {

using smi::Cell;
using smi::Row;

constexpr std::chrono::milliseconds kSameRound{
    20};  // rows of one round without a GPU's number follow each other this fast

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
    for (const auto& row : table_.rows) add(row);
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

  // Date and time may stand in two columns.
  std::optional<WallTime> time_of(const Row& row) {
    std::string text;
    for (const auto column : times_) text += (text.empty() ? "" : " ") + smi::parse_cell(row[column]).text;
    if (text.empty()) return std::nullopt;
    auto wall = clock_.read(text);
    if (!wall && times_.size() > 1) wall = clock_.read(smi::parse_cell(row[times_.front()]).text);
    if (!wall && unread_++ == 0) first_unread_ = slice(text, 0, 40);
    return wall;
  }

  // Who this row is about, as far as the log says; "" when it does not.
  [[nodiscard]] std::string identity(const Row& row) const {
    for (const auto* name : {"uuid", "pci_bus_id", "index"}) {
      if (by_name_.contains(name)) return cell_text(row, name);
    }
    return {};
  }

  void add(const Row& row) {
    const auto wall = time_of(row);
    auto who = identity(row);
    if (who.empty()) {
      // Nameless rows at the same moment are different GPUs.
      const bool same_round = wall && last_wall_ && *wall - *last_wall_ <= kSameRound && !round_.empty();
      if (!same_round) finish_round();
      who = std::to_string(round_.size());
    } else if (std::find(round_who_.begin(), round_who_.end(), who) != round_who_.end()) {
      finish_round();
    }
    if (round_.empty()) round_wall_ = wall;
    last_wall_ = wall;
    GpuReading gpu;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const auto& column = table_.columns[i];
      if (column.entry == nullptr) continue;
      Cell cell = smi::parse_cell(row[i]);
      if (cell.unit.empty()) cell.unit = column.unit.empty() ? std::string{column.entry->unit} : column.unit;
      column.entry->read(cell, gpu);
    }
    if (!gpu.memory_used) gpu.memory_used = used_of(row, gpu);
    if (!by_name_.contains("index")) gpu.index = index_of(who);
    gpu.name = printable(gpu.name);
    round_.push_back(std::move(gpu));
    round_who_.push_back(std::move(who));
  }

  unsigned index_of(const std::string& who) {
    return numbers_.try_emplace(who, static_cast<unsigned>(numbers_.size())).first->second;
  }

  // What is neither free nor kept back by the driver.
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
  std::size_t unread_ = 0;  // timestamps
  std::string first_unread_;
  std::optional<WallTime> round_wall_;
  std::optional<WallTime> last_wall_;
  std::vector<GpuReading> round_;
  std::vector<std::string> round_who_;
};

}  // namespace

Result<SmiLog> parse_smi_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  auto table = smi::read_table(text, file, columns);
  if (!table) return table.error();
  return Assembler{*std::move(table)}.run();
}

}  // namespace gputop
