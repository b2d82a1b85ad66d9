// rule, wall — the lines around panes. Where they meet is known from the layout: interface_lines.cpp joins them there.
#include <algorithm>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

class Rule : public ftxui::Node {
 public:
  Rule(const Styles& styles, Spans title, Spans right, Role role)
      : styles_(styles), title_(std::move(title)), right_(std::move(right)), role_(role) {}

  void ComputeRequirement() override {
    requirement_.min_y = 1;
    requirement_.flex_grow_x = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush{screen, box_}.fill(0, 0, box_.x_max - box_.x_min + 1, "─", styles_[role_]);
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
    Brush brush{screen, box_};
    for (int y = 0; y < brush.height(); ++y) brush.put(0, y, "│", styles_[role_]);
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
