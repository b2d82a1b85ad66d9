#include "gputop/sources/smi_log.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "gputop/core/format.hpp"
#include "sources/smi_log/table.hpp"

namespace gputop {
namespace {

using smi::Cell;
using smi::Row;

constexpr std::chrono::milliseconds kSameRound{20};  // rows of one round without a GPU's number follow each other this fast

class Assembler {
 public:
  explicit Assembler(smi::LogTable table) : table_(std::move(table)) {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].entry != nullptr) by_name_.emplace(table_.columns[i].entry->name, i);
    }
    log_.notes = std::move(table_.notes);
  }

  SmiLog run() {
    log_.events.push_back({Instant{}, StreamStarted{.wall = {}, .gputop_version = GPUTOP_VERSION, .hostname = "", .interval = {}}});
    log_.events.push_back({Instant{}, SourceStatus{.source = "nvidia-smi log", .message = "", .driver_version = cell_text(table_.rows.front(), "driver_version")}});
    for (const auto& row : table_.rows) add(row);
    finish_round();
    const Instant last = log_.events.back().at;
    auto& started = std::get<StreamStarted>(log_.events.front().payload);
    if (first_) started.wall = *first_;
    if (rounds_ > 1) started.interval = last.time_since_epoch() / static_cast<Duration::rep>(rounds_ - 1);
    if (!first_) log_.notes.emplace_back("no timestamps: taken as one reading a second");
    log_.events.push_back({last, StreamEnded{"the log ends here"}});
    return std::move(log_);
  }

 private:
  [[nodiscard]] std::string cell_text(const Row& row, std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::string{} : smi::parse_cell(row[found->second]).text;
  }

  // Who this row is about, as far as the log says; "" when it does not.
  [[nodiscard]] std::string identity(const Row& row) const {
    for (const auto* name : {"uuid", "pci_bus_id", "index"}) {
      if (by_name_.contains(name)) return cell_text(row, name);
    }
    return {};
  }

  void add(const Row& row) {
    std::optional<WallTime> wall;
    if (const auto found = by_name_.find("timestamp"); found != by_name_.end()) wall = smi::parse_time(row[found->second]);
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
    if (!by_name_.contains("index")) gpu.index = index_of(who);
    gpu.name = printable(gpu.name);
    round_.push_back(std::move(gpu));
    round_who_.push_back(std::move(who));
  }

  unsigned index_of(const std::string& who) {
    return numbers_.try_emplace(who, static_cast<unsigned>(numbers_.size())).first->second;
  }

  void finish_round() {
    if (round_.empty()) return;
    Instant at = now_;
    if (round_wall_) {
      if (!first_) first_ = round_wall_;
      // Civil time may step back; the stream's does not.
      at = std::max(now_, Instant{*round_wall_ - *first_});
    } else if (rounds_ > 0) {
      at = now_ + std::chrono::seconds{1};
    }
    now_ = at;
    ++rounds_;
    log_.events.push_back({at, GpusSampled{std::move(round_)}});
    round_.clear();
    round_who_.clear();
    round_wall_.reset();
  }

  smi::LogTable table_;
  std::map<std::string_view, std::size_t> by_name_;
  std::map<std::string, unsigned> numbers_;
  SmiLog log_;
  std::optional<WallTime> first_;
  std::optional<WallTime> round_wall_;
  std::optional<WallTime> last_wall_;
  std::vector<GpuReading> round_;
  std::vector<std::string> round_who_;
  Instant now_;
  std::size_t rounds_ = 0;
};

}  // namespace

Result<SmiLog> parse_smi_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  auto table = smi::read_table(text, file, columns);
  if (!table) return table.error();
  return Assembler{*std::move(table)}.run();
}

}  // namespace gputop
