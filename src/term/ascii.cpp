// ASCII look-alikes: see ascii.hpp.
#include "gputop/term/ascii.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>

#include "gputop/core/utf8.hpp"

namespace gputop::term {
namespace {

// Code points that look alike, written as text.
struct LookAlike {
  char ascii;
  std::u32string_view codes;
};
constexpr std::array kLookAlikes{
    LookAlike{'-', U"─━┄┅┈┉╌╍═╴╶╸╺╼╾‐‑‒–—―−‾▔"},
    LookAlike{'|', U"│┃┆┇┊┋╎╏║╵╷╹╻╽╿‖▏▎▕❘❙❚"},
    LookAlike{'/', U"╱⁄∕"},
    LookAlike{'\\', U"╲∖"},
    LookAlike{'x', U"╳×✕✖✗✘"},
    LookAlike{'^', U"↑⇑▲△▴▵⌃⏶"},
    LookAlike{'v', U"↓⇓▼▽▾▿⌄⏷✓✔"},
    LookAlike{'<', U"←⇐◀◁◂◃‹«≤⏴⟵"},
    LookAlike{'>', U"→⇒▶▷▸▹›»≥⏵⟶➜❯"},
    LookAlike{'=', U"↔⇔≡≈≠"},
    LookAlike{'.', U"…·․‥⋅∙⋯"},
    LookAlike{'*', U"•●◉◆◇◈★☆✱✳∗⬤□▪▫◼◻⏺"},
    LookAlike{'#', U"■"},
    LookAlike{'%', U"▨"},
    LookAlike{'x', U"✗✘×"},
    LookAlike{'o', U"○◌◍◎°º∘"},
    LookAlike{'!', U"⚠❗‼¡"},
    LookAlike{'\'', U"‘’‛′´ʹ"},
    LookAlike{'"', U"“”„‟″"},
    LookAlike{'~', U"∼≃"},
    LookAlike{'u', U"µμ"},
    LookAlike{'_', U"▁"},
    LookAlike{'+', U"±✚➕"},
    LookAlike{'D', U"Δ∆"},
    LookAlike{'S', U"Σ∑"},
    LookAlike{'8', U"∞"},
    LookAlike{'2', U"²"},
    LookAlike{'3', U"³"},
    LookAlike{'1', U"¹"},
    LookAlike{' ', U"\u00A0\u2002\u2003\u2009\u202F\u3000"},
};

struct Plain {
  std::string_view text;
  std::u32string_view codes;
};
constexpr std::array kPlain{
    Plain{"-", U"–—−"},  Plain{"~", U"…"},      Plain{"x", U"×✗"},     Plain{"!", U"⚠"},   Plain{">", U"▶▷"},
    Plain{"v", U"✓"},    Plain{"*", U"●"},      Plain{"o", U"◇"},      Plain{"┌", U"╭"},   Plain{"┐", U"╮"},
    Plain{"└", U"╰"},    Plain{"┘", U"╯"},      Plain{"─", U"╶╴"},     Plain{"│", U"╵╷"},  Plain{"_", U"▁"},
    Plain{"▄", U"▂▃▅"},  Plain{"█", U"▆▇▊▉"},   Plain{"▌", U"▏▎▍▋"},   Plain{"▒", U"▨"},
};

// U+00C0…U+00FF without their accents.
constexpr std::string_view kLatin = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty";

// The more dots or area, the more ink.
char by_ink(int filled, int all) {
  constexpr std::string_view kInk = " .:+*#";
  const int steps = static_cast<int>(kInk.size()) - 1;
  return kInk[static_cast<std::size_t>((filled * steps + all - 1) / all)];
}

char block(char32_t code) {
  if (code <= 0x2588 && code >= 0x2581) return by_ink(static_cast<int>(code - 0x2580), 8);  // lower eighths
  if (code >= 0x2589 && code <= 0x258F) return by_ink(static_cast<int>(0x2590 - code), 8);  // left eighths
  if (code == 0x2580 || code == 0x2590) return by_ink(4, 8);
  if (code == 0x2591) return '.';
  if (code == 0x2592) return ':';
  if (code == 0x2593) return '*';
  return ':';  // quadrants
}

}  // namespace

char ascii_for(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return static_cast<char>(code);
  for (const auto& [ascii, codes] : kLookAlikes) {
    if (codes.find(code) != std::u32string_view::npos) return ascii;
  }
  if (code >= 0xC0 && code <= 0xFF) return kLatin[code - 0xC0];
  if (code >= 0x2500 && code < 0x2580) return '+';  // corners and crossings
  if (code >= 0x2580 && code < 0x25A0) return block(code);
  if (code >= 0x2800 && code < 0x2900) return by_ink(std::popcount(static_cast<unsigned>(code - 0x2800)), 8);
  if (code >= 0xFF01 && code < 0xFF5F) return static_cast<char>(code - 0xFF01 + 0x21);  // full-width ASCII
  return '?';
}

void make_ascii(ftxui::Screen& screen) {
  for (int y = 0; y < screen.dimy(); ++y) {
    for (int x = 0; x < screen.dimx(); ++x) {
      std::string& text = screen.PixelAt(x, y).character;
      if (text.empty()) continue;
      if (text.size() == 1 && text[0] >= 0x20 && text[0] < 0x7F) continue;
      text.assign(1, ascii_for(decode_utf8(text).code));
    }
  }
}

void make_plain(ftxui::Screen& screen) {
  for (int y = 0; y < screen.dimy(); ++y) {
    for (int x = 0; x < screen.dimx(); ++x) {
      std::string& text = screen.PixelAt(x, y).character;
      if (text.size() < 2) continue;
      const auto code = decode_utf8(text).code;
      for (const auto& [plain, codes] : kPlain) {
        if (codes.find(code) != std::u32string_view::npos) text = plain;
      }
    }
  }
}

}  // namespace gputop::term
