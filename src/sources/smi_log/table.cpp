#include "sources/smi_log/table.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/sources/gpu_log.hpp"
#include "sources/gpu_log/lines.hpp"
#include "sources/smi_log/alignment.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::smi {
namespace {

constexpr std::size_t kLookedAt = 50;  // lines, to find the cell separator

std::vector<Column> named_columns(const Row& names) {
  std::vector<Column> columns;
  for (const auto& name : names) columns.push_back(column_of(name));
  keep_best(columns);
  return columns;
}

bool is_header(const Row& row) {
  // One known name is enough: no value looks like one.
  return std::any_of(row.begin(), row.end(),
                     [](const auto& cell) { return !parse_cell(cell).number && column_of(cell).entry != nullptr; });
}

// nvidia-smi writes commas; a log saved from a spreadsheet may have semicolons or tabs.
char delimiter_of(std::string_view text) {
  std::map<char, std::size_t> lines_with;
  for (std::size_t i = 0; i < kLookedAt && !text.empty(); ++i) {
    const auto line = gpu_log::next_line(text);
    for (const char delimiter : {',', ';', '\t'}) {
      const auto cells = split_line(line, delimiter);
      if (cells.size() > 1 && is_header(cells) && column_of(cells.front()).entry != nullptr) return delimiter;
      if (cells.size() > 1) ++lines_with[delimiter];
    }
  }
  for (const char delimiter : {';', '\t'}) {
    if (lines_with[delimiter] > lines_with[',']) return delimiter;
  }
  return lines_with[';'] > 0 && lines_with[';'] == lines_with[','] ? ';' : ',';
}

std::size_t usual_width(const std::vector<Row>& rows) {
  std::map<std::size_t, std::size_t> counts;
  for (const auto& row : rows) ++counts[row.size()];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

// "21" where the line before has "219.50 W".
bool lost_its_unit(const std::vector<Row>& rows) {
  if (rows.size() < 2 || rows.back().size() != rows[rows.size() - 2].size()) return false;
  const auto& text = rows.back().back();
  return !text.empty() && first_char(text) != '[' &&
         parse_cell(text).unit != parse_cell(rows[rows.size() - 2].back()).unit;
}

std::string cut(const std::string& text) {
  constexpr std::size_t kMost = 120;
  return text.size() <= kMost ? text : slice(text, 0, text.rfind(',', kMost)) + ", …";
}

std::string names_of(const std::vector<Column>& columns) {
  std::string names;
  for (const auto& column : columns)
    names += (names.empty() ? "" : ", ") + std::string{column.entry ? column.entry->name : "?"};
  return names;
}

class TableReader {
 public:
  TableReader(std::string_view text, std::string_view file, const std::vector<std::string>& given)
      : text_(text), file_(file), given_(given), delimiter_(delimiter_of(text)) {}

  Result<LogTable> run() {
    const bool ends_with_line = text_.ends_with('\n');
    while (!text_.empty()) {
      if (!read_line(gpu_log::next_line(text_)))
        return names_readings() ? wrong("has two different headers; cut it where the second begins") : no_columns();
    }
    if (header_ || !given_.empty()) table_.columns = named_columns(header_ ? *header_ : given_);
    const auto width = table_.columns.empty() ? usual_width(table_.rows) : table_.columns.size();
    const auto all = table_.rows.size();
    const auto found_width = usual_width(table_.rows);
    const bool last_is_cut =
        !ends_with_line && all > 0 && (table_.rows.back().size() < width || lost_its_unit(table_.rows));
    if (last_is_cut) table_.rows.pop_back();
    align(width);
    leave_out_others(width);
    if (table_.rows.empty()) return header_ && !names_readings() ? no_columns() : no_rows(all, width, found_width);
    settle_index();
    if (const auto odd = all - table_.rows.size(); odd > 0) {
      table_.notes.push_back(odd == 1 && last_is_cut ? "1 line left out: the last one is cut off"
                                                     : std::to_string(odd) + (odd == 1 ? " line" : " lines") +
                                                           " of another width left out (cut off, or not of this log)");
    }
    if (table_.columns.empty()) {
      table_.columns = guess_columns(table_.rows);
      if (!table_.columns.empty()) table_.notes.push_back("no header: taken as " + names_of(table_.columns));
    }
    if (std::any_of(table_.columns.begin(), table_.columns.end(), is_reading)) return std::move(table_);
    return no_columns();
  }

 private:
  [[nodiscard]] Error wrong(std::string message) const {
    return {Error::Kind::kInvalid, std::string{file_} + ": " + std::move(message)};
  }

  // Whether the header has more than the GPU and the time.
  [[nodiscard]] bool names_readings() const {
    const auto columns = named_columns(*header_);
    return std::any_of(columns.begin(), columns.end(), is_reading);
  }

  // Of two columns that may number GPUs ("gpu,index"), the one that distinguishes more of them.
  void settle_index() {
    if (!header_) return;
    const auto values = [&](std::size_t column) {
      std::set<std::string> found;
      for (const auto& row : table_.rows) found.insert(row[column]);
      return found.size();
    };
    const auto is_index = [](const Column& column) { return column.entry != nullptr && column.entry->name == "index"; };
    const auto chosen = static_cast<std::size_t>(
        std::find_if(table_.columns.begin(), table_.columns.end(), is_index) - table_.columns.begin());
    if (chosen >= table_.columns.size() || values(chosen) > 1) return;
    for (std::size_t i = 0; i < table_.columns.size() && i < header_->size(); ++i) {
      auto column = column_of((*header_)[i]);
      if (i == chosen || table_.columns[i].entry != nullptr || !is_index(column) || values(i) < 2) continue;
      table_.columns[chosen] = {};
      table_.columns[i] = std::move(column);
      return;
    }
  }

  // False: it is another header.
  bool read_line(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return true;
    if (const auto time = clock_.read(line)) {
      ++place_.block;
      place_.time = time;
      return true;
    }
    if (line.find("nvidia-smi") != std::string_view::npos) return true;  // the command, which also names columns
    auto row = split_line(line, delimiter_);
    while (header_ && row.size() > header_->size() && row.back().empty()) row.pop_back();  // "…, 5 W,"
    if (!is_header(row)) {
      table_.rows.push_back(std::move(row));
      table_.places.push_back(place_);
      return true;
    }
    while (row.size() > 1 && row.back().empty()) row.pop_back();
    if (!place_.time) ++place_.block;  // appended logs, or one call after the other, repeat it
    if (header_) return row == *header_;
    header_ = std::move(row);
    return true;
  }

  void align(std::size_t width) {
    constexpr std::size_t kTried = 200;  // rows of one width
    std::map<std::size_t, std::vector<const Row*>> wide;
    for (const auto& row : table_.rows) {
      if (row.size() > width && wide[row.size()].size() < kTried) wide[row.size()].push_back(&row);
    }
    std::map<std::size_t, Alignment> ways;
    for (const auto& [cells, rows] : wide) {
      if (table_.columns.empty()) break;
      if (auto way = find_alignment(rows, table_.columns)) ways.emplace(cells, *std::move(way));
    }
    for (auto& row : table_.rows) {
      const auto way = ways.find(row.size());
      if (way != ways.end()) row = aligned(row, way->second, table_.columns);
    }
    const bool unnamed =
        std::any_of(ways.begin(), ways.end(), [](const auto& way) { return way.second.dropped.has_value(); });
    if (unnamed) table_.notes.emplace_back("rows have a cell that the header does not name; it was left out");
  }

  void leave_out_others(std::size_t width) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      if (table_.rows[i].size() != width) continue;
      if (kept != i) table_.rows[kept] = std::move(table_.rows[i]);
      table_.places[kept++] = table_.places[i];
    }
    table_.rows.resize(kept);
    table_.places.resize(kept);
  }

  [[nodiscard]] Error no_rows(std::size_t all, std::size_t width, std::size_t found) const {
    if (all == 0)
      return wrong(std::string{"holds no readings"} + (header_ ? " behind its header" : "") + "; " +
                   std::string{kLogsThatAreRead});
    if (!header_ && !given_.empty())
      return wrong("has " + std::to_string(found) + " columns, --columns names " + std::to_string(given_.size()));
    return wrong("its rows have " + std::to_string(found) + " cells, its header " + std::to_string(width) +
                 ", and which cell is whose cannot be told (a decimal comma? write the log with LC_ALL=C)");
  }

  [[nodiscard]] Error no_columns() const {
    if (header_) {
      std::string names;
      for (const auto& name : *header_) names += (names.empty() ? "" : ", ") + printable(name);
      return wrong("none of its columns (" + cut(names) +
                   ") is a reading of a GPU, such as utilization.gpu, memory.used or power.draw; " +
                   std::string{kLogsThatAreRead});
    }
    return wrong(
        "is no log of GPUs, or its columns cannot be told without a header; "
        "name them: --columns timestamp,utilization.gpu,memory.used,… as behind --query-gpu=");
  }

  std::string_view text_;
  std::string_view file_;
  const std::vector<std::string>& given_;
  char delimiter_;
  LogTable table_;
  LogTable::Place place_;
  LineClock clock_;
  std::optional<Row> header_;
};

}  // namespace

Result<LogTable> read_table(std::string_view text, std::string_view file, const std::vector<std::string>& given) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) skip_front(text, kByteOrderMark.size());
  return TableReader{text, file, given}.run();
}

}  // namespace gputop::smi
