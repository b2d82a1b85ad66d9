// Themes for a given terminal: see style_sheet.hpp.
#include "gputop/term/style_sheet.hpp"

#include <memory>
#include <utility>

#include <ftxui/dom/node.hpp>
#include <ftxui/screen/screen.hpp>

namespace gputop::term {
namespace {

class Styled : public ftxui::Node {
 public:
  Styled(ftxui::Element child, const Look& look) : Node({std::move(child)}), look_(look) {}

  void ComputeRequirement() override {
    Node::ComputeRequirement();
    requirement_ = children_[0]->requirement();
  }
  void SetBox(ftxui::Box box) override {
    Node::SetBox(box);
    children_[0]->SetBox(box);
  }
  // Before the child, so a look inside this one wins.
  void Render(ftxui::Screen& screen) override {
    for (int y = box_.y_min; y <= box_.y_max; ++y) {
      for (int x = box_.x_min; x <= box_.x_max; ++x) look_.apply(screen.PixelAt(x, y));
    }
    Node::Render(screen);
  }

 private:
  Look look_;
};

Look attributes_of(const Style& style) {
  Look look;
  look.bold = style.bold;
  look.dim = style.dim;
  look.underline = style.underline;
  look.inverse = style.inverse;
  return look;
}

// Without colors, weight makes things stand out. A selection is inverse in every theme anyway.
Look without_colors(Role role, const Style& style) {
  Look look = attributes_of(style);
  switch (role) {
    case Role::kWarning:
    case Role::kTitle:
    case Role::kBorderFocused:
    case Role::kAccent:
    case Role::kKey:
    case Role::kEventMark: look.bold = true; break;
    case Role::kBad:
    case Role::kSelection:
    case Role::kSimulated: look.inverse = true; break;
    case Role::kColumnHeader: look.underline = look.underline || !look.inverse; break;
    case Role::kMuted:
    case Role::kUnknown:
    case Role::kBarEmpty: look.dim = true; break;
    default: break;
  }
  if (look.bold) look.dim = false;
  return look;
}

Look with_colors(const Style& style, ColorDepth depth) {
  Look look = attributes_of(style);
  if (style.foreground) look.foreground = color_of(*style.foreground, depth);
  if (style.background) look.background = color_of(*style.background, depth);
  // Two tints may map to the same of the sixteen colors: text must not vanish into its background.
  if (style.foreground && style.background && look.foreground == look.background) {
    look.foreground = look.background = {};
    look.inverse = true;
  }
  return look;
}

}  // namespace

void Look::apply(ftxui::Pixel& pixel) const {
  static const ftxui::Color kOwn;
  if (foreground != kOwn) pixel.foreground_color = foreground;
  if (background != kOwn) pixel.background_color = background;
  pixel.bold = pixel.bold || bold;
  pixel.dim = pixel.dim || dim;
  pixel.underlined = pixel.underlined || underline;
  pixel.inverted = pixel.inverted != inverse;
}

StyleSheet::StyleSheet(const Theme& theme, ColorDepth depth) {
  for (std::size_t i = 0; i < looks_.size(); ++i) {
    const auto role = static_cast<Role>(i);
    looks_[i] = depth == ColorDepth::kMono ? without_colors(role, theme[role]) : with_colors(theme[role], depth);
  }
}

ftxui::Decorator StyleSheet::decorator(Role role) const {
  return [look = (*this)[role]](ftxui::Element child) { return std::make_shared<Styled>(std::move(child), look); };
}

}  // namespace gputop::term
