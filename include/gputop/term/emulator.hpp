// The terminal a job writes to: bytes go in, lines of cells come out. libtsm behind a filter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/term/output_line.hpp"

namespace gputop::term {

// The bytes may be hostile: nothing is answered, no string (OSC, DCS, APC, …) is kept, sequences and memory are
// bounded, and whatever would hide or reorder text shows as "·". One thread; reading is const, and any number of
// readers may each look at other lines.
class Emulator {
 public:
  struct Options {
    int columns = 80;
    int rows = 24;
    std::size_t scrollback = 3000;  // lines above the screen; fewer if they are very large
    bool newline_returns = false;   // the job writes to a pipe: its "\n" also returns to the first column
  };
  static constexpr int kLeastColumns = 2;
  static constexpr int kMostColumns = 1000;
  static constexpr int kMostRows = 500;
  static constexpr std::size_t kMostMarks = 8;  // per character
  static constexpr std::size_t kLongestString =
      4096;  // of a swallowed string; after that, text counts again from the next line on
  static constexpr std::size_t kMostScrollbackBytes = 16U << 20U;

  explicit Emulator(Options options);
  ~Emulator();
  Emulator(Emulator&&) noexcept;
  Emulator& operator=(Emulator&&) noexcept;

  // The bytes may be cut anywhere, even within a character or a sequence.
  void feed(std::string_view bytes);
  // Clamped to the possible range. Lines that no longer fit go above the screen and come back when there is room again.
  void resize(int columns, int rows);

  // Lines above the screen from now on.
  void set_scrollback(std::size_t lines);

  [[nodiscard]] int columns() const;
  [[nodiscard]] int rows() const;
  // +1 whenever something may look different.
  [[nodiscard]] std::uint64_t revision() const;

  // Lines are numbered from the job's first. Those from first_line() on are available; the screen is the last rows() of
  // them.
  [[nodiscard]] std::uint64_t first_line() const;
  [[nodiscard]] std::uint64_t screen_line() const;
  [[nodiscard]] std::uint64_t end_line() const;
  // first_line() <= number < end_line(). Valid until the next feed() or resize(). The oldest lines read as empty if
  // kMostScrollbackBytes left no room for them.
  [[nodiscard]] const OutputLine& line(std::uint64_t number) const;
  // How many of the last fed bytes are on this line and those after it: at least so many, and not many more. Older
  // bytes are before the first line.
  [[nodiscard]] std::uint64_t fed_since(std::uint64_t line) const;
  // The text of lines [from, to), limited to available ones; each ends in "\n".
  [[nodiscard]] std::string text(std::uint64_t from, std::uint64_t to) const;

  struct Cursor {
    int x = 0;
    int y = 0;  // on the screen
    bool visible = true;
    bool operator==(const Cursor&) const = default;
  };
  [[nodiscard]] Cursor cursor() const;
  // A full-screen program occupies the screen.
  [[nodiscard]] bool alternate() const;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace gputop::term
