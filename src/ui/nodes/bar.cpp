// bar — a share of a whole, with the part that a slowdown took hatched; meter — a bar and its value.
#include <algorithm>
#include <cmath>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

constexpr int kLeastBar = 3;

void paint_bar(Brush& brush, int width, const BarFill& fill, const Styles& styles) {
  const double share = fill.share ? std::clamp(*fill.share, 0.0, 1.0) : 0;
  int filled = static_cast<int>(std::lround(share * width));
  if (filled == 0 && share > 0.004) filled = 1;
  int slowed = static_cast<int>(std::lround(std::clamp(fill.slowed, 0.0, share) * width));
  if (slowed == 0 && fill.slowed > 0.01) slowed = 1;
  slowed = std::min(slowed, filled);
  brush.fill(0, 0, filled - slowed, "■", styles[fill.role]);
  brush.fill(filled - slowed, 0, slowed, "▨", styles[Role::kWarning]);
  brush.fill(filled, 0, width - filled, "·", styles[Role::kBarEmpty]);
}

class Meter : public ftxui::Node {
 public:
  Meter(const Styles& styles, BarFill fill, std::string value, int value_width, Role value_role, int most_bar)
      : styles_(styles),
        fill_(fill),
        value_(std::move(value)),
        value_width_(value_width),
        value_role_(value_role),
        most_bar_(most_bar) {}

  void ComputeRequirement() override {
    requirement_.min_x = value_width_ + (value_width_ > 0 ? 1 : 0) + kLeastBar;
    requirement_.min_y = 1;
    requirement_.flex_grow_x = 1;
    requirement_.flex_shrink_x = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush brush{screen, box_};
    const int needed = value_width_ > 0 ? std::max(value_width_, columns_of(value_)) + 1 : 0;
    int bar = std::min(brush.width() - needed, most_bar_);
    if (bar < kLeastBar) bar = 0;
    paint_bar(brush, bar, fill_, styles_);
    if (value_width_ == 0) return;
    const int end = bar > 0 ? bar + needed : brush.width();
    const int columns = columns_of(value_);
    brush.text(std::max(0, end - columns), 0, value_, styles_[value_role_]);
  }

 private:
  const Styles& styles_;
  BarFill fill_;
  std::string value_;
  int value_width_;
  Role value_role_;
  int most_bar_;
};

}  // namespace

ftxui::Element bar(const Styles& styles, BarFill fill) {
  return meter(styles, fill, "", 0, Role::kText);
}

ftxui::Element meter(const Styles& styles,
                     BarFill fill,
                     std::string value,
                     int value_width,
                     Role value_role,
                     int most_bar) {
  return std::make_shared<Meter>(styles, fill, std::move(value), value_width, value_role, most_bar);
}

}  // namespace gputop::ui
