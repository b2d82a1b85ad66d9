#include "term/glyph_aliases.hpp"

namespace gputop::term {

std::uint32_t GlyphAliases::index_of(char32_t code) {
  for (std::uint32_t i = 0; i < kFirst.size(); ++i) {
    if (code >= kFirst[i] && code < kFirst[i] + kMost) return i * kMost + (code - kFirst[i]);
  }
  return 2 * kMost;
}

char32_t GlyphAliases::alias(std::string_view text, int width) {
  auto& mine = widths_[width == 2 ? 1 : 0];
  const char32_t first = kFirst[width == 2 ? 1 : 0];
  std::string key{text};
  if (const auto found = mine.known.find(key); found != mine.known.end()) return first + found->second;
  const auto index = mine.next;
  mine.next = (mine.next + 1) % kMost;
  if (index < mine.texts.size()) {
    mine.known.erase(mine.texts[index]);
    mine.texts[index] = key;
  } else {
    mine.texts.push_back(key);
  }
  mine.known.emplace(std::move(key), index);
  return first + index;
}

std::string_view GlyphAliases::find(char32_t code) const {
  const auto index = index_of(code);
  if (index >= 2 * kMost) return {};
  const auto& texts = widths_[index / kMost].texts;
  return index % kMost < texts.size() ? std::string_view{texts[index % kMost]} : std::string_view{};
}

}  // namespace gputop::term
