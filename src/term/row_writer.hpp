// Writes one row's changes through a Painter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "term/cell.hpp"
#include "term/painter.hpp"

namespace gputop::term {

class RowWriter {
 public:
  explicit RowWriter(Painter& painter) : painter_(painter) {}

  // Row y shows `from` and shall show `to`.
  void write(const std::vector<Cell>& from, const std::vector<Cell>& to, int y);

 private:
  void mark_changed(const std::vector<Cell>& from);
  void write_range(std::size_t begin, std::size_t end);
  void write_cells(std::size_t begin, std::size_t end);
  template <class Finish>
  void reach(std::size_t x, Finish finish);
  void print(std::size_t x);
  [[nodiscard]] std::size_t blank_tail() const;
  [[nodiscard]] std::size_t next_changed(std::size_t x, std::size_t end) const;
  [[nodiscard]] const Pen& next_ink(std::size_t x) const;

  Painter& painter_;
  const std::vector<Cell>* to_ = nullptr;
  int y_ = 0;
  std::vector<char> changed_;  // one flag per column
};

}  // namespace gputop::term
