// A report as sections of plain text, tables and plots, written as Markdown and as HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gputop/report/plot.hpp"

namespace gputop {

// All texts are plain; the writers escape them.
enum class Tone : std::uint8_t { kPlain, kGood, kInfo, kWarning, kError };  // colors of a page; Markdown has none
struct Paragraph {
  std::string text;
  bool strong = false;
  Tone tone = Tone::kPlain;
};
struct Items {
  std::vector<std::string> items;
  bool numbered = false;
};
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
// Which columns hold figures, and so are right-aligned: all their cells begin with one. Never the first.
std::vector<bool> right_aligned(const Table& table);

// The figures at the top.
struct Tiles {
  struct Tile {
    std::string label;
    std::string value;
    std::string note;
  };
  std::vector<Tile> tiles;
};
// Parts of a whole, as one bar.
struct Shares {
  struct Part {
    std::string name;
    double share = 0;  // 0…1
    std::size_t color = 0;  // the same for the same part in every report
  };
  std::vector<Part> parts;
};

struct Code {
  std::string text;
};
using Element = std::variant<Paragraph, Items, Table, Tiles, Shares, Code, TimePlot, BatchPlot>;

struct Section {
  std::string title;
  std::vector<Element> elements;
  bool folded = false;  // Markdown shows it only when opened
};

struct Document {
  std::string title;
  std::vector<Section> sections;
};

// GitHub's dialect; plots are braille in code blocks.
std::string to_markdown(const Document& document);
// One file: no script, nothing from the network, light or dark like the reader's system.
std::string to_html(const Document& document);

std::string escaped_markdown(std::string_view text);
std::string escaped_html(std::string_view text);

}  // namespace gputop
