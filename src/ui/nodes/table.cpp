// table_row, table_head — columns that go by priority where room is short.
#include <algorithm>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "gputop/core/format.hpp"
#include "ui/brush.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

class TableRow : public ftxui::Node {
 public:
  TableRow(const Styles& styles,
           const std::vector<TableColumn>& columns,
           const std::vector<PlacedColumn>& places,
           std::vector<TableCell> cells)
      : styles_(styles), columns_(columns), places_(places), cells_(std::move(cells)) {
    for (const auto& cell : cells_) {
      if (cell.element) children_.push_back(cell.element);
    }
  }

  void ComputeRequirement() override {
    Node::ComputeRequirement();
    requirement_.min_x = places_.empty() ? 0 : places_.back().x + places_.back().width;
    requirement_.min_y = 1;
    requirement_.flex_grow_x = 1;
  }

  void SetBox(ftxui::Box box) override {
    Node::SetBox(box);
    for (std::size_t i = 0; i < cells_.size() && i < places_.size(); ++i) {
      if (!cells_[i].element) continue;
      const int left = box.x_min + places_[i].x;
      cells_[i].element->SetBox({left, std::min(box.x_max, left + places_[i].width - 1), box.y_min, box.y_max});
    }
  }

  void Render(ftxui::Screen& screen) override {
    Node::Render(screen);
    Brush brush{screen, box_};
    for (std::size_t i = 0; i < cells_.size() && i < places_.size(); ++i) {
      const auto& cell = cells_[i];
      if (cell.element || cell.text.empty()) continue;
      const auto& place = places_[i];
      const auto& look = styles_[cell.text == kUnknownText ? Role::kUnknown : cell.role];
      const int columns = std::min(place.width, columns_of(cell.text));
      const int x = columns_[place.column].left ? place.x : place.x + place.width - columns;
      brush.text(x, 0, cell.text, look, place.width);
    }
  }

 private:
  const Styles& styles_;
  std::vector<TableColumn> columns_;
  std::vector<PlacedColumn> places_;
  std::vector<TableCell> cells_;
};

}  // namespace

std::vector<PlacedColumn> fit_columns(const std::vector<TableColumn>& columns, int width, int gap) {
  std::vector<std::size_t> by_rank(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) by_rank[i] = i;
  std::stable_sort(by_rank.begin(), by_rank.end(),
                   [&](std::size_t a, std::size_t b) { return columns[a].rank < columns[b].rank; });
  std::vector<bool> shown(columns.size(), false);
  int used = 0;
  for (const auto i : by_rank) {
    if (columns[i].width == 0) continue;  // not there today
    const int cost = columns[i].width + (used > 0 ? gap : 0);
    if (used + cost > width && used > 0) break;
    used += cost;
    shown[i] = true;
  }
  int spare = std::max(0, width - used);
  std::vector<int> widths(columns.size());
  int greedy = 0;
  int growing = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    widths[i] = columns[i].width;
    if (shown[i] && columns[i].grow < 0) ++greedy;
    if (shown[i] && columns[i].grow > 0) growing += columns[i].grow;
  }
  // Everyone grows by the same part of what it wants.
  const int given = std::min(spare, growing);
  for (std::size_t i = 0; i < columns.size() && growing > 0; ++i) {
    if (shown[i] && columns[i].grow > 0) widths[i] += columns[i].grow * given / growing;
  }
  int total = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) total += shown[i] ? widths[i] + gap : 0;
  spare = std::max(0, width - (total - gap));
  for (std::size_t i = 0; i < columns.size() && greedy > 0; ++i) {
    if (!shown[i] || columns[i].grow >= 0) continue;
    widths[i] += spare / greedy;
    spare -= spare / greedy--;
  }
  std::vector<PlacedColumn> places;
  int x = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!shown[i]) continue;
    places.push_back({i, x, std::min(widths[i], std::max(0, width - x))});
    x += widths[i] + gap;
  }
  return places;
}

ftxui::Element table_row(const Styles& styles,
                         const std::vector<TableColumn>& columns,
                         const std::vector<PlacedColumn>& places,
                         std::vector<TableCell> cells) {
  return std::make_shared<TableRow>(styles, columns, places, std::move(cells));
}

ftxui::Element table_head(const Styles& styles,
                          const std::vector<TableColumn>& columns,
                          const std::vector<PlacedColumn>& places) {
  std::vector<TableCell> cells;
  for (const auto& place : places) cells.push_back({columns[place.column].title, Role::kColumnHeader});
  return table_row(styles, columns, places, std::move(cells));
}

}  // namespace gputop::ui
