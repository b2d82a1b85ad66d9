#include "term/tsm_grid.hpp"

#include <cstring>
#include <new>

#include "gputop/core/utf8.hpp"
#include "term/glyph_width.hpp"

namespace gputop::term {
namespace {

OutputColor color_of(int code, Rgb rgb) {
  if (code < 0) return {OutputColor::Kind::kRgb, 0, rgb};
  if (code < 16) return {OutputColor::Kind::kPalette, static_cast<std::uint8_t>(code), {}};
  return {};
}

OutputStyle style_of(const tsm_screen_attr& attr) {
  return {.foreground = color_of(attr.fccode, {attr.fr, attr.fg, attr.fb}),
          .background = color_of(attr.bccode, {attr.br, attr.bg, attr.bb}),
          .bold = attr.bold != 0,
          .underline = attr.underline != 0,
          .inverse = attr.inverse != 0};
}

std::int8_t code_of(const OutputColor& color, int fallback) {
  switch (color.kind) {
    case OutputColor::Kind::kRgb: return -1;
    case OutputColor::Kind::kPalette: return static_cast<std::int8_t>(color.index);
    case OutputColor::Kind::kDefault: break;
  }
  return static_cast<std::int8_t>(fallback);
}

tsm_screen_attr attr_of(const OutputStyle& style) {
  tsm_screen_attr attr{};
  attr.fccode = code_of(style.foreground, TSM_COLOR_FOREGROUND);
  attr.bccode = code_of(style.background, TSM_COLOR_BACKGROUND);
  attr.fr = style.foreground.rgb.red;
  attr.fg = style.foreground.rgb.green;
  attr.fb = style.foreground.rgb.blue;
  attr.br = style.background.rgb.red;
  attr.bg = style.background.rgb.green;
  attr.bb = style.background.rgb.blue;
  attr.bold = style.bold;
  attr.underline = style.underline;
  attr.inverse = style.inverse;
  return attr;
}

struct Cell {
  char32_t code = 0;  // 0: blank
  unsigned width = 1;
  tsm_screen_attr attr{};
};

bool same(const tsm_screen_attr& a, const tsm_screen_attr& b) {
  return std::memcmp(&a, &b, offsetof(tsm_screen_attr, bb) + 1) == 0 && a.bold == b.bold &&
         a.underline == b.underline && a.inverse == b.inverse;
}

// Builds lines from libtsm's cells, row by row.
class Reader {
 public:
  Reader(std::vector<OutputLine>& lines, const GlyphAliases& aliases, unsigned columns, unsigned rows)
      : lines_(lines), aliases_(aliases), rows_(rows), cells_(columns) {}

  static int on_cell(tsm_screen*,
                     std::uint64_t,
                     const std::uint32_t* code,
                     std::size_t length,
                     unsigned width,
                     unsigned x,
                     unsigned y,
                     const tsm_screen_attr* attr,
                     tsm_age_t,
                     void* data) {
    auto& self = *static_cast<Reader*>(data);
    if (y >= self.rows_ || x >= self.cells_.size()) return 0;
    self.cells_[x] = {length > 0 ? code[0] : 0, width, *attr};
    if (x + 1 == self.cells_.size()) self.finish_row();
    return 0;
  }

 private:
  void finish_row() {
    auto end = cells_.size();
    const auto blank = [](const Cell& cell) {
      return (cell.code == 0 || cell.code == ' ') && cell.attr.bccode == TSM_COLOR_BACKGROUND &&
             cell.attr.inverse == 0 && cell.attr.underline == 0;
    };
    while (end > 0 && blank(cells_[end - 1]) && cells_[end - 1].width != 0) --end;
    OutputLine line;
    line.text.reserve(end);
    for (std::size_t x = 0; x < end; ++x) {
      const auto& cell = cells_[x];
      const auto before = line.text.size();
      // Half of a wide character that was partly overwritten.
      const bool cut = cell.width == 0 || (cell.width == 2 && (x + 1 == cells_.size() || cells_[x + 1].width != 0));
      if (cut || cell.code == 0) {
        line.text += ' ';
      } else if (cell.code < 0x80) {
        line.text += static_cast<char>(cell.code);
      } else if (const auto text = aliases_.find(cell.code); !text.empty()) {
        line.text += text;
      } else {
        line.text += encode_utf8(cell.code);
      }
      paint(line, cell.attr, line.text.size() - before);
      if (!cut && cell.width == 2) ++x;
    }
    while (!line.spans.empty() && line.spans.back().style == OutputStyle{}) line.spans.pop_back();
    lines_.push_back(std::move(line));
  }

  void paint(OutputLine& line, const tsm_screen_attr& attr, std::size_t bytes) {
    if (line.spans.empty() || !same(attr, last_)) {
      last_ = attr;
      line.spans.push_back({0, style_of(attr)});
    }
    line.spans.back().bytes += static_cast<std::uint32_t>(bytes);
  }

  std::vector<OutputLine>& lines_;
  const GlyphAliases& aliases_;
  unsigned rows_;
  std::vector<Cell> cells_;
  tsm_screen_attr last_{};
};

void no_answer(tsm_vte*, const char*, std::size_t, void*) {}

}  // namespace

TsmGrid::TsmGrid(int columns, int rows) {
  tsm_screen* screen = nullptr;
  if (tsm_screen_new(&screen, nullptr, nullptr) != 0) throw std::bad_alloc{};
  screen_.reset(screen);
  tsm_vte* vte = nullptr;
  if (tsm_vte_new(&vte, screen, &no_answer, nullptr, nullptr, nullptr) != 0) throw std::bad_alloc{};
  vte_.reset(vte);
  hard_reset();
  set_size(columns, rows);
}

void TsmGrid::hard_reset() {
  tsm_vte_hard_reset(vte_.get());
  set_flag(TSM_SCREEN_HIDE_CURSOR);  // we draw it ourselves, and libtsm is faster without
}

void TsmGrid::set_size(int columns, int rows) {
  if (tsm_screen_resize(screen_.get(), static_cast<unsigned>(columns), static_cast<unsigned>(rows)) != 0)
    throw std::bad_alloc{};
}

void TsmGrid::draw(std::vector<OutputLine>& lines, unsigned rows) {
  Reader reader{lines, aliases_, static_cast<unsigned>(columns()), rows};
  tsm_screen_draw(screen_.get(), &Reader::on_cell, &reader);
}

std::vector<OutputLine> TsmGrid::read_screen() {
  std::vector<OutputLine> lines;
  draw(lines, static_cast<unsigned>(rows()));
  return lines;
}

std::vector<OutputLine> TsmGrid::take_scrolled(unsigned count) {
  std::vector<OutputLine> lines;
  const auto page = static_cast<unsigned>(rows());
  for (unsigned left = count; left > 0; left -= std::min(left, page)) {
    tsm_screen_sb_up(screen_.get(), left);
    draw(lines, std::min(left, page));
    tsm_screen_sb_reset(screen_.get());
  }
  tsm_screen_clear_sb(screen_.get());
  return lines;
}

void TsmGrid::write(const OutputLine& line) {
  const int room = columns();
  line.for_each_cell([&](int column, std::string_view text, int width, const OutputStyle& style) {
    if (column + width > room) return;
    const auto point = decode_utf8(text);
    const bool plain = text.size() == point.length && point.length > 0 && !GlyphAliases::taken(point.code) &&
                       static_cast<int>(tsm_ucs4_get_width(point.code)) == width;
    const auto attr = attr_of(style);
    tsm_screen_write(screen_.get(), plain ? point.code : aliases_.alias(text, width), &attr);
  });
}

}  // namespace gputop::term
