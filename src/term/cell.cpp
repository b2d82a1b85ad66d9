// Reading rows: see cell.hpp.
#include "term/cell.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include <ftxui/screen/string.hpp>

#include "gputop/core/utf8.hpp"
#include "gputop/term/frame_cells.hpp"
#include "term/same_pixel.hpp"

namespace gputop::term {
namespace {

struct Measure {
  int width = 0;
  bool sure = false;
};

bool is_emoji_among_symbols(char32_t code) {
  return code == 0x231A || code == 0x231B || (code >= 0x23E9 && code <= 0x23F3) || code == 0x25FD || code == 0x25FE;
}

// Blocks whose characters every terminal draws in one column: Latin, punctuation, arrows, box drawing, blocks, braille.
bool surely_narrow(char32_t code) {
  return (code >= 0xA0 && code < 0x300 && code != 0xAD) || (code >= 0x2010 && code < 0x2028) ||
         (code >= 0x2030 && code < 0x2060) || (code >= 0x2070 && code < 0x20D0) ||
         (code >= 0x2100 && code < 0x2600 && !is_emoji_among_symbols(code)) || (code >= 0x2800 && code < 0x2900);
}

// Kana, CJK ideographs, Hangul syllables, full-width forms: two columns everywhere.
bool surely_wide(char32_t code) {
  return (code >= 0x3041 && code < 0x3100 && code != 0x3099 && code != 0x309A) || (code >= 0x4E00 && code < 0xA000) ||
         (code >= 0xAC00 && code < 0xD7A4) || (code >= 0xFF01 && code < 0xFF61);
}

Measure measure(std::string_view glyph) {
  if (glyph.size() == 1 && glyph[0] >= 0x20 && glyph[0] < 0x7F) return {1, true};
  const CodePoint first = decode_utf8(glyph);
  if (first.length == 0 || first.code < 0x20 || (first.code >= 0x7F && first.code < 0xA0)) return {};
  if (first.length == glyph.size()) {
    if (surely_narrow(first.code)) return {1, true};
    if (surely_wide(first.code)) return {2, true};
  }
  // Combining marks, emoji and rare scripts: FTXUI's table says where the next cell is, but the terminal may not agree.
  for (std::string_view rest = glyph; !rest.empty();) {
    const CodePoint point = decode_utf8(rest);
    if (point.length == 0 || point.code < 0x20 || (point.code >= 0x7F && point.code < 0xA0)) return {};
    rest.remove_prefix(point.length);
  }
  return {std::clamp(ftxui::string_width(std::string{glyph}), 0, 2), false};
}

// Empty if the screen does not provide the whole row (its stencil was left narrowed).
std::span<const ftxui::Pixel> row_of(const ftxui::Screen& screen, int y) {
  if (screen.dimx() <= 0) return {};
  const auto* first = &screen.PixelAt(0, y);
  const auto width = static_cast<std::size_t>(screen.dimx());
  if (&screen.PixelAt(screen.dimx() - 1, y) != first + (width - 1)) return {};
  return {first, width};
}

bool is_right_half(std::span<const ftxui::Pixel> row, std::size_t x) {
  return x > 0 && row[x].character.empty() && measure(row[x - 1].character).width == 2;
}

void forget_what_ink_would_show(Pen& pen) {
  if ((pen.attributes & Pen::kSeenOnBlank) != 0) return;
  pen.attributes = 0;
  pen.foreground = {};
}

std::uint64_t bits_of(std::string_view glyph) {
  std::uint64_t bits = 0;
  if (glyph.size() == 1) return static_cast<unsigned char>(glyph[0]);  // nearly always
  for (std::size_t i = 0; i < std::min(glyph.size(), sizeof bits); ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(glyph[i])} << (8 * i);
  }
  return bits;
}

std::uint64_t bits_of(const ftxui::Color& color) {
  static_assert(sizeof color == 5);
  std::uint32_t front = 0;  // two loads: bytes that are stored and then loaded as one word make the processor wait
  std::uint8_t back = 0;
  std::memcpy(&front, &color, sizeof front);
  std::memcpy(&back, reinterpret_cast<const char*>(&color) + sizeof front, sizeof back);
  return front | std::uint64_t{back} << 32U;
}

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;  // spreads the bits of one part over the next

std::uint64_t key_of(const Pen& pen) {
  return (bits_of(pen.foreground) * kOdd + bits_of(pen.background)) * kOdd + pen.attributes;
}

std::uint64_t key_of(std::string_view glyph, std::uint64_t pen_key) {
  return bits_of(glyph) * kOdd + pen_key * (kOdd + 2);
}

// The pen of a pixel with its key, for glyphs and for blanks. Neighbors mostly share it, so it is computed once.
class PenReader {
 public:
  struct KeyedPen {
    Pen pen;
    std::uint64_t key = 0;
  };

  const KeyedPen& read(const ftxui::Pixel& pixel, bool blank) {
    if (last_ == nullptr || !same_style(*last_, pixel, bits_)) {
      inked_.pen = pen_of(pixel);
      inked_.key = key_of(inked_.pen);
      blank_.pen = inked_.pen;
      forget_what_ink_would_show(blank_.pen);
      blank_.key = key_of(blank_.pen);
    }
    last_ = &pixel;
    return blank ? blank_ : inked_;
  }

 private:
  const ftxui::Pixel* last_ = nullptr;
  std::uint16_t bits_ = style_bits();
  KeyedPen inked_;
  KeyedPen blank_;
};

}  // namespace

Cell blank_cell() {
  Cell cell;
  cell.key = key_of(cell.glyph, key_of(cell.pen));
  return cell;
}

void read_row(const ftxui::Screen& screen, int y, Columns part, std::vector<Cell>& cells) {
  const auto row = row_of(screen, y);
  static const Cell kBlank = blank_cell();
  cells.assign(static_cast<std::size_t>(part.end - part.begin), kBlank);
  if (row.empty()) return;
  PenReader pens;
  const auto end = static_cast<std::size_t>(part.end);
  for (auto x = static_cast<std::size_t>(part.begin); x < end; ++x) {
    Cell& cell = cells[x - static_cast<std::size_t>(part.begin)];
    std::string_view text = row[x].character;
    // In the last column, a combining mark could land on the wrong glyph, because the cursor waits or stays there.
    if (x + 1 == row.size() && text.size() > 1)
      text = text.substr(0, std::max<std::size_t>(decode_utf8(text).length, 1));
    if (!text.empty() && text != " ") {
      const auto [width, sure] = measure(text);
      const bool whole = width == 1 || (width == 2 && x + 1 < end && row[x + 1].character.empty());
      if (whole) {
        cell.glyph = text;
        cell.width = static_cast<std::uint8_t>(width);
        cell.sure = sure;
      }
    }
    const auto& keyed = pens.read(row[x], cell.blank());
    cell.pen = keyed.pen;
    cell.key = key_of(cell.glyph, keyed.key);
    if (cell.width == 2) {
      (&cell)[1] = cell;
      (&cell)[1].width = 0;
      ++x;
    }
  }
}

Columns differing_columns(const ftxui::Screen& a, const ftxui::Screen& b, int y, Columns within) {
  const auto left = row_of(a, y);
  const auto right = row_of(b, y);
  if (left.size() != right.size() || left.empty()) return {0, b.dimx()};
  auto begin = static_cast<std::size_t>(within.begin);
  auto end = static_cast<std::size_t>(within.end);
  while (begin < end && same_pixel(left[begin], right[begin])) ++begin;
  if (begin == end) return {};
  while (same_pixel(left[end - 1], right[end - 1])) --end;
  const auto continues = [&](std::size_t x) { return is_right_half(left, x) || is_right_half(right, x); };
  while (begin > 0 && continues(begin)) --begin;
  while (end < left.size() && continues(end)) ++end;
  return {static_cast<int>(begin), static_cast<int>(end)};
}

bool ends_in_blanks(const ftxui::Screen& screen, int y, int column) {
  const auto row = row_of(screen, y);
  if (row.empty()) return false;
  const auto rest = row.subspan(static_cast<std::size_t>(column));
  return std::all_of(rest.rbegin(), rest.rend(),
                     [](const ftxui::Pixel& pixel) { return pixel.character.empty() || pixel.character == " "; });
}

}  // namespace gputop::term
