// A small terminal written against the standards, not against our writer: bytes in, cells out. It is strict where real
// terminals differ: half a broken wide glyph is rubbish, the cursor behind a glyph of doubtful width is anywhere.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gputop::term::test {

struct ModelCell {
  std::string glyph = " ";  // "" for the right half of a wide glyph
  std::string foreground = "39";
  std::string background = "49";
  std::map<int, bool> attributes;  // SGR number → on; absent = off

  [[nodiscard]] bool has(int attribute) const {
    const auto found = attributes.find(attribute);
    return found != attributes.end() && found->second;
  }
  // As an eye sees it: a blank shows its ink only through inverse, underline or strike-through.
  [[nodiscard]] std::string seen() const {
    std::string text = glyph + "|" + background;
    const bool inked = glyph != " " || has(7) || has(4) || has(9);
    if (!inked) return text;
    text += "|" + foreground;
    for (const auto& [number, on] : attributes) {
      if (on) text += "|" + std::to_string(number);
    }
    return text;
  }
};

class TerminalModel {
 public:
  TerminalModel(int width, int height, unsigned seed = 1)
      : width_(width), height_(height), cells_(static_cast<std::size_t>(width * height)), random_(seed) {}

  void write(std::string_view bytes) {
    while (!bytes.empty()) bytes.remove_prefix(step(bytes));
  }

  [[nodiscard]] const ModelCell& at(int x, int y) const { return cells_[static_cast<std::size_t>(y * width_ + x)]; }
  [[nodiscard]] int x() const { return x_; }
  [[nodiscard]] int y() const { return y_; }
  [[nodiscard]] bool cursor_visible() const { return visible_; }
  [[nodiscard]] bool pen_is_default() const { return pen_.seen() == ModelCell{}.seen() && pen_.foreground == "39"; }
  [[nodiscard]] bool synchronised() const { return synchronised_; }
  void lose_cursor() { move(anywhere(width_), anywhere(height_)); }

 private:
  int anywhere(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }
  ModelCell& cell(int x, int y) { return cells_[static_cast<std::size_t>(y * width_ + x)]; }
  void move(int x, int y) {
    x_ = std::min(std::max(x, 0), width_ - 1);
    y_ = std::min(std::max(y, 0), height_ - 1);
    waiting_ = false;
  }
  [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }

  std::size_t step(std::string_view bytes) {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    if (lead == 0x1b) return escape(bytes);
    if (lead == '\r') return move(0, y_), 1;
    if (lead == '\b') {
      if (waiting_) fail("backspace while waiting to wrap");
      return move(x_ - 1, y_), 1;
    }
    if (lead == '\n') {
      if (waiting_) fail("line feed while waiting to wrap");
      if (y_ + 1 >= height_) fail("scrolled");
      return ++y_, 1;
    }
    if (lead < 0x20 || lead == 0x7f) fail("control character " + std::to_string(lead));
    std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::string glyph{bytes.substr(0, length)};
    if (bytes.substr(length, 2) == "\xCC\x81") {  // combining acute
      glyph += "\xCC\x81";
      length += 2;
    }
    print(glyph);
    return length;
  }

  void spoil(int x) {
    if (x < 0 || x >= width_) return;
    if (cell(x, y_).glyph.empty() && x > 0) cell(x - 1, y_).glyph = "<rubbish>";
    if (x + 1 < width_ && cell(x + 1, y_).glyph.empty()) cell(x + 1, y_).glyph = "<rubbish>";
  }

  void print(const std::string& glyph) {
    if (waiting_) fail("wrapped");
    const auto lead = static_cast<unsigned char>(glyph[0]);
    const bool emoji = lead >= 0xf0;
    const bool wide = emoji || (lead >= 0xe3 && lead <= 0xed);
    const bool doubtful = emoji || glyph.size() > 3 || (lead < 0x80 && glyph.size() > 1);
    if (wide && x_ + 1 >= width_) fail("wide glyph at the edge");
    spoil(x_);
    ModelCell drawn = pen_;
    drawn.glyph = glyph;
    cell(x_, y_) = drawn;
    if (wide) {
      spoil(x_ + 1);
      drawn.glyph.clear();
      cell(x_ + 1, y_) = drawn;
    }
    const int next = x_ + (wide ? 2 : 1);
    if (doubtful) {
      x_ = anywhere(width_);
      waiting_ = false;
    } else if (next >= width_) {
      x_ = width_ - 1;
      waiting_ = true;
    } else {
      x_ = next;
    }
  }

  std::size_t escape(std::string_view bytes) {
    if (bytes.size() < 3 || bytes[1] != '[') fail("unknown escape");
    std::size_t end = 2;
    while (end < bytes.size() && !(bytes[end] >= 0x40 && bytes[end] <= 0x7e)) ++end;
    if (end == bytes.size()) fail("escape cut short");
    control(bytes.substr(2, end - 2), bytes[end]);
    return end + 1;
  }

  void control(std::string_view text, char final) {
    if (text == "?25") return void(visible_ = final == 'h');
    if (text == "?2026") return void(synchronised_ = final == 'h');
    std::vector<int> numbers{0};
    for (const char c : text) {
      if (c == ';')
        numbers.push_back(0);
      else if (c >= '0' && c <= '9')
        numbers.back() = numbers.back() * 10 + (c - '0');
      else
        fail("odd parameter");
    }
    const int count = std::max(numbers[0], 1);
    const bool relative = final == 'C' || final == 'D' || final == 'B';
    if (relative && waiting_) fail("relative move while waiting to wrap");
    switch (final) {
      case 'H': return move(numbers.size() > 1 ? std::max(numbers[1], 1) - 1 : 0, count - 1);
      case 'G': return move(count - 1, y_);
      case 'C': return move(x_ + count, y_);
      case 'D': return move(x_ - count, y_);
      case 'B': return move(x_, y_ + count);
      case 'J': return erase_all(numbers[0]);
      case 'K': return erase_line(numbers[0]);
      case 'P': return shift_cells(count, true);
      case '@': return shift_cells(count, false);
      case 'm': return select(numbers);
      default: fail(std::string("unknown control ") + final);
    }
  }

  [[nodiscard]] ModelCell erased() const {
    ModelCell blank;
    blank.background = pen_.background;  // background colour erase, as most terminals do
    return blank;
  }
  void erase_all(int mode) {
    if (mode != 2) fail("partial erase");
    cells_.assign(cells_.size(), erased());
  }
  void erase_line(int mode) {
    if (mode != 0) fail("partial erase");
    spoil(x_);
    for (int x = x_; x < width_; ++x) cell(x, y_) = erased();
  }
  void shift_cells(int count, bool remove) {
    if (waiting_) fail("shift while waiting to wrap");
    auto row = cells_.begin() + static_cast<std::ptrdiff_t>(y_) * width_;
    std::vector<ModelCell> tail(row + x_, row + width_);
    for (int i = 0; i < count; ++i) {
      if (remove) {
        tail.erase(tail.begin());
        tail.push_back(erased());
      } else {
        tail.insert(tail.begin(), erased());
        tail.pop_back();
      }
    }
    std::copy(tail.begin(), tail.end(), row + x_);
  }

  void select(const std::vector<int>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const int n = numbers[i];
      if (n == 0)
        pen_ = ModelCell{};
      else if (n == 22)
        pen_.attributes[1] = pen_.attributes[2] = false;
      else if (n >= 23 && n <= 29)
        pen_.attributes[n - 20] = false;
      else if (n >= 1 && n <= 9)
        pen_.attributes[n] = true;
      else if (n == 38 || n == 48) {
        const std::size_t parts = numbers.at(i + 1) == 2 ? 5 : 3;
        std::string& color = n == 38 ? pen_.foreground : pen_.background;
        color = std::to_string(n);
        for (std::size_t k = 1; k < parts; ++k) color += ";" + std::to_string(numbers.at(i + k));
        i += parts - 1;
      } else if ((n >= 30 && n <= 39) || (n >= 90 && n <= 97))
        pen_.foreground = std::to_string(n);
      else if ((n >= 40 && n <= 49) || (n >= 100 && n <= 107))
        pen_.background = std::to_string(n);
      else
        fail("unknown SGR " + std::to_string(n));
    }
  }

  int width_;
  int height_;
  std::vector<ModelCell> cells_;
  std::mt19937 random_;
  ModelCell pen_;
  int x_ = 0;
  int y_ = 0;
  bool waiting_ = false;
  bool visible_ = true;
  bool synchronised_ = false;
};

}  // namespace gputop::term::test
