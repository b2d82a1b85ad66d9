#include "ui/canvas.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include <ftxui/screen/screen.hpp>
#include <ftxui/screen/string.hpp>

#include "gputop/core/utf8.hpp"
#include "gputop/term/ascii.hpp"

namespace gputop::ui {
namespace {

constexpr Glyph kCluster = 0xFF;
constexpr std::size_t kMostClusters = 1 << 16;

// What stands in for a character that a plain console's font lacks; others it has, or shows as a box.
struct Substitute {
  Glyph glyph;
  Glyph plain;
};
constexpr std::array kSubstitutes{
    Substitute{glyph("–"), '-'},        Substitute{glyph("…"), '~'},        Substitute{glyph("×"), 'x'},
    Substitute{glyph("⚠"), '!'},        Substitute{glyph("▶"), '>'},        Substitute{glyph("╭"), glyph("┌")},
    Substitute{glyph("╮"), glyph("┐")}, Substitute{glyph("╰"), glyph("└")}, Substitute{glyph("╯"), glyph("┘")},
    Substitute{glyph("╶"), glyph("─")}, Substitute{glyph("╴"), glyph("─")}, Substitute{glyph("╵"), glyph("│")},
    Substitute{glyph("╷"), glyph("│")}, Substitute{glyph("▁"), '_'},        Substitute{glyph("▂"), glyph("▄")},
    Substitute{glyph("▃"), glyph("▄")}, Substitute{glyph("▅"), glyph("▄")}, Substitute{glyph("▆"), glyph("█")},
    Substitute{glyph("▇"), glyph("█")}, Substitute{glyph("▏"), glyph("▌")}, Substitute{glyph("▎"), glyph("▌")},
    Substitute{glyph("▍"), glyph("▌")}, Substitute{glyph("▋"), glyph("▌")}, Substitute{glyph("▊"), glyph("█")},
    Substitute{glyph("▉"), glyph("█")},
};

Glyph plain(Glyph wanted) {
  for (const auto& substitute : kSubstitutes) {
    if (substitute.glyph == wanted) return substitute.plain;
  }
  return wanted;
}

std::size_t length_of(Glyph packed) {
  return packed == 0 ? 0 : packed < 0x100 ? 1 : packed < 0x10000 ? 2 : packed < 0x1000000 ? 3 : 4;
}

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

ftxui::Pixel pixel_of(const Ink& ink, const term::StyleSheet& styles, const std::vector<term::Look>& looks) {
  const auto& look = styles[ink.role];
  ftxui::Pixel pixel;
  pixel.foreground_color = look.foreground;
  pixel.background_color = look.background;
  pixel.bold = look.bold;
  pixel.dim = look.dim || ink.dim;
  pixel.underlined = look.underline;
  pixel.inverted = look.inverse;
  if (ink.look != 0) looks[ink.look - 1U].apply(pixel);
  if (ink.selected) {
    pixel.inverted = false;
    styles[Role::kSelection].apply(pixel);
  }
  return pixel;
}

}  // namespace

void Canvas::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  cells_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), Cell{});
}

void Canvas::clear() {
  std::fill(cells_.begin(), cells_.end(), Cell{});
  clusters_.clear();
  looks_.clear();
}

void Canvas::start_from(const Canvas& backdrop) {
  cells_ = backdrop.cells_;
  clusters_.clear();
  looks_.clear();
}

std::uint16_t Canvas::keep(const term::Look& look) {
  if (look == term::Look{}) return 0;
  // Neighbours look alike: a few of the newest are asked, so that a frame of thousands of looks is no slower.
  const auto asked = looks_.rbegin() + std::min<std::ptrdiff_t>(16, std::ssize(looks_));
  const auto found = std::find(looks_.rbegin(), asked, look);
  if (found != asked) return static_cast<std::uint16_t>(looks_.rend() - found);
  if (looks_.size() >= UINT16_MAX) return 0;
  looks_.push_back(look);
  return static_cast<std::uint16_t>(looks_.size());
}

Glyph Canvas::keep(std::string_view cluster) {
  if (cluster.size() <= 4) return glyph(cluster);
  const auto found = std::find(clusters_.begin(), clusters_.end(), cluster);
  const auto index = static_cast<std::size_t>(found - clusters_.begin());
  if (found == clusters_.end()) {
    if (clusters_.size() >= kMostClusters) return '?';
    clusters_.emplace_back(cluster);
  }
  return kCluster | static_cast<Glyph>(index) << 8U;
}

std::string_view Canvas::bytes(const Cell& cell, char (&buffer)[4]) const {
  if ((cell.glyph & 0xFFU) == kCluster) return clusters_[cell.glyph >> 8U];
  for (unsigned i = 0; i < 4; ++i) buffer[i] = static_cast<char>(cell.glyph >> (8 * i) & 0xFFU);
  return {buffer, length_of(cell.glyph)};
}

bool Canvas::same_but_digits(const Canvas& before, Rect area) const {
  if (width_ != before.width_ || height_ != before.height_ || clusters_ != before.clusters_ ||
      looks_ != before.looks_) {
    return false;
  }
  const auto is_digit = [](const Cell& cell) { return cell.glyph >= '0' && cell.glyph <= '9'; };
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const Cell& cell = at(x, y);
      const Cell& old = before.at(x, y);
      if (cell == old) continue;
      if (cell.ink != old.ink || !is_digit(cell) || !is_digit(old) || !area.contains(x, y)) return false;
    }
  }
  return true;
}

// Whether both look the same, though the tables that the cells refer to may differ.
bool Canvas::same(const Cell& cell, const Canvas& before, const Cell& old) const {
  const bool own_cluster = (cell.glyph & 0xFFU) == kCluster;
  if (own_cluster != ((old.glyph & 0xFFU) == kCluster)) return false;
  if (own_cluster ? clusters_[cell.glyph >> 8U] != before.clusters_[old.glyph >> 8U] : cell.glyph != old.glyph)
    return false;
  auto ink = cell.ink;
  auto old_ink = old.ink;
  if ((ink.look == 0) != (old_ink.look == 0)) return false;
  if (ink.look != 0 && looks_[ink.look - 1U] != before.looks_[old_ink.look - 1U]) return false;
  ink.look = old_ink.look = 0;
  return ink == old_ink;
}

template <class Same>
term::ColumnSet Canvas::changes_of_row(const Canvas& before, int y, Same same) const {
  const auto* row = &at(0, y);
  const auto* old = &before.at(0, y);
  const int step = term::columns_per_bit(width_);
  term::ColumnSet changes = 0;
  for (int begin = 0, bit = 0; begin < width_; begin += step, ++bit) {
    const int end = std::min(begin + step, width_);
    bool alike = true;
    for (int x = begin; x < end; ++x) alike &= same(row[x], old[x]);
    if (!alike) changes |= term::ColumnSet{1} << bit;
  }
  return changes;
}

void Canvas::find_changes(const Canvas& before, std::vector<term::ColumnSet>& changes) const {
  const bool same_tables = clusters_ == before.clusters_ && looks_ == before.looks_;
  changes.assign(static_cast<std::size_t>(std::max(0, height_)), 0);
  if (width_ <= 0) return;
  const auto row_bytes = static_cast<std::size_t>(width_) * sizeof(Cell);
  for (int y = 0; y < height_; ++y) {
    auto& found = changes[static_cast<std::size_t>(y)];
    if (!same_tables) {
      found = changes_of_row(before, y, [&](const Cell& a, const Cell& b) { return same(a, before, b); });
    } else if (std::memcmp(&at(0, y), &before.at(0, y), row_bytes) != 0) {
      found = changes_of_row(before, y, std::equal_to<>{});
    }
  }
}

void Canvas::copy_to(ftxui::Screen& screen,
                     const term::StyleSheet& styles,
                     GlyphSet glyphs,
                     const term::RowHistory& there,
                     const term::RowHistory& wanted) const {
  if (width_ <= 0) return;
  Ink ink;
  ftxui::Pixel look = pixel_of(ink, styles, looks_);
  for (int y = 0; y < height_; ++y) {
    term::each_stretch(term::changed_between(there, wanted, y), width_, [&](term::Columns part, bool) {
      auto* pixel = &screen.PixelAt(0, y) + part.begin;  // a row's pixels stand one behind the other
      for (int x = part.begin; x < part.end; ++x, ++pixel) {
        Cell cell = at(x, y);
        if (glyphs == GlyphSet::kBlocks && cell.glyph >= 0x80) cell.glyph = plain(cell.glyph);
        if (cell.ink != ink) {  // rarely: most neighbours look alike
          ink = cell.ink;
          look = pixel_of(ink, styles, looks_);
        }
        char buffer[4];
        const auto text = bytes(cell, buffer);
        pixel->character.assign(text.data(), text.size());
        pixel->foreground_color = look.foreground_color;
        pixel->background_color = look.background_color;
        pixel->bold = look.bold;
        pixel->dim = look.dim;
        pixel->underlined = look.underlined;
        pixel->inverted = look.inverted;
        pixel->blink = pixel->italic = pixel->underlined_double = pixel->strikethrough = pixel->automerge = false;
        pixel->hyperlink = 0;
      }
    });
  }
  if (glyphs == GlyphSet::kAscii) term::make_ascii(screen);
}

Painter::Painter(Canvas& canvas, Rect area) : canvas_(&canvas) {
  const int left = std::clamp(area.x, 0, canvas.width());
  const int top = std::clamp(area.y, 0, canvas.height());
  const int right = std::clamp(area.x + area.width, left, canvas.width());
  const int bottom = std::clamp(area.y + area.height, top, canvas.height());
  area_ = {left, top, right - left, bottom - top};
}

Painter Painter::part(int x, int y, int width, int height) const {
  x = std::clamp(x, 0, area_.width);
  y = std::clamp(y, 0, area_.height);
  return {*canvas_,
          {area_.x + x, area_.y + y, std::clamp(width, 0, area_.width - x), std::clamp(height, 0, area_.height - y)}};
}

void Painter::put(int x, int y, Glyph glyph, Ink ink) {
  if (x < 0 || y < 0 || x >= area_.width || y >= area_.height) return;
  canvas_->at(area_.x + x, area_.y + y) = {glyph, ink};
}

void Painter::cell(int x, int y, std::string_view text, int width, const term::Look& look, bool selected) {
  if (x < 0 || x + width > area_.width) return;
  Ink ink{Role::kText, selected};
  ink.look = canvas_->keep(look);
  put(x, y, canvas_->keep(text), ink);
  if (width == 2) put(x + 1, y, 0, ink);
}

void Painter::fill(int x, int y, int count, Glyph glyph, Ink ink) {
  for (int i = 0; i < count; ++i) put(x + i, y, glyph, ink);
}

// One character with the marks on it; 0 when it does not fit.
int Painter::cluster(int x, int y, std::string_view& text, Ink ink, int room) {
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
  put(x, y, canvas_->keep(whole), ink);
  if (columns == 2) put(x + 1, y, 0, ink);
  return columns;
}

int Painter::text(int x, int y, std::string_view text, Ink ink, int room) {
  room = std::min(room, area_.width - x);
  if (room <= 0 || y < 0 || y >= area_.height || x < 0) return 0;
  int used = 0;
  while (!text.empty()) {
    const std::size_t before = text.size();
    if (used < room && is_ascii(text[0]) && (text.size() == 1 || is_ascii(text[1]))) {
      put(x + used, y, static_cast<Glyph>(text[0]), ink);
      text.remove_prefix(1);
      ++used;
      continue;
    }
    used += used < room ? cluster(x + used, y, text, ink, room - used) : 0;
    if (text.size() == before) break;  // no room for the next one
  }
  if (!text.empty()) {
    // Longer than the room: "…" over the last column (both halves of a wide character go).
    int last = used < room ? used : room - 1;
    if (last > 0 && last < used && canvas_->at(area_.x + x + last, area_.y + y).glyph == 0)
      put(x + --last, y, kSpace, ink);
    fill(x + last, y, room - last, kSpace, ink);
    put(x + last, y, glyph("…"), ink);
    used = room;
  }
  return used;
}

void Painter::right(int end, int y, std::string_view text, Ink ink, int room) {
  const int columns = std::min(columns_of(text), room);
  this->text(std::max(0, end - columns), y, text, ink, std::min(columns, end));
}

void Painter::select(int y) {
  if (y < 0 || y >= area_.height) return;
  for (int x = 0; x < area_.width; ++x) canvas_->at(area_.x + x, area_.y + y).ink.selected = true;
}

void Painter::invert(int x, int y) {
  if (x < 0 || y < 0 || x >= area_.width || y >= area_.height) return;
  auto& ink = canvas_->at(area_.x + x, area_.y + y).ink;
  ink.selected = !ink.selected;
}

void Painter::dim(int y) {
  if (y < 0 || y >= area_.height) return;
  for (int x = 0; x < area_.width; ++x) canvas_->at(area_.x + x, area_.y + y).ink.dim = true;
}

int columns_of(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_ascii)) return static_cast<int>(text.size());
  return ftxui::string_width(std::string{text});
}

}  // namespace gputop::ui
