#include "sources/smi_log/cell.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gputop/core/characters.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::smi {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (first_char(text) == ' ' || first_char(text) == '\t')) skip_front(text, 1);
  while (!text.empty() && (last_char(text) == ' ' || last_char(text) == '\t' || last_char(text) == '\r'))
    skip_back(text, 1);
  return text;
}

// "[N/A]", "[Not Supported]", "[Insufficient Permissions]": there is no such reading.
bool is_unknown(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) return true;
  static constexpr std::string_view kUnknown[] = {
      "", "N/A", "n/a", "NA", "-", "--", "nan", "NaN", "None", "null", "??", "Not Supported", "Not Available", "Off"};
  return std::find(std::begin(kUnknown), std::end(kUnknown), text) != std::end(kUnknown);
}

// The reading exists, but could not be read.
bool is_failure(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = slice(text, 1, text.size() - 2);
  static constexpr std::string_view kFailures[] = {"Unknown Error", "Unknown error",      "ERR!", "ERR",
                                                   "GPU is lost",   "GPU requires reset", "Error"};
  return std::find(std::begin(kFailures), std::end(kFailures), text) != std::end(kFailures);
}

// "26,80 W" is 26.8, and "1,234 MiB" is 1234: numbers after a spreadsheet or another locale.
std::string with_point(std::string_view text) {
  std::string plain{text};
  const auto comma = plain.find(',');
  if (comma == std::string::npos || comma == 0 || !is_digit(char_at(plain, comma - 1)) ||
      plain.find(',', comma + 1) != std::string::npos)
    return plain;
  std::size_t behind = comma + 1;
  while (behind < plain.size() && is_digit(char_at(plain, behind))) ++behind;
  const auto count = behind - comma - 1;
  if (count == 0 || plain.find('.') < comma) return plain;
  if (count == 3)
    plain.erase(comma, 1);
  else
    plain.at(comma) = '.';
  return plain;
}

}  // namespace

Cell parse_cell(std::string_view text) {
  text = trimmed(text);
  if (is_failure(text)) return {.text = {}, .number = {}, .unit = {}, .failure = std::string{text}};
  if (is_unknown(text)) return {};
  Cell cell{.text = std::string{text}, .number = {}, .unit = {}, .failure = {}};
  const std::string plain = with_point(text);
  double number = 0;
  const auto [end, problem] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
  if (problem != std::errc{} || !std::isfinite(number)) return cell;
  const auto unit = trimmed({end, static_cast<std::size_t>(plain.data() + plain.size() - end)});
  for (const char c : unit) {
    if (!is_alpha(c) && c != '%' && c != '/') return cell;  // "2024/05/01 …", "0x04": not a number with a unit
  }
  if (unit.starts_with('x')) return cell;
  cell.number = number;
  cell.unit = unit;
  return cell;
}

std::vector<std::string> split_line(std::string_view line, char delimiter) {
  std::vector<std::string> cells;
  std::string cell;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == delimiter && !quoted) {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += c;
    }
  }
  cells.emplace_back(trimmed(cell));
  return cells;
}

std::string normalised_name(std::string_view header) {
  header = trimmed(slice(header, 0, header.find_first_of("[(")));
  if (header.starts_with('#')) header = trimmed(slice(header, 1));
  std::string name;
  for (const char c : header) {
    if (c == '.' || c == '-' || c == ' ') {
      name += '_';
    } else {
      name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return name;
}

std::string unit_of_header(std::string_view header) {
  const auto begin = header.find_first_of("[(");
  const auto end = header.find_first_of("])");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  return std::string{trimmed(slice(header, begin + 1, end - begin - 1))};
}

}  // namespace gputop::smi
