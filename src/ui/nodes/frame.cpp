// rule, wall — the lines around panes; where they meet, FTXUI joins them (Pixel::automerge).
#include <algorithm>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

void draw(ftxui::Screen& screen, int x, int y, const char* glyph, const term::Look& look) {
  if (x < 0 || y < 0 || x >= screen.dimx() || y >= screen.dimy()) return;
  auto& pixel = screen.PixelAt(x, y);
  pixel.character = glyph;
  pixel.automerge = true;
  look.apply(pixel);
}

class Rule : public ftxui::Node {
 public:
  Rule(const Styles& styles, Spans title, Spans right, Role role)
      : styles_(styles), title_(std::move(title)), right_(std::move(right)), role_(role) {}

  void ComputeRequirement() override {
    requirement_.min_y = 1;
    requirement_.flex_grow_x = 1;
  }

  void Render(ftxui::Screen& screen) override {
    for (int x = box_.x_min; x <= box_.x_max; ++x) draw(screen, x, box_.y_min, "─", styles_[role_]);
    if (box_.x_max - box_.x_min < 4) return;
    Brush brush{screen, {box_.x_min + 1, box_.x_max - 1, box_.y_min, box_.y_max}};
    int behind = 0;
    for (const auto& span : right_) behind += columns_of(span.text);
    int x = 0;
    if (!title_.empty()) {
      const int room = brush.width() - 1;
      x = brush.text(0, 0, " ", styles_[Role::kText]);
      for (const auto& span : title_) x += brush.text(x, 0, span.text, styles_[span.role], room - x);
      x += brush.text(x, 0, " ", styles_[Role::kText]);
    }
    if (behind == 0 || x + behind + 3 > brush.width()) return;
    x = brush.width() - behind - 2;
    x += brush.text(x, 0, " ", styles_[Role::kText]);
    for (const auto& span : right_) x += brush.text(x, 0, span.text, styles_[span.role]);
    brush.text(x, 0, " ", styles_[Role::kText]);
  }

 private:
  const Styles& styles_;
  Spans title_;
  Spans right_;
  Role role_;
};

class Wall : public ftxui::Node {
 public:
  Wall(const Styles& styles, Role role) : styles_(styles), role_(role) {}

  void ComputeRequirement() override {
    requirement_.min_x = 1;
    requirement_.flex_grow_y = 1;
  }

  void Render(ftxui::Screen& screen) override {
    for (int y = box_.y_min; y <= box_.y_max; ++y) draw(screen, box_.x_min, y, "│", styles_[role_]);
  }

 private:
  const Styles& styles_;
  Role role_;
};

}  // namespace

ftxui::Element rule(const Styles& styles, Spans title, Spans right, Role role) {
  return std::make_shared<Rule>(styles, std::move(title), std::move(right), role);
}

ftxui::Element wall(const Styles& styles, Role role) {
  return std::make_shared<Wall>(styles, role);
}

}  // namespace gputop::ui
