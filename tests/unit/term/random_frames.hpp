// Random screens and random changes to them, for the tests of the diff writer.
#pragma once

#include <array>
#include <random>
#include <string>

#include <ftxui/screen/screen.hpp>
#include <ftxui/screen/terminal.hpp>

namespace gputop::term::test {

class RandomFrames {
 public:
  explicit RandomFrames(unsigned seed) : random_(seed) {
    ftxui::Terminal::SetColorSupport(ftxui::Terminal::Color::TrueColor);
  }

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  ftxui::Screen screen(int width, int height) {
    ftxui::Screen screen{width, height};
    for (int y = 0; y < height; ++y) {
      if (below(4) == 0) continue;
      fill(screen, below(width), width, y);
    }
    return screen;
  }

  // A few of the things that happen to a real screen: edits, moved charts, cleared rows, restyled stretches.
  void change(ftxui::Screen& screen) {
    const int width = screen.dimx();
    const int height = screen.dimy();
    for (int edits = below(6); edits > 0; --edits) {
      const int y = below(height);
      const int x = below(width);
      switch (below(6)) {
        case 0: fill(screen, x, width, y); break;
        case 1: fill(screen, x, std::min(width, x + 1 + below(4)), y); break;
        case 2:
          for (int i = x; i < width; ++i) screen.PixelAt(i, y) = ftxui::Pixel{};
          break;
        case 3: {
          const int count = 1 + below(4);
          for (int i = x; i + count < width; ++i) screen.PixelAt(i, y) = screen.PixelAt(i + count, y);
          break;
        }
        case 4: {
          const auto look = style();
          for (int i = x; i < std::min(width, x + 6); ++i) restyle(screen.PixelAt(i, y), look);
          break;
        }
        default: screen.PixelAt(x, y).character = glyph(); break;
      }
    }
  }

 private:
  ftxui::Color color() {
    switch (below(8)) {
      case 0: return ftxui::Color{ftxui::Color::Palette16(below(16))};
      case 1: return ftxui::Color{ftxui::Color::Palette256(16 + below(240))};
      case 2: return ftxui::Color{static_cast<std::uint8_t>(below(256)), 40, 200};
      default: return {};
    }
  }
  ftxui::Pixel style() {
    ftxui::Pixel pixel;
    pixel.bold = below(4) == 0;
    pixel.dim = below(4) == 0;
    pixel.italic = below(8) == 0;
    pixel.underlined = below(8) == 0;
    pixel.underlined_double = below(20) == 0;
    pixel.blink = below(20) == 0;
    pixel.inverted = below(8) == 0;
    pixel.strikethrough = below(12) == 0;
    pixel.foreground_color = color();
    pixel.background_color = color();
    return pixel;
  }
  static void restyle(ftxui::Pixel& pixel, ftxui::Pixel look) {
    look.character = pixel.character;
    pixel = look;
  }
  std::string glyph() {
    static const std::array<std::string, 22> kGlyphs{"a",  "b",  "7", " ",         " ", "",    "─",  "│",
                                                     "█",  "⣿",  "⠁", "é",         "–", "▲",   "\n", "字",
                                                     "語", "한", "👍", "e\xCC\x81", "…", "\x1b"};
    return kGlyphs[static_cast<std::size_t>(below(static_cast<int>(kGlyphs.size())))];
  }
  void fill(ftxui::Screen& screen, int begin, int end, int y) {
    auto look = style();
    const bool plain = below(2) == 0;
    for (int x = begin; x < end; ++x) {
      if (below(5) == 0) look = style();
      auto& pixel = screen.PixelAt(x, y);
      pixel = plain ? ftxui::Pixel{} : look;
      pixel.character = glyph();
      const bool wide = pixel.character.size() > 2 && (pixel.character == "字" || pixel.character == "語" ||
                                                       pixel.character == "한" || pixel.character == "👍");
      // Most wide glyphs come whole, some are cut by what is drawn next.
      if (wide && x + 1 < end && below(4) != 0) {
        ++x;
        screen.PixelAt(x, y) = look;
        screen.PixelAt(x, y).character = "";
      }
    }
  }

  std::mt19937 random_;
};

}  // namespace gputop::term::test
