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

  struct Place {
    int x = 0;
    int y = 0;
  };
  // Writes the stretch of a row that begins at `place`, shows `from` and has to show `to`.
  void write(const std::vector<Cell>& from, const std::vector<Cell>& to, Place place, bool to_end_of_row);

 private:
  void mark_changed(const std::vector<Cell>& from);
  void write_range(std::size_t begin, std::size_t end);
  void write_cells(std::size_t begin, std::size_t end);
  template <class Finish>
  void reach(std::size_t x, Finish finish);
  void print(std::size_t x);
  void go_to(std::size_t x) { painter_.go_to(place_.x + static_cast<int>(x), place_.y); }
  [[nodiscard]] std::size_t blank_tail() const;
  [[nodiscard]] std::size_t next_changed(std::size_t x, std::size_t end) const;
  [[nodiscard]] const Pen& next_ink(std::size_t x) const;

  Painter& painter_;
  const std::vector<Cell>* to_ = nullptr;
  Place place_;
  bool to_end_of_row_ = true;
  std::vector<char> changed_;  // one flag per column
};

}  // namespace gputop::term
