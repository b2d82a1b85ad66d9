#include <algorithm>

#include "gputop/core/format.hpp"
#include "gputop/report/document.hpp"

namespace gputop {
namespace {

// Longer than any row of backticks inside, so that none can end it.
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
    for (const auto& item : list.items) out += (list.numbered ? std::to_string(++number) + ". " : "- ") + escaped_markdown(item) + "\n";
  }
  void operator()(const Table& table) const {
    row(table.header);
    out += '|';
    for (std::size_t i = 0; i < table.header.size(); ++i) out += i == 0 ? " --- |" : " ---: |";
    out += '\n';
    for (const auto& cells : table.rows) row(cells);
  }
  void operator()(const Code& code) const { out += code_block(code.text); }
  void operator()(const TimePlot& plot) const { out += code_block(braille_plot(plot)); }
  void operator()(const BatchPlot& plot) const { out += code_block(braille_plot(plot)); }

 private:
  void row(const std::vector<std::string>& cells) const {
    out += '|';
    for (const auto& cell : cells) out += " " + escaped_markdown(cell) + " |";
    out += '\n';
  }
};

}  // namespace

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
      safe += "&#64;";  // nobody is called by pasting a report
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
    out += "\n## " + escaped_markdown(section.title) + "\n";
    for (const auto& element : section.elements) {
      out += '\n';
      std::visit(MarkdownWriter{out}, element);
    }
  }
  return out;
}

}  // namespace gputop
