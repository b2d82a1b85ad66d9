// output_cells — one line of the job's terminal, in its own colors.
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

class Cells : public ftxui::Node {
 public:
  Cells(const Styles& styles, OutputCells cells, term::ColorDepth depth)
      : styles_(styles), cells_(std::move(cells)), depth_(depth) {}

  void ComputeRequirement() override {
    requirement_.min_y = 1;
    requirement_.flex_grow_x = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush brush{screen, box_};
    auto match = cells_.matches.begin();
    std::size_t offset = 0;
    cells_.line->for_each_cell([&](int x, std::string_view text, int width, const term::OutputStyle& style) {
      while (match != cells_.matches.end() && match->second <= offset) ++match;
      const bool found = match != cells_.matches.end() && offset >= match->first;
      brush.put(x, 0, text, look_of(style, depth_), width);
      if (found) {
        for (int i = 0; i < width && x + i < brush.width(); ++i) mark(screen.PixelAt(box_.x_min + x + i, box_.y_min));
      }
      offset += text.size();
    });
    if (!cells_.cursor || *cells_.cursor < 0 || *cells_.cursor >= brush.width()) return;
    auto& pixel = screen.PixelAt(box_.x_min + *cells_.cursor, box_.y_min);
    pixel.inverted = false;
    styles_[Role::kSelection].apply(pixel);
  }

 private:
  // The match that was jumped to stands out among the others.
  void mark(ftxui::Pixel& pixel) {
    pixel.inverted = false;
    styles_[Role::kSelection].apply(pixel);
    if (!cells_.current) return;
    pixel.bold = pixel.underlined = true;
  }

  const Styles& styles_;
  OutputCells cells_;
  term::ColorDepth depth_;
};

}  // namespace

ftxui::Element output_cells(const Styles& styles, OutputCells cells, term::ColorDepth depth) {
  return std::make_shared<Cells>(styles, std::move(cells), depth);
}

}  // namespace gputop::ui
