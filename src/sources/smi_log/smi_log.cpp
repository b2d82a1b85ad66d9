#include "gputop/sources/smi_log.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "gputop/core/format.hpp"
#include "sources/smi_log/columns.hpp"

namespace gputop {
namespace {

using smi::Cell;
using smi::Column;
using Row = std::vector<std::string>;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::chrono::milliseconds kSameRound{20};  // rows of one round without a GPU's number are this near each other

struct Table {
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> notes;
};

std::vector<Column> named_columns(const Row& names) {
  std::vector<Column> columns;
  for (const auto& name : names) columns.push_back({smi::find_column(name), smi::unit_of_header(name)});
  return columns;
}

bool is_header(const Row& row) {
  // One known name is enough: no value looks like one.
  return std::any_of(row.begin(), row.end(), [](const auto& cell) {
    const auto* column = smi::find_column(cell);
    return column != nullptr && !smi::parse_cell(cell).number;
  });
}

Result<Table> read_table(std::string_view text, std::string_view file, const std::vector<std::string>& given) {
  const auto wrong = [&](std::string message) {
    return Error{Error::Kind::kInvalid, std::string{file} + ": " + std::move(message)};
  };
  if (text.find('\0') != std::string_view::npos) return wrong("is not text");
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Table table;
  std::optional<Row> header;
  std::size_t odd = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto row = smi::split_line(line);
    if (is_header(row)) {
      // A log that was appended to has its header again.
      if (!header) header = row;
      else if (row != *header) return wrong("has two different headers; cut it where the second begins");
      continue;
    }
    const auto width = header ? header->size() : table.rows.empty() ? row.size() : table.rows.front().size();
    if (row.size() != width) {
      ++odd;
      continue;
    }
    table.rows.push_back(std::move(row));
  }
  if (odd > 0) table.notes.push_back(std::to_string(odd) + (odd == 1 ? " line" : " lines") + " of another width left out (cut off, or not of this log)");
  if (table.rows.empty()) return wrong("holds no readings");
  if (header) {
    table.columns = named_columns(*header);
  } else if (!given.empty()) {
    if (given.size() != table.rows.front().size()) {
      return wrong("has " + std::to_string(table.rows.front().size()) + " columns, --columns names " + std::to_string(given.size()));
    }
    table.columns = named_columns(given);
  } else {
    table.columns = smi::guess_columns(table.rows);
    if (!table.columns.empty()) {
      std::string names;
      for (const auto& column : table.columns) names += (names.empty() ? "" : ", ") + std::string{column.entry ? column.entry->name : "?"};
      table.notes.push_back("no header: taken as " + names);
    }
  }
  const bool useful = std::any_of(table.columns.begin(), table.columns.end(), [](const Column& column) { return column.entry != nullptr; });
  if (!useful) {
    return wrong("is no nvidia-smi log, or its columns cannot be told without a header; "
                 "name them: --columns timestamp,utilization.gpu,memory.used,… as behind --query-gpu=");
  }
  return table;
}

class Assembler {
 public:
  explicit Assembler(Table table) : table_(std::move(table)) {
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
      const bool same_round = wall && round_wall_ && *wall - *round_wall_ <= kSameRound && !round_.empty();
      if (!same_round) finish_round();
      who = std::to_string(round_.size());
    } else if (std::find(round_who_.begin(), round_who_.end(), who) != round_who_.end()) {
      finish_round();
    }
    if (round_.empty()) round_wall_ = wall;
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

  Table table_;
  std::map<std::string_view, std::size_t> by_name_;
  std::map<std::string, unsigned> numbers_;
  SmiLog log_;
  std::optional<WallTime> first_;
  std::optional<WallTime> round_wall_;
  std::vector<GpuReading> round_;
  std::vector<std::string> round_who_;
  Instant now_;
  std::size_t rounds_ = 0;
};

}  // namespace

Result<SmiLog> parse_smi_log(std::string_view text, std::string_view file, const std::vector<std::string>& columns) {
  auto table = read_table(text, file, columns);
  if (!table) return table.error();
  return Assembler{*std::move(table)}.run();
}

}  // namespace gputop
