#include "gputop/term/output_line.hpp"

#include "gputop/core/utf8.hpp"
#include "term/glyph_width.hpp"

namespace gputop::term {
namespace {

ftxui::Color color_of(const OutputColor& color, ColorDepth depth) {
  if (depth == ColorDepth::kMono) return ftxui::Color::Default;
  switch (color.kind) {
    case OutputColor::Kind::kDefault: return ftxui::Color::Default;
    case OutputColor::Kind::kPalette: return static_cast<ftxui::Color::Palette16>(color.index % 16);
    case OutputColor::Kind::kRgb: return term::color_of(color.rgb, depth);
  }
  return ftxui::Color::Default;
}

// Bytes of the first character with its marks.
std::size_t cluster_length(std::string_view text, std::size_t base) {
  auto length = base;
  while (length < text.size() && static_cast<unsigned char>(text[length]) >= 0x80) {
    const auto next = decode_utf8(text.substr(length));
    if (next.length == 0 || glyph_width(next.code) != 0) break;
    length += next.length;
  }
  return length;
}

}  // namespace

Look look_of(const OutputStyle& style, ColorDepth depth) {
  return {.foreground = color_of(style.foreground, depth),
          .background = color_of(style.background, depth),
          .bold = style.bold,
          .dim = false,
          .underline = style.underline,
          .inverse = style.inverse};
}

void OutputLine::for_each_cell(const Visit& visit) const {
  static const OutputStyle plain;
  std::string_view rest = text;
  auto span = spans.begin();
  std::size_t left = span == spans.end() ? text.size() : span->bytes;
  for (int column = 0; !rest.empty();) {
    while (left == 0 && span != spans.end()) {
      ++span;
      left = span == spans.end() ? rest.size() : span->bytes;
    }
    const auto base = decode_utf8(rest);
    const auto length = cluster_length(rest, base.length == 0 ? 1 : base.length);
    const int width = base.length == 0 ? 1 : std::max(1, glyph_width(base.code));
    visit(column, rest.substr(0, length), width, span == spans.end() ? plain : span->style);
    column += width;
    rest.remove_prefix(length);
    left -= std::min(left, length);
  }
}

}  // namespace gputop::term
