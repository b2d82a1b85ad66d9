#include "sources/smi_log/alignment.hpp"

#include <algorithm>

#include "gputop/core/scan.hpp"
#include "sources/smi_log/log_time.hpp"

namespace gputop::smi {
namespace {

constexpr std::size_t kMostExtra = 4;   // cells
constexpr std::size_t kMostWays = 256;  // that are tried

bool is_time(const Column& column) {
  return column.entry != nullptr && column.entry->name == "timestamp";
}
bool is_power(const Column& column) {
  return column.entry != nullptr && column.entry->unit == "W";
}
bool digits_only(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_moment(const std::string& text) {
  return text.size() >= 8 && text.find(':') != std::string::npos && parse_time(text);
}

// A power of "26,80 W" between commas is two cells. Only power has decimals in these logs.
std::string joined_cell(const std::string& first, const std::string& second, const Column& column) {
  return first + (is_time(column) ? " " : ".") + second;
}
bool can_join(const std::string& first, const std::string& second, const Column& column) {
  if (is_time(column)) return !parse_time(first) && fits(joined_cell(first, second, column), column);
  // nvidia-smi writes two of them.
  return is_power(column) && digits_only(first) && digits_only(slice(second, 0, 2)) &&
         digits_only(slice(second, 0, std::min(second.size(), second.find(' ')))) && parse_cell(second).number < 100;
}

// No number of its own starts with 0 and has two digits, and none has another's unit.
bool is_fraction(const Row& cells, const Alignment& way, const std::vector<Column>& columns) {
  std::size_t cell = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (way.joined[i] && is_time(columns[i])) return true;
    if (way.joined[i] && (cells[cell + 1].starts_with('0') || !parse_cell(cells[cell + 1]).unit.empty())) return true;
    cell += way.joined[i] ? 2 : 1;
  }
  return false;
}

class Search {
 public:
  Search(const Row& cells, const std::vector<Column>& columns) : all_(cells), columns_(columns) {}

  std::vector<Alignment> run() {
    const auto extra = all_.size() - columns_.size();
    way_ = {std::nullopt, std::vector<bool>(columns_.size())};
    cells_ = all_;
    go(0, 0, extra);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const bool row_number = i == 0 && digits_only(all_.front());
      const bool same_time = i > 0 && is_moment(all_[i]) && is_moment(all_[i - 1]);
      if (!row_number && !same_time && i + 1 < all_.size()) continue;
      way_.dropped = i;
      cells_ = all_;
      cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(i));
      go(0, 0, extra - 1);
    }
    return std::move(found_);
  }

 private:
  void go(std::size_t cell, std::size_t column, std::size_t extra) {
    if (found_.size() >= kMostWays) return;
    if (column == columns_.size()) {
      if (extra == 0) found_.push_back(way_);
      return;
    }
    if (cells_.size() - cell < columns_.size() - column) return;
    if (fits(cells_[cell], columns_[column])) {
      way_.joined[column] = false;
      go(cell + 1, column + 1, extra);
    }
    if (extra > 0 && cell + 1 < cells_.size() && can_join(cells_[cell], cells_[cell + 1], columns_[column])) {
      way_.joined[column] = true;
      go(cell + 2, column + 1, extra - 1);
      way_.joined[column] = false;
    }
  }

  const Row& all_;
  const std::vector<Column>& columns_;
  Row cells_;  // the cells that this way does not drop
  Alignment way_;
  std::vector<Alignment> found_;
};

}  // namespace

bool fits(const std::string& text, const Column& column) {
  if (column.entry == nullptr) return true;
  const auto cell = parse_cell(text);
  if (cell.text.empty()) return true;  // unknown
  const auto name = column.entry->name;
  if (name == "timestamp") return parse_time(cell.text).has_value();
  if (name == "uuid") return cell.text.starts_with("GPU-") || cell.text.starts_with("MIG-");
  if (name == "pci_bus_id") return cell.text.find(':') != std::string::npos;
  if (name == "index") return cell.number.has_value() && digits_only(cell.text);
  if (name == "pstate") return first_char(cell.text) == 'P';
  if (!is_reading(column)) return !cell.number.has_value();
  const auto unit = column.entry->unit;
  if (unit.empty()) return true;
  if (!cell.number) return false;
  if (!cell.unit.empty()) {
    const bool size = unit == "MiB" && cell.unit.ends_with('B');
    return cell.unit == unit || size || (unit == "W" && cell.unit == "mW");
  }
  const double most = unit == "%" ? 100 : unit == "C" ? 150 : unit == "W" ? 3000 : 1e12;
  return *cell.number >= 0 && *cell.number <= most;
}

std::optional<Alignment> find_alignment(const std::vector<const Row*>& rows, const std::vector<Column>& columns) {
  if (rows.empty() || rows.front()->size() <= columns.size() || rows.front()->size() > columns.size() + kMostExtra)
    return std::nullopt;
  std::vector<Alignment> ways = Search{*rows.front(), columns}.run();
  for (std::size_t i = 1; i < rows.size() && !ways.empty(); ++i) {
    const auto others = Search{*rows[i], columns}.run();
    std::erase_if(ways,
                  [&](const Alignment& way) { return std::find(others.begin(), others.end(), way) == others.end(); });
  }
  const auto drops = [](const Alignment& way) { return way.dropped.has_value(); };
  const auto whole = std::find_if_not(ways.begin(), ways.end(), drops);
  const bool proved = whole != ways.end() && std::any_of(rows.begin(), rows.end(), [&](const Row* row) {
                        return is_fraction(*row, *whole, columns);
                      });
  if (proved) ways.erase(std::remove_if(ways.begin(), ways.end(), drops), ways.end());
  return ways.size() == 1 ? std::optional{ways.front()} : std::nullopt;
}

Row aligned(const Row& all, const Alignment& alignment, const std::vector<Column>& columns) {
  Row cells = all;
  if (alignment.dropped && *alignment.dropped < cells.size())
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(*alignment.dropped));
  Row row;
  std::size_t cell = 0;
  for (std::size_t i = 0; i < columns.size() && cell < cells.size(); ++i) {
    const bool joined = alignment.joined[i] && cell + 1 < cells.size();
    row.push_back(joined ? joined_cell(cells[cell], cells[cell + 1], columns[i]) : cells[cell]);
    cell += joined ? 2 : 1;
  }
  return row;
}

}  // namespace gputop::smi
