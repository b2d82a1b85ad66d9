#include <algorithm>
#include <cmath>

#include "gputop/core/format.hpp"
#include "report/document.hpp"
#include "report/figures.hpp"

namespace gputop {
namespace {

// Longer than any row of backticks inside, so none can end it.
std::string fence_for(std::string_view text, std::size_t least) {
  std::size_t longest = 0;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return std::string(std::max(least, longest + 1), '`');
}

std::string code_block(std::string_view text) {
  const auto fence = fence_for(text, 3);
  std::string block = fence + "text\n" + std::string{text};
  if (!block.ends_with('\n')) block += '\n';
  return block + fence + "\n";
}

struct MarkdownWriter {
  std::string& out;

  void operator()(const Paragraph& paragraph) const {
    const auto text = escaped_markdown(paragraph.text);
    out += (paragraph.strong ? "**" + text + "**" : text) + "\n";
  }
  void operator()(const Items& list) const {
    std::size_t number = 0;
    for (const auto& item : list.items)
      out += (list.numbered ? std::to_string(++number) + ". " : "- ") + escaped_markdown(item) + "\n";
  }
  // Padded, so it is readable in a terminal, too.
  void operator()(const Table& table) const {
    const auto right = right_aligned(table);
    std::vector<std::vector<std::string>> rows{escaped(table.header)};
    for (const auto& cells : table.rows) rows.push_back(escaped(cells));
    std::vector<std::size_t> widths(table.header.size(), 3);
    for (const auto& cells : rows) {
      for (std::size_t i = 0; i < cells.size(); ++i)
        widths[i] = std::max(widths[i], std::min(width_of(cells[i]), kWidestPadded));
    }
    row(rows.front(), widths, right);
    out += '|';
    for (std::size_t i = 0; i < widths.size(); ++i)
      out += " " + std::string(widths[i] - 1, '-') + (right[i] ? ":" : "-") + " |";
    out += '\n';
    for (std::size_t i = 1; i < rows.size(); ++i) row(rows[i], widths, right);
  }
  void operator()(const Tiles& tiles) const {
    Table table;
    std::vector<std::string> values;
    std::vector<std::string> notes;
    bool noted = false;
    for (const auto& tile : tiles.tiles) {
      table.header.push_back(tile.label);
      values.push_back(tile.value);
      notes.push_back(tile.note);
      noted = noted || !tile.note.empty();
    }
    table.rows.push_back(std::move(values));
    if (noted) table.rows.push_back(std::move(notes));
    (*this)(table);
  }
  void operator()(const Shares& shares) const {
    constexpr double kBar = 40;
    Table table{{"part", "share", ""}, {}};
    for (const auto& part : shares.parts) {
      std::string bar;
      for (long i = std::lround(part.share * kBar); i > 0; --i) bar += "■";
      table.rows.push_back({part.name, report::figure(100 * part.share) + " %", std::move(bar)});
    }
    (*this)(table);
  }
  void operator()(const Code& code) const { out += code_block(code.text); }
  void operator()(const TimePlot& plot) const { out += code_block(braille_plot(plot)); }
  void operator()(const BatchPlot& plot) const { out += code_block(braille_plot(plot)); }

 private:
  static constexpr std::size_t kWidestPadded = 48;

  static std::vector<std::string> escaped(std::vector<std::string> cells) {
    for (auto& cell : cells) cell = escaped_markdown(cell);
    return cells;
  }
  static std::size_t width_of(const std::string& text) {  // of narrow characters
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
  }
  void row(const std::vector<std::string>& cells,
           const std::vector<std::size_t>& widths,
           const std::vector<bool>& right) const {
    out += '|';
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string space(widths[i] - std::min(widths[i], width_of(cells[i])), ' ');
      out += " " + (right[i] ? space + cells[i] : cells[i] + space) + " |";
    }
    out += '\n';
  }
};

}  // namespace

std::vector<bool> right_aligned(const Table& table) {
  const auto is_figure = [](const std::string& cell) {
    const auto first = cell.size() > 1 && (cell.front() == '+' || cell.front() == '-') ? cell[1]
                       : cell.empty()                                                  ? '0'
                                                                                       : cell.front();
    return cell == kUnknownText || (first >= '0' && first <= '9');
  };
  std::vector<bool> right(table.header.size(), true);
  for (const auto& cells : table.rows) {
    for (std::size_t i = 0; i < cells.size() && i < right.size(); ++i) right[i] = right[i] && is_figure(cells[i]);
  }
  if (!right.empty()) right[0] = false;
  return right;
}

std::string escaped_markdown(std::string_view text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '@') {
      safe += "&#64;";  // pasting a report must not notify anyone
    } else {
      if (std::string_view{"\\`*_[]|#~$"}.find(c) != std::string_view::npos) safe += '\\';
      safe += c;
    }
  }
  return safe;
}

std::string to_markdown(const Document& document) {
  std::string out = "# " + escaped_markdown(document.title) + "\n";
  for (const auto& section : document.sections) {
    const auto title = escaped_markdown(section.title);
    out += section.folded ? "\n<details>\n<summary>" + title + "</summary>\n" : "\n## " + title + "\n";
    for (const auto& element : section.elements) {
      out += '\n';
      std::visit(MarkdownWriter{out}, element);
    }
    if (section.folded) out += "\n</details>\n";
  }
  return out;
}

}  // namespace gputop
