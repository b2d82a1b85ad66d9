#include "sources/smi_log/table.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/sources/gpu_log.hpp"

namespace gputop::smi {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kLookedAt = 50;  // lines, to tell what separates the cells

std::string_view next_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  const auto line = slice(text, 0, end);
  skip_front(text, end + 1);
  return line;
}

std::vector<Column> named_columns(const Row& names) {
  std::vector<Column> columns;
  for (const auto& name : names) columns.push_back(column_of(name));
  return columns;
}

bool is_header(const Row& row) {
  // One known name is enough: no value looks like one.
  return std::any_of(row.begin(), row.end(),
                     [](const auto& cell) { return !parse_cell(cell).number && column_of(cell).entry != nullptr; });
}

// nvidia-smi writes commas; who saved its log from a spreadsheet may have semicolons or tabs.
char delimiter_of(std::string_view text) {
  std::map<char, std::size_t> lines_with;
  for (std::size_t i = 0; i < kLookedAt && !text.empty(); ++i) {
    const auto line = next_line(text);
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

// A power of "26,80 W" among commas is two cells. Only powers have decimals in these logs.
Row with_decimals_joined(const Row& cells, const std::vector<Column>& columns) {
  const auto digits_only = [](const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  Row row;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto column = row.size();
    const auto left = columns.size() - std::min(columns.size(), column);
    const bool is_power =
        column < columns.size() && columns[column].entry != nullptr && columns[column].entry->unit == "W";
    if (is_power && cells.size() - i > left && digits_only(cells[i]) && parse_cell(cells[i + 1]).number) {
      row.push_back(cells[i] + "." + cells[i + 1]);
      ++i;
    } else {
      row.push_back(cells[i]);
    }
  }
  return row;
}

std::size_t usual_width(const std::vector<Row>& rows) {
  std::map<std::size_t, std::size_t> counts;
  for (const auto& row : rows) ++counts[row.size()];
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

// "21" where the line before says "219.50 W".
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

}  // namespace

Result<LogTable> read_table(std::string_view text, std::string_view file, const std::vector<std::string>& given) {
  const auto wrong = [&](std::string message) {
    return Error{Error::Kind::kInvalid, std::string{file} + ": " + std::move(message)};
  };
  const std::string what_to_do{kLogsThatAreRead};
  if (text.find('\0') != std::string_view::npos) return wrong("is not text, and no gputop recording; " + what_to_do);
  if (text.starts_with(kByteOrderMark)) skip_front(text, kByteOrderMark.size());
  const char delimiter = delimiter_of(text);
  const bool ends_with_line = text.ends_with('\n');
  LogTable table;
  std::optional<Row> header;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto row = split_line(line, delimiter);
    if (!is_header(row)) {
      table.rows.push_back(std::move(row));
    } else if (!header) {
      header = std::move(row);
    } else if (row != *header) {  // a log that was appended to has the same one again
      return wrong("has two different headers; cut it where the second begins");
    }
  }
  if (header) table.columns = named_columns(*header);
  if (!header && !given.empty()) table.columns = named_columns(given);
  const auto width = table.columns.empty() ? usual_width(table.rows) : table.columns.size();
  const auto all = table.rows.size();
  const auto found_width = usual_width(table.rows);
  const bool last_is_cut =
      !ends_with_line && all > 0 && (table.rows.back().size() < width || lost_its_unit(table.rows));
  for (auto& row : table.rows) {
    if (row.size() > width) row = with_decimals_joined(row, table.columns);
  }
  if (last_is_cut) table.rows.pop_back();
  std::erase_if(table.rows, [&](const Row& row) { return row.size() != width; });
  if (table.rows.empty()) {
    if (all == 0)
      return wrong(std::string{"holds no readings"} + (header ? " behind its header" : "") + "; " + what_to_do);
    if (!header && !given.empty())
      return wrong("has " + std::to_string(found_width) + " columns, --columns names " + std::to_string(given.size()));
    return wrong("its rows have " + std::to_string(found_width) + " cells, its header " + std::to_string(width) +
                 " (a decimal comma? write the log with LC_ALL=C)");
  }
  if (const auto odd = all - table.rows.size(); odd > 0) {
    table.notes.push_back(odd == 1 && last_is_cut ? "1 line left out: the last one is cut off"
                                                  : std::to_string(odd) + (odd == 1 ? " line" : " lines") +
                                                        " of another width left out (cut off, or not of this log)");
  }
  if (table.columns.empty()) {
    table.columns = guess_columns(table.rows);
    if (!table.columns.empty()) table.notes.push_back("no header: taken as " + names_of(table.columns));
  }
  const bool useful = std::any_of(table.columns.begin(), table.columns.end(), is_reading);
  if (useful) return table;
  if (header) {
    std::string names;
    for (const auto& name : *header) names += (names.empty() ? "" : ", ") + printable(name);
    return wrong("none of its columns (" + cut(names) +
                 ") is a reading of a GPU, such as utilization.gpu, memory.used or power.draw; " + what_to_do);
  }
  return wrong(
      "is no log of GPUs, or its columns cannot be told without a header; "
      "name them: --columns timestamp,utilization.gpu,memory.used,… as behind --query-gpu=");
}

}  // namespace gputop::smi
