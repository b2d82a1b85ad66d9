#include "ui/brush.hpp"

#include <algorithm>

#include <ftxui/screen/string.hpp>

#include "gputop/core/utf8.hpp"

namespace gputop::ui {
namespace {

// Bytes of the character a text starts with; whatever is not UTF-8 goes byte by byte.
std::size_t sequence_length(std::string_view text) {
  return std::max<std::size_t>(1, decode_utf8(text).length);
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// Latin-1 letters and the characters gputop itself draws with: one column each, no need to ask FTXUI's tables.
bool is_narrow(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 2) return byte(0) == 0xC2 || byte(0) == 0xC3;
  if (sequence.size() != 3 || byte(0) != 0xE2) return false;
  return byte(1) == 0x80 || (byte(1) >= 0x94 && byte(1) <= 0x96) || (byte(1) >= 0xA0 && byte(1) <= 0xA3);
}

}  // namespace

Brush::Brush(ftxui::Screen& screen, ftxui::Box box)
    : screen_(screen),
      box_(ftxui::Box::Intersection(box, ftxui::Box{0, screen.dimx() - 1, 0, screen.dimy() - 1})),
      seen_(ftxui::Box::Intersection(box_, screen.stencil)) {}

ftxui::Pixel* Brush::at(int x, int y) {
  x += box_.x_min;
  y += box_.y_min;
  if (x < seen_.x_min || x > seen_.x_max || y < seen_.y_min || y > seen_.y_max) return nullptr;
  if (y != row_at_) {
    row_at_ = y;
    row_ = &screen_.PixelAt(seen_.x_min, y);
  }
  return row_ + (x - seen_.x_min);
}

void Brush::put(int x, int y, std::string_view glyph, const term::Look& look, int columns) {
  static const ftxui::Color kOwn;
  auto* pixel = x + columns > width() ? nullptr : at(x, y);
  if (pixel == nullptr) return;
  if (glyph.size() == 1 && pixel->character.size() == 1) {  // nearly always
    pixel->character[0] = glyph[0];
  } else if (glyph.size() == 3) {  // lines, bars, braille: assign() would first look whether it overlaps
    pixel->character.resize(3);
    std::copy_n(glyph.data(), 3, pixel->character.data());
  } else {
    pixel->character.assign(glyph.data(), glyph.size());
  }
  pixel->foreground_color = look.foreground;  // the terminal's own, too: a line may have been here before
  if (look.background != kOwn) pixel->background_color = look.background;
  pixel->bold = look.bold;
  pixel->dim = look.dim;
  pixel->underlined = look.underline;
  pixel->inverted = look.inverse;
  pixel->automerge = false;
  if (columns == 2) put(x + 1, y, "", look);
}

void Brush::fill(int x, int y, int count, std::string_view glyph, const term::Look& look) {
  for (int i = 0; i < count; ++i) put(x + i, y, glyph, look);
}

// One character with the marks on it; 0 when it does not fit.
int Brush::cluster(int x, int y, std::string_view& text, const term::Look& look, int room) {
  auto length = sequence_length(text);
  int columns = 1;
  if (!is_narrow(text.substr(0, length))) columns = ftxui::string_width(std::string{text.substr(0, length)});
  if (columns > room) return 0;
  // Marks that take no column of their own belong to this cell; a few, then the rest is dropped.
  const auto body = length;
  while (length < text.size() && !is_ascii(text[length])) {
    const auto next = text.substr(length, sequence_length(text.substr(length)));
    if (is_narrow(next) || ftxui::string_width(std::string{next}) != 0) break;
    length += next.size();
  }
  const auto whole = text.substr(0, std::min(length, body + 24));
  text.remove_prefix(length);
  if (columns == 0) return 0;
  put(x, y, whole, look, columns);
  return columns;
}

int Brush::text(int x, int y, std::string_view text, const term::Look& look, int room) {
  room = std::min(room, width() - x);
  if (room <= 0 || y < 0 || y >= height() || x < 0) return 0;
  int used = 0;
  while (!text.empty()) {
    const std::size_t before = text.size();
    if (used < room && is_ascii(text[0]) && (text.size() == 1 || is_ascii(text[1]))) {
      put(x + used, y, text.substr(0, 1), look);
      text.remove_prefix(1);
      ++used;
      continue;
    }
    used += used < room ? cluster(x + used, y, text, look, room - used) : 0;
    if (text.size() == before) break;  // no room for the next one
  }
  if (text.empty()) return used;
  // Longer than the room: "…" over the last column (both halves of a wide character go).
  int last = used < room ? used : room - 1;
  if (last > 0 && last < used && at(x + last, y) != nullptr && at(x + last, y)->character.empty())
    put(x + --last, y, " ", look);
  fill(x + last, y, room - last, " ", look);
  put(x + last, y, "…", look);
  return room;
}

int columns_of(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_ascii)) return static_cast<int>(text.size());
  return ftxui::string_width(std::string{text});
}

}  // namespace gputop::ui
