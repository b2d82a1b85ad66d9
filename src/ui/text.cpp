#include "ui/text.hpp"

#include <ftxui/screen/string.hpp>
#include <utility>

#include "ui/brush.hpp"

namespace gputop::ui {

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string whole;
  for (const auto part : parts) whole += part;
  return whole;
}

std::vector<std::string> cut(std::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  for (const auto& cluster : ftxui::Utf8ToGlyphs(std::string{text})) {
    if (!line.empty() && columns_of(line) + columns_of(cluster) > width) lines.push_back(std::exchange(line, {}));
    line += cluster;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> wrapped(std::string_view text, int width) {
  std::vector<std::string> lines;
  if (width <= 0) return lines;
  std::string line;
  const auto finish = [&] {
    if (!line.empty()) lines.push_back(std::move(line));
    line.clear();
  };
  while (!text.empty()) {
    const auto space = text.find(' ');
    std::string word{text.substr(0, space)};
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > width) finish();
    if (columns_of(word) > width) {
      finish();
      for (auto& part : cut(word, width)) {
        finish();
        line = std::move(part);
      }
    } else if (!word.empty()) {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  finish();
  return lines;
}

}  // namespace gputop::ui
