// line — spans of text in one row; paragraph — wrapped text as rows.
#include <algorithm>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/elements.hpp"
#include "ui/text.hpp"

namespace gputop::ui {
namespace {

int columns_of_spans(const Spans& spans) {
  int columns = 0;
  for (const auto& span : spans) columns += columns_of(span.text);
  return columns;
}

class LineNode : public ftxui::Node {
 public:
  LineNode(const Styles& styles, Spans left, Spans right)
      : styles_(styles), left_(std::move(left)), right_(std::move(right)) {}

  void ComputeRequirement() override {
    requirement_.min_x = columns_of_spans(left_) + columns_of_spans(right_);
    requirement_.min_y = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush brush{screen, box_};
    const int behind = right_.empty() ? 0 : columns_of_spans(right_);
    int x = 0;
    for (const auto& span : left_) x += brush.text(x, 0, span.text, styles_[span.role], brush.width() - x);
    if (behind == 0 || x + behind + 1 > brush.width()) return;
    x = brush.width() - behind;
    for (const auto& span : right_) x += brush.text(x, 0, span.text, styles_[span.role]);
  }

 private:
  const Styles& styles_;
  Spans left_;
  Spans right_;
};

}  // namespace

ftxui::Element line(const Styles& styles, Spans left, Spans right) {
  return std::make_shared<LineNode>(styles, std::move(left), std::move(right));
}

ftxui::Elements paragraph(const Styles& styles,
                          std::string_view text,
                          int width,
                          Role role,
                          std::size_t most,
                          std::string_view first,
                          std::string_view next) {
  ftxui::Elements rows;
  const auto lines = wrapped(text, std::max(8, width - columns_of(first)));
  const auto count = std::min(most, lines.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool cut = i + 1 == count && count < lines.size();
    rows.push_back(line(styles, {{std::string{i == 0 ? first : next}, role}, {lines[i] + (cut ? " …" : ""), role}}));
  }
  return rows;
}

}  // namespace gputop::ui
