#include "ui/layout.hpp"

#include <algorithm>
#include <array>

#include "ui/gpu_lines.hpp"
#include "ui/pane.hpp"

namespace gputop::ui {
namespace {

struct Band {
  Slot left;
  Slot right;
  int least;             // rows below which the band is dropped
  int wanted;            // rows for whose sake others are dropped
  int weight;            // of the rows that are left
  int right_from_width;  // screens narrower than this show only the left one
  int drop_order;        // the highest goes first
};
// The advisor stands beside the output where both have room; else it is a strip at the bottom, which nothing displaces.
constexpr int kAdvisorBesideWidth = 130;
constexpr int kAdvisorBesideHeight = 30;

// From top to bottom, below the GPUs.
constexpr std::array kBands{
    Band{Slot::kMiddleLeft, Slot::kMiddleRight, 5, 5, 4, 76, 2},
    Band{Slot::kRunLeft, Slot::kRunRight, 3, 12, 8, kAdvisorBesideWidth, 0},
    Band{Slot::kBottomLeft, Slot::kBottomRight, 3, 3, 4, 130, 1},
};

std::optional<PaneIndex> in_slot(const View& view, Slot slot) {
  for (PaneIndex i = 0; i < kPanes.size(); ++i) {
    if (kPanes[i].slot == slot && !view.hidden[i]) return i;
  }
  return std::nullopt;
}

struct Row {  // a band that is shown
  std::optional<PaneIndex> left;
  std::optional<PaneIndex> right;
  int least = 0;
  int wanted = 0;
  int weight = 0;
  int drop_order = 0;
};

// There is something to say, or a run that something will be said about.
std::optional<PaneIndex> advisor_of(const Model& model, const View& view) {
  if (!model.run && model.advice.now().findings.empty()) return std::nullopt;
  return in_slot(view, Slot::kRunRight);
}

std::vector<Row> rows_of(const View& view, int width, bool advisor_beside) {
  std::vector<Row> rows;
  for (const auto& band : kBands) {
    Row row{in_slot(view, band.left), in_slot(view, band.right), band.least, band.wanted, band.weight, band.drop_order};
    if (band.right == Slot::kRunRight && !advisor_beside) row.right.reset();
    if (!row.left) std::swap(row.left, row.right);
    if (!row.left) continue;
    if (width < band.right_from_width) row.right.reset();
    rows.push_back(row);
  }
  return rows;
}

// What the GPUs get of these rows, the others having at least `others`.
int gpu_rows(const Model& model, int width, int height, int others) {
  if (others == 0) return height;
  if (model.gpus.empty()) return std::min(height - others, 3);
  const int share = height * 45 / 100;
  auto arrangement = arrange_gpus(model, width, std::max(1, share));
  if (arrangement.grid) arrangement = arrange_gpus(model, width, std::max(1, height * 60 / 100));
  return std::clamp(arrangement.rows, 1, std::max(1, std::max(share, arrangement.grid ? height * 60 / 100 : share)));
}

class Builder {
 public:
  Builder(const Model& model, const View& view, int width, int height)
      : model_(model), view_(view), width_(width), height_(height) {
    layout_.framed = width >= 60 && height >= 10;
    layout_.header = {0, 0, width, std::min(1, height)};
    if (height >= 4) layout_.footer = {0, height - 1, width, 1};
    titled_ = height >= 10;
    left_ = layout_.framed ? 1 : 0;
    inner_ = width - 2 * left_;
    y_ = 1;
    room_ = height - 1 - layout_.footer.height;
  }

  Layout build() {
    if (room_ <= 0) return layout_;
    if (view_.zoomed) {
      const int title = titled_ ? 1 : 0;
      place(*view_.zoomed, left_, inner_, y_, title, room_ - title, -1);
      return layout_;
    }
    const auto advisor = advisor_of(model_, view_);
    const bool beside =
        advisor && in_slot(view_, Slot::kRunLeft) && width_ >= kAdvisorBesideWidth && height_ >= kAdvisorBesideHeight;
    const int strip = advisor && !beside ? strip_rows() : 0;
    const int strip_y = y_ + room_ - strip;
    room_ -= strip;
    auto rows = rows_of(view_, width_, beside);
    const auto top = in_slot(view_, Slot::kTop);
    drop_what_does_not_fit(rows, top.has_value());
    int others = 0;
    for (const auto& row : rows) others += row.least + (titled_ ? 1 : 0);
    if (top) {
      const int gpus = gpu_rows(model_, inner_, room_, others);
      place(*top, left_, inner_, y_, 0, gpus, -1);
      y_ += gpus;
      room_ -= gpus;
    }
    share_out(rows);
    const int title = strip > 1 ? 1 : 0;
    if (strip > 0) place(*advisor, left_, inner_, strip_y, title, strip - title, -1);
    return layout_;
  }

 private:
  void place(PaneIndex pane, int x, int width, int y, int title, int height, int split) {
    layout_.panes.push_back({pane, {x, y + title, width, height}, title > 0 ? y : -1, x, width});
    layout_.splits_x.push_back(split);
  }

  // Its title included.
  [[nodiscard]] int strip_rows() const {
    if (room_ < 3) return 0;
    return height_ < 20 ? 1 : height_ < 36 ? 3 : 6;
  }

  void drop_what_does_not_fit(std::vector<Row>& rows, bool has_top) const {
    const int title = titled_ ? 1 : 0;
    const int gpus = has_top ? std::min<int>(static_cast<int>(std::max<std::size_t>(1, model_.gpus.size())), 2) : 0;
    while (!rows.empty()) {
      int needed = gpus;
      for (const auto& row : rows) needed += (rows.size() > 1 ? row.wanted : row.least) + title;
      if (needed <= room_) break;
      if (rows.size() == 1 && !has_top) break;
      rows.erase(std::max_element(rows.begin(), rows.end(),
                                  [](const Row& a, const Row& b) { return a.drop_order < b.drop_order; }));
    }
    if (rows.size() > 1) {
      for (auto& row : rows) row.least = row.wanted;
    }
  }

  void share_out(const std::vector<Row>& rows) {
    const int title = titled_ ? 1 : 0;
    int weights = 0;
    int least = 0;
    for (const auto& row : rows) {
      weights += row.weight;
      least += row.least + title;
    }
    int spare = std::max(0, room_ - least);
    for (const auto& row : rows) {
      const int more = spare * row.weight / weights;
      spare -= more;
      weights -= row.weight;
      const int height = std::min(row.least + title + more, room_);
      place_row(row, height, std::min(title, height));
      y_ += height;
      room_ -= height;
    }
  }

  void place_row(const Row& row, int height, int title) {
    if (!row.right) {
      place(*row.left, left_, inner_, y_, title, height - title, -1);
      return;
    }
    const int right = std::clamp(inner_ * 3 / 10, 30, 90);
    const int left = inner_ - right - 1;
    place(*row.left, left_, left, y_, title, height - title, -1);
    place(*row.right, left_ + left + 1, right, y_, title, height - title, left_ + left);
  }

  const Model& model_;
  const View& view_;
  int width_;
  int height_;
  Layout layout_;
  bool titled_ = false;
  int left_ = 0;
  int inner_ = 0;
  int y_ = 0;
  int room_ = 0;
};

}  // namespace

Layout make_layout(const Model& model, const View& view, int width, int height) {
  return Builder{model, view, width, height}.build();
}

}  // namespace gputop::ui
