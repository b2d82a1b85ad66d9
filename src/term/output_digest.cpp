#include "term/output_digest.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "gputop/core/format.hpp"
#include "gputop/core/plain_run.hpp"
#include "gputop/core/utf8.hpp"
#include "term/glyph_width.hpp"

namespace gputop::term {
namespace {

constexpr char kEscapeByte = '\x1b';
constexpr std::size_t kMostLooks = 4096;

// The length of a sequence that only changes colors, 0 for any other.
std::size_t look_length(std::string_view bytes) {
  if (!bytes.starts_with("\x1b[")) return 0;
  const auto end = bytes.find_first_not_of("0123456789;:", 2);
  return end != std::string_view::npos && bytes[end] == 'm' ? end + 1 : 0;
}

bool is_reset(std::string_view look) {
  return look == "\x1b[m" || look == "\x1b[0m";
}

// The last `c` before `end`. The library's own goes byte by byte, and a flood of progress bars is megabytes without a
// newline.
std::size_t last_before(std::string_view bytes, std::size_t end, char c) {
  const void* const found = ::memrchr(bytes.data(), c, end);
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
}

// The start of the last `keep` lines, as wide as the screen. 0: there are fewer.
std::size_t start_of_last(std::string_view bytes, std::size_t keep, int columns, bool newline_returns) {
  std::size_t lines = 0;
  std::size_t end = last_before(bytes, bytes.size(), '\n');
  while (end != std::string_view::npos && end > 0) {
    const auto before = last_before(bytes, end, '\n');
    if (before == std::string_view::npos) return 0;
    const auto line = bytes.substr(before + 1, end - before - 1);
    const bool plain = plain_run(line) == line.size();
    lines += plain ? std::max<std::size_t>(1, line.size() / static_cast<std::size_t>(columns)) : 1;
    const bool returns = newline_returns || (before > 0 && bytes[before - 1] == '\r');
    if (lines > keep && returns) return before + 1;
    end = before;
  }
  return 0;
}

// One run of glyphs from the first column on.
struct Segment {
  std::string_view bytes;
  int width = 0;
};

// How many columns it takes; -1: it contains glyphs of another width, or more than one row of them.
int width_of(std::string_view bytes, int columns) {
  std::size_t width = 0;
  while (true) {
    const auto plain = plain_run(bytes);
    bytes.remove_prefix(plain);
    width += plain;
    if (width > static_cast<std::size_t>(columns)) return -1;
    if (bytes.empty()) return static_cast<int>(width);
    if (static_cast<unsigned char>(bytes.front()) < 0x80) return -1;
    const auto point = decode_utf8(bytes);
    if (point.length == 0 || is_sly(point.code) || glyph_width(point.code) != 1) return -1;
    bytes.remove_prefix(point.length);
    ++width;
  }
}

// Those that leave something visible: each is longer than all after it. The newest first.
void write_visible(std::string& out, std::vector<Segment>& segments) {
  int longest = -1;
  auto kept = segments.end();
  for (auto segment = segments.end(); segment != segments.begin();) {
    --segment;
    if (segment->width <= longest) continue;
    longest = segment->width;
    *--kept = *segment;
  }
  for (; kept != segments.end(); ++kept) {
    out += '\r';
    out += kept->bytes;
  }
  segments.clear();
}

}  // namespace

std::size_t plain_length(std::string_view bytes) {
  std::size_t at = bytes.find(kEscapeByte);
  while (at != std::string_view::npos) {
    const auto length = look_length(bytes.substr(at));
    if (length == 0) return at;
    at = bytes.find(kEscapeByte, at + length);
  }
  return bytes.size();
}

std::optional<Skippable> find_skippable(std::string_view plain, std::size_t keep, int columns, bool newline_returns) {
  Skippable skip;
  skip.end = start_of_last(plain, keep, columns, newline_returns);
  if (skip.end == 0) return std::nullopt;
  for (std::size_t at = plain.find(kEscapeByte); at < skip.end; at = plain.find(kEscapeByte, at + 1)) {
    const auto look = plain.substr(at, look_length(plain.substr(at)));
    if (is_reset(look)) skip.looks.clear();
    skip.looks += look;
    if (skip.looks.size() > kMostLooks) return std::nullopt;
  }
  for (std::size_t from = 0; from < skip.end;) {
    const auto end = plain.find('\n', from);
    skip.lines += 1 + (end - from) / static_cast<std::size_t>(columns);
    from = end + 1;
  }
  return skip;
}

std::string without_overwritten(std::string_view bytes, int columns) {
  std::string out;
  std::vector<Segment> segments;
  const auto first = std::min(bytes.find('\r'), bytes.size());
  out += bytes.substr(0, first);
  bytes.remove_prefix(first);
  while (!bytes.empty()) {  // at a "\r"
    bytes.remove_prefix(1);
    const auto length = std::min(bytes.find('\r'), bytes.size());
    const auto segment = bytes.substr(0, length);
    bytes.remove_prefix(length);
    const int width = width_of(segment, columns);
    if (width >= 0) {
      segments.push_back({segment, width});
      continue;
    }
    write_visible(out, segments);
    out += '\r';
    out += segment;
  }
  write_visible(out, segments);
  return out;
}

}  // namespace gputop::term
