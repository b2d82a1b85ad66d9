#include "ui/look.hpp"

namespace gputop::ui {
namespace {

ftxui::Color color(const std::optional<Rgb>& rgb) {
  return rgb ? ftxui::Color::RGB(rgb->red, rgb->green, rgb->blue) : ftxui::Color{};
}

}  // namespace

Looks looks_of(const Theme& theme) {
  Looks looks;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const auto& style = theme.styles[i];
    looks[i] = {color(style.foreground), color(style.background), style.bold, style.dim, style.underline, style.inverse};
  }
  return looks;
}

}  // namespace gputop::ui
