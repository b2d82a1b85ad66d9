// Rows of values (GPUs, processes, disks …) as JSON columns, of which only changed ones are written.
//
// In a line, a table is {"rows":N, "COLUMN":[cell, …], …}. "rows" starts over with N unknown rows, followed by every
// column that has values. Without it, a missing column keeps its previous values. A table with exactly one row by
// definition (the host) has bare cells instead of arrays.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gputop/core/time.hpp"
#include "store/codecs.hpp"

namespace gputop::store {

template <class Row>
struct Column {
  std::string_view name;
  void (*write)(std::string& out, const Row& row);
  bool (*read)(Scanner& in, Row& row);
  Duration hold{};        // a value may not change again within this time
  bool identity = false;  // identifies the row: if it changes, the table starts over
  bool detail = false;    // not decoded when skimming
};

// The column for the member at the end of the path: column<Whole, &GpuReading::pcie, &PcieLink::width>("pcie_width").
template <class Codec, class Row, auto... kPath>
constexpr Column<Row> make_column(std::string_view name, Duration hold = {}, bool identity = false) {
  return {name, [](std::string& out, const Row& row) { write_cell<Codec>(out, (row.*....*kPath)); },
          [](Scanner& in, Row& row) { return read_cell<Codec>(in, (row.*....*kPath)); }, hold, identity};
}

template <class Row>
struct TableLayout {
  std::span<const Column<Row>> columns;
  std::size_t most_rows = 1;  // a reader refuses more, to bound its memory
  bool single = false;        // exactly one row by definition
};

template <class Row>
class TableEncoder {
 public:
  explicit TableEncoder(const TableLayout<Row>& layout) : layout_(layout), columns_(layout.columns.size()) {}

  // Makes the next encode() write everything.
  void start_over() { started_ = false; }

  // Appends `"column":cells,…` for each changed column, each followed by a comma.
  void encode(Instant at, const std::vector<const Row*>& all_rows, std::string& out) {
    const auto rows = std::span{all_rows}.first(std::min(all_rows.size(), layout_.most_rows));
    if (!started_ || rows.size() != rows_ || identity_changed(rows)) restart(rows.size(), out);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& column = layout_.columns[i];
      auto& last = columns_[i];
      if (!changed(column, last, rows)) continue;
      const bool held = last.written && at - *last.written < column.hold;
      if (held && shape(scratch_) == shape(last.text)) continue;
      std::swap(last.text, scratch_);
      last.written = at;
      out += '"';
      out += column.name;
      out += "\":";
      out += last.text;
      out += ',';
    }
  }

 private:
  struct Last {
    std::string text;
    std::optional<Instant> written;
  };

  // Leaves the column's current text in scratch_.
  bool changed(const Column<Row>& column, const Last& last, std::span<const Row* const> rows) {
    scratch_.clear();
    if (!layout_.single) scratch_ += '[';
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i > 0) scratch_ += ',';
      column.write(scratch_, *rows[i]);
    }
    if (!layout_.single) scratch_ += ']';
    return scratch_ != last.text;
  }

  // The number of cells and which ones are unknown: a change of these is never held back.
  static std::string shape(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c == ',' || c == 'n'; });
    return result;
  }

  bool identity_changed(std::span<const Row* const> rows) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (layout_.columns[i].identity && changed(layout_.columns[i], columns_[i], rows)) return true;
    }
    return false;
  }

  void restart(std::size_t rows, std::string& out) {
    static const Row kNothingKnown{};
    started_ = true;
    rows_ = rows;
    out += "\"rows\":";
    write_unsigned(out, rows);
    out += ',';
    const std::vector<const Row*> unknown(rows, &kNothingKnown);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i] = {};
      changed(layout_.columns[i], columns_[i], unknown);
      columns_[i].text = scratch_;
    }
  }

  TableLayout<Row> layout_;
  std::vector<Last> columns_;
  std::string scratch_;
  std::size_t rows_ = 0;
  bool started_ = false;
};

template <class Row>
class TableDecoder {
 public:
  explicit TableDecoder(const TableLayout<Row>& layout) : layout_(layout) {}

  // `skim`: skips detail columns.
  void start_over(bool skim = false) {
    started_ = false;
    skim_ = skim;
  }
  // Whether the rows are valid yet.
  [[nodiscard]] bool started() const { return started_; }

  // Called after the table's '{' with the key just read: applies its value to the rows. Skips unknown columns.
  bool decode(std::string_view key, Scanner& in, std::vector<Row>& rows) {
    if (key == "rows") return restart(in, rows);
    const Column<Row>* column = find(key);
    if (column == nullptr || (skim_ && column->detail)) return in.skip();
    if (!started_) return false;
    if (layout_.single) return column->read(in, rows.front());
    if (!in.take('[')) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((i > 0 && !in.take(',')) || !column->read(in, rows[i])) return false;
    }
    return in.take(']');
  }

 private:
  bool restart(Scanner& in, std::vector<Row>& rows) {
    std::uint64_t count = 0;
    // Each row needs at least a cell and a comma of the remaining text, so a few bytes cannot create a million rows.
    if (!in.read(count) || count > layout_.most_rows || count > in.left() || (layout_.single && count != 1))
      return false;
    rows.assign(count, Row{});
    started_ = true;
    return true;
  }

  // Columns come in the layout's order, so the next one nearly always follows the last.
  const Column<Row>* find(std::string_view key) {
    for (std::size_t tried = 0; tried < layout_.columns.size(); ++tried) {
      if (next_ >= layout_.columns.size()) next_ = 0;
      const auto& column = layout_.columns[next_++];
      if (column.name == key) return &column;
    }
    return nullptr;
  }

  TableLayout<Row> layout_;
  std::size_t next_ = 0;
  bool started_ = false;
  bool skim_ = false;
};

}  // namespace gputop::store
