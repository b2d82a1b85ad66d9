// The lines between panes: joined where they meet, lit around the focused pane. FTXUI's own joining (Pixel::automerge) looks
// at every cell of the frame and would also join a window's frame with the lines that it lies over.
#include <algorithm>
#include <array>

#include "ui/interface_body.hpp"

namespace gputop::ui {
namespace {

bool is_line(const ftxui::Pixel& pixel) {
  constexpr std::array kLines{"─", "│", "┬", "┴", "┼", "├", "┤", "╭", "╮", "╰", "╯"};
  return pixel.character.size() == 3 && std::find(kLines.begin(), kLines.end(), pixel.character) != kLines.end();
}

// Where a band has walls between its panes.
std::vector<int> walls_of(const Band& band, int x) {
  std::vector<int> walls;
  for (std::size_t i = 0; i + 1 < band.panes.size(); ++i) {
    x += band.panes[i].width;
    walls.push_back(x++);
  }
  return walls;
}

bool contains(const std::vector<int>& all, int x) {
  return std::find(all.begin(), all.end(), x) != all.end();
}

}  // namespace

void Interface::Body::join_lines(ftxui::Screen& screen) const {
  const auto join = [&](int x, int y, const char* line, const char* joined) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_ || (has_dialog() && dialog_box_.Contain(x, y))) return;
    auto& pixel = screen.PixelAt(x, y);
    if (pixel.character == line) pixel.character = joined;
  };
  const auto rule_at = [&](int y, const std::vector<int>& above, const std::vector<int>& below) {
    for (const int x : above) join(x, y, "─", contains(below, x) ? "┼" : "┴");
    for (const int x : below) join(x, y, "─", "┬");
    const auto begins_at = [&](int x) { return is_line(screen.PixelAt(x, y)) && !(has_dialog() && dialog_box_.Contain(x, y)); };
    if (!layout_.framed || width_ < 3) return;
    if (begins_at(1)) join(0, y, "│", "├");
    if (begins_at(width_ - 2)) join(width_ - 1, y, "│", "┤");
  };
  const int left = layout_.framed ? 1 : 0;
  std::vector<int> above;
  int y = 1;
  for (const auto& band : layout_.bands) {
    const auto walls = walls_of(band, left);
    if (band.title > 0 || y == 1) rule_at(y - 1 + band.title, above, walls);
    above = walls;
    y += band.title + band.height;
  }
  if (!layout_.framed) return;
  if (y == height_ - 1) rule_at(y, above, {});
  screen.PixelAt(0, 0).character = "╭";
  screen.PixelAt(width_ - 1, 0).character = "╮";
  screen.PixelAt(0, height_ - 1).character = "╰";
  screen.PixelAt(width_ - 1, height_ - 1).character = "╯";
}

void Interface::Body::light_focus(ftxui::Screen& screen) const {
  const auto& box = kept_[view_.focus].box;
  if (has_dialog() || !layout_.size_of(view_.focus)) return;
  const auto light = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    auto& pixel = screen.PixelAt(x, y);
    if (is_line(pixel)) styles_[Role::kBorderFocused].apply(pixel);
  };
  for (int y = box.y_min - 1; y <= box.y_max; ++y) {
    light(box.x_min - 1, y);
    light(box.x_max + 1, y);
  }
  for (int x = box.x_min; x <= box.x_max; ++x) light(x, box.y_min - 1);
}

}  // namespace gputop::ui
