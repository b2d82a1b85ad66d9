// sparkline — the last minutes of a value in one row.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <ftxui/dom/node.hpp>

#include "ui/brush.hpp"
#include "ui/dots.hpp"
#include "ui/elements.hpp"

namespace gputop::ui {
namespace {

constexpr std::array<std::string_view, 8> kRising{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

class Sparkline : public ftxui::Node {
 public:
  Sparkline(const Styles& styles, std::vector<Reading<float>> values, Role role, GlyphSet glyphs)
      : styles_(styles), values_(std::move(values)), role_(role), glyphs_(glyphs) {}

  void ComputeRequirement() override {
    requirement_.min_x = static_cast<int>(values_.size()) / kSparkPerColumn;
    requirement_.min_y = 1;
  }

  void Render(ftxui::Screen& screen) override {
    Brush brush{screen, box_};
    const int columns = std::min(brush.width(), static_cast<int>(values_.size()) / kSparkPerColumn);
    const auto first = values_.size() - static_cast<std::size_t>(columns * kSparkPerColumn);  // the newest stay
    for (int x = 0; x < columns; ++x) {
      const auto& left = values_[first + static_cast<std::size_t>(x) * 2];
      const auto& right = values_[first + static_cast<std::size_t>(x) * 2 + 1];
      if (!left && !right) continue;
      if (glyphs_ == GlyphSet::kBraille) {
        brush.put(x, 0, braille(column_dots(dots(left), 0), column_dots(dots(right), 1)).view(), styles_[role_]);
      } else {
        const float value = std::clamp(std::max(left.value_or(0), right.value_or(0)), 0.0F, 1.0F);
        brush.put(x, 0, kRising[static_cast<std::size_t>(value * 7.999F)], styles_[role_]);
      }
    }
  }

 private:
  static int dots(const Reading<float>& value) {
    if (!value) return 0;
    return std::max(1, static_cast<int>(std::lround(std::clamp(*value, 0.0F, 1.0F) * 4)));
  }

  const Styles& styles_;
  std::vector<Reading<float>> values_;
  Role role_;
  GlyphSet glyphs_;
};

}  // namespace

ftxui::Element sparkline(const Styles& styles, std::vector<Reading<float>> values, Role role, GlyphSet glyphs) {
  return std::make_shared<Sparkline>(styles, std::move(values), role, glyphs);
}

}  // namespace gputop::ui
