// What each piece of a job's output does to the screen. Only what is listed here reaches libtsm.
#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "gputop/core/format.hpp"
#include "gputop/core/utf8.hpp"
#include "term/emulator_body.hpp"
#include "term/glyph_width.hpp"

namespace gputop::term {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kVisible = "\xC2\xB7";          // "·"
constexpr std::size_t kMostParameters = 16;                // libtsm ignores more
constexpr int kLargestParameter = 9999;

// The numbers of a sequence; -1 for a missing one. A ':' also ends a number: the caller distinguishes the parts.
struct Parameters {
  std::array<int, kMostParameters> values{};
  std::size_t count = 0;

  explicit Parameters(std::string_view text) {
    values.fill(-1);
    while (count < kMostParameters) {
      const auto end = std::min(text.find_first_of(";:"), text.size());
      values[count++] = number(text.substr(0, end));
      if (end == text.size()) break;
      text.remove_prefix(end + 1);
    }
  }
  static int number(std::string_view digits) {
    if (digits.empty()) return -1;
    int value = kLargestParameter;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);  // out of range leaves it alone
    return std::min(value, kLargestParameter);
  }
  // As a count, both a missing number and 0 mean 1.
  [[nodiscard]] int count_at(std::size_t i) const { return std::max(1, values[i]); }
};

std::string csi(std::initializer_list<int> numbers, char final) {
  std::string bytes = "\x1b[";
  const char* separator = "";
  for (const int number : numbers) {
    bytes += separator;
    if (number >= 0) bytes += std::to_string(number);
    separator = ";";
  }
  return bytes + final;
}

// 38:2::R:G:B, 38:5:N and 4:3 in the form libtsm reads; "" if there is none.
std::string plain_look(std::string_view parameter) {
  if (parameter.find(':') == std::string_view::npos) return std::string{parameter};
  const Parameters parts{parameter};
  const auto at = [&](std::size_t i) { return std::to_string(std::clamp(parts.values[i], 0, 255)); };
  const int what = parts.values[0];
  if (what == 4) return parts.values[1] == 0 ? "24" : "4";
  if (what != 38 && what != 48) return {};
  if (parts.values[1] == 5 && parts.count == 3) return std::to_string(what) + ";5;" + at(2);
  if (parts.values[1] != 2 || parts.count < 5) return {};
  const std::size_t red = parts.count == 5 ? 2 : 3;  // with or without a color space
  return std::to_string(what) + ";2;" + at(red) + ";" + at(red + 1) + ";" + at(red + 2);
}

}  // namespace

void Emulator::Body::text(std::string_view utf8) {
  while (!utf8.empty()) {
    const auto end =
        std::find_if(utf8.begin(), utf8.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    if (end != utf8.begin()) {
      const auto length = static_cast<std::size_t>(end - utf8.begin());
      ascii(utf8.substr(0, length));
      utf8.remove_prefix(length);
      continue;
    }
    const auto point = decode_utf8(utf8);
    if (point.length == 0) {
      glyph(0xFFFD, kReplacement);
      utf8.remove_prefix(1);
    } else {
      glyph(point.code, utf8.substr(0, point.length));
      utf8.remove_prefix(point.length);
    }
  }
}

// Never more than the rest of a row, so it scrolls at most once, at its beginning.
void Emulator::Body::ascii(std::string_view text) {
  last_.assign(1, text.back());
  last_width_ = 1;
  last_marks_ = 0;
  last_adjacent_ = true;
  while (!text.empty()) {
    const int x = grid_.x();
    const int room = x >= grid_.columns() ? grid_.columns() : grid_.columns() - x;
    const auto piece = text.substr(0, static_cast<std::size_t>(room));
    put(piece);
    text.remove_prefix(piece.size());
  }
}

void Emulator::Body::put(std::string_view bytes) {
  const bool wraps = grid_.x() >= grid_.columns() && grid_.has(TSM_SCREEN_AUTO_WRAP);
  const int y = grid_.y();
  grid_.input(bytes);
  if (wraps && grid_.y() == y) scrolled(1);
}

void Emulator::Body::glyph(char32_t code, std::string_view bytes) {
  if (is_sly(code)) {
    code = 0xB7;
    bytes = kVisible;
  }
  const int width = glyph_width(code);
  if (width == 0) return mark(bytes);
  if (width == 2 && grid_.x() == grid_.columns() - 1) {
    if (!grid_.has(TSM_SCREEN_AUTO_WRAP)) return;  // no half characters
    put(" ");
  }
  const bool known = static_cast<int>(tsm_ucs4_get_width(code)) == width && !GlyphAliases::taken(code);
  last_ = bytes;
  last_width_ = width;
  last_marks_ = 0;
  last_adjacent_ = true;
  if (known) {
    put(bytes);
  } else {
    put(encode_utf8(grid_.aliases().alias(bytes, width)));
  }
}

// libtsm drops combining marks: the character is written again, with them.
void Emulator::Body::mark(std::string_view bytes) {
  if (!last_adjacent_) return glyph(0xB7, kVisible);
  if (last_marks_ >= kMostMarks || grid_.has(TSM_SCREEN_REL_ORIGIN | TSM_SCREEN_INSERT_MODE)) return;
  ++last_marks_;
  last_ += bytes;
  const int x = std::min(grid_.x(), grid_.columns()) - last_width_;
  if (x < 0) return;
  grid_.move_to(x, grid_.y());
  grid_.input(encode_utf8(grid_.aliases().alias(last_, last_width_)));
}

void Emulator::Body::control(char c) {
  switch (c) {
    case '\n':
    case '\v':
    case '\f': line_feed(newline_returns_ ? "\r\n" : "\n"); break;
    case '\b':
    case '\t':
    case '\r': grid_.input({&c, 1}); break;
    default: return;  // NUL, bell, answerback, shifts: nothing visible
  }
  last_adjacent_ = false;
}

void Emulator::Body::line_feed(std::string_view bytes) {
  const int y = grid_.y();
  grid_.input(bytes);
  if (grid_.y() == y) scrolled(1);
}

void Emulator::Body::escape(std::string_view sequence) {
  last_adjacent_ = false;
  if (sequence == "D" || sequence == "E")
    return line_feed(sequence == "D" ? "\x1b"
                                       "D"
                                     : "\x1b"
                                       "E");
  if (sequence == "c") return hard_reset();
  // Save and restore the cursor, tab stop, reverse line feed; line-drawing characters and back.
  constexpr std::array<std::string_view, 6> kPassed{"7", "8", "H", "M", "(0", "(B"};
  if (std::find(kPassed.begin(), kPassed.end(), sequence) == kPassed.end()) return;
  grid_.input("\x1b");
  grid_.input(sequence);
}

void Emulator::Body::sequence(const ControlSequence& sequence) {
  if (sequence.final == 'm' && sequence.prefix == 0 && sequence.intermediates.empty())
    return set_looks(sequence.parameters);
  if (sequence.final == 'b' && sequence.prefix == 0) return repeat(Parameters{sequence.parameters}.count_at(0));
  last_adjacent_ = false;
  if (sequence.intermediates == "!" && sequence.final == 'p') return soft_reset();
  if (!sequence.intermediates.empty() || (sequence.prefix != 0 && sequence.prefix != '?')) return;
  const Parameters parameters{sequence.parameters};
  const int first = parameters.values[0];
  if (sequence.final == 'h' || sequence.final == 'l') return set_modes(sequence);
  if (sequence.final == 'J' || sequence.final == 'K') {
    if (first <= 2) grid_.input(csi({first}, sequence.final));  // 3J would clear the scrollback
    return;
  }
  if (sequence.prefix != 0) return;
  const int count = parameters.count_at(0);
  switch (sequence.final) {
    case 'A':
    case 'B':
    case 'C':
    case 'D':
    case 'G':
    case 'd':
    case 'e':
    case 'I':
    case 'Z':
    case 'L':
    case 'M':
    case 'P':
    case 'X':
    case '@': return grid_.input(csi({count}, sequence.final));
    case 'T':
      if (parameters.count == 1) grid_.input(csi({count}, 'T'));
      return;
    case 'a': return grid_.input(csi({count}, 'C'));
    case '`': return grid_.input(csi({count}, 'G'));
    case 'E': return grid_.input(csi({count}, 'B') + "\r");
    case 'F': return grid_.input(csi({count}, 'A') + "\r");
    case 'H':
    case 'f': return grid_.input(csi({count, parameters.count_at(1)}, 'H'));
    case 'S': return scroll_up(count);
    case 'g': return grid_.input(csi({first}, 'g'));
    case 'r': return set_margins(count, parameters.values[1]);
    case 's':
      if (sequence.parameters.empty())
        grid_.input(
            "\x1b"
            "7");
      return;
    case 'u':
      if (sequence.parameters.empty())
        grid_.input(
            "\x1b"
            "8");
      return;
    default: return;  // queries, reports, window and keyboard control: not available to a job
  }
}

void Emulator::Body::scroll_up(int lines) {
  lines = std::min(lines, margin_bottom_ - margin_top_ + 1);
  grid_.input(csi({lines}, 'S'));
  scrolled(static_cast<unsigned>(lines));
}

void Emulator::Body::repeat(int count) {
  if (last_.empty()) return;
  const auto again = last_;
  for (int i = std::min(count, grid_.columns()); i > 0; --i) text(again);
}

// Like libtsm: invalid margins mean the whole screen.
void Emulator::Body::set_margins(int top, int bottom) {
  if (bottom <= top || bottom > grid_.rows()) {
    top = 1;
    bottom = grid_.rows();
  }
  margin_top_ = top - 1;
  margin_bottom_ = bottom - 1;
  grid_.input(csi({top, bottom}, 'r') + "\x1b[H");
}

void Emulator::Body::set_modes(const ControlSequence& sequence) {
  const Parameters parameters{sequence.parameters};
  for (const int mode : std::span{parameters.values}.first(parameters.count)) {
    if (sequence.prefix == 0) {
      if (mode == 4) grid_.input(csi({4}, sequence.final));  // insert
    } else if (mode == 25) {
      cursor_visible_ = sequence.final == 'h';
    } else if (mode == 6 || mode == 7 || mode == 47 || mode == 1047 || mode == 1048 || mode == 1049) {
      grid_.input("\x1b[?" + std::to_string(mode) + sequence.final);
    }
  }
}

void Emulator::Body::set_looks(std::string_view parameters) {
  std::string plain;
  std::size_t count = 0;
  for (auto rest = parameters; count < kMostParameters; ++count) {
    const auto end = std::min(rest.find(';'), rest.size());
    plain += (count == 0 ? "" : ";") + plain_look(rest.substr(0, end));
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  grid_.input("\x1b[" + plain + "m");
}

void Emulator::Body::soft_reset() {
  grid_.input("\x1b[m\x1b[4l\x1b[?6l\x1b[?7h\x1b[r\x1b(B");
  margin_top_ = 0;
  margin_bottom_ = grid_.rows() - 1;
  cursor_visible_ = true;
}

void Emulator::Body::hard_reset() {
  catch_up();
  grid_.hard_reset();
  soft_reset();
}

}  // namespace gputop::term
