// A row of a two-column table, as Stable Baselines and others draw them: "|    fps             | 1234   |".
#include <cmath>

#include "gputop/core/scan.hpp"
#include "logs/format.hpp"
#include "logs/meaning.hpp"
#include "logs/text.hpp"

namespace gputop::logs::formats {
namespace {

// "|" or "│" at the front.
bool take_wall(std::string_view& text) {
  for (const std::string_view wall : {"|", "\xE2\x94\x82", "\xE2\x94\x83"}) {
    if (!text.starts_with(wall)) continue;
    skip_front(text, wall.size());
    return true;
  }
  return false;
}

std::string_view take_cell(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size()) {
    auto rest = slice(text, end);
    if (take_wall(rest)) break;
    ++end;
  }
  const auto cell = trimmed(slice(text, 0, end));
  skip_front(text, end);
  return cell;
}

}  // namespace

std::optional<Progress> table(std::string_view line) {
  auto text = trimmed(line);
  if (!take_wall(text)) return std::nullopt;
  const auto key = take_cell(text);
  if (!take_wall(text)) return std::nullopt;
  const auto value = take_cell(text);
  if (!take_wall(text) || !trimmed(text).empty() || key.empty()) return std::nullopt;
  FieldReader reader{value};
  auto field = reader.next();
  if (!field || !field->key.empty()) return std::nullopt;
  field->key = key;
  if (contains(value, "e+") && std::floor(field->value) == field->value) field->whole = true;  // "| step | 1.2e+03 |"
  Progress progress;
  if (!apply(understand(*field), *field, progress)) return std::nullopt;
  progress.label = key;  // a table counts several things
  return progress;
}

}  // namespace gputop::logs::formats
