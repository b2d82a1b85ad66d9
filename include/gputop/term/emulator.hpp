// The terminal a job writes to: bytes go in, lines of cells come out. libtsm behind a filter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gputop/term/output_line.hpp"

namespace gputop::term {

// The bytes may be hostile: nothing is answered, no string (OSC, DCS, APC, …) is kept, sequences and memory are
// bounded, what would hide or reorder text shows as "·". One thread; reading is const, and any number of readers may
// each look at other lines.
class Emulator {
 public:
  struct Options {
    int columns = 80;
    int rows = 24;
    std::size_t scrollback = 3000;  // lines above the screen; fewer when they are very large
    bool newline_returns = false;   // the job writes to a pipe: its "\n" also returns to the first column
  };
  static constexpr int kLeastColumns = 2;
  static constexpr int kMostColumns = 1000;
  static constexpr int kMostRows = 500;
  static constexpr std::size_t kMostMarks = 8;  // on one character
  static constexpr std::size_t kLongestString =
      4096;  // of a string that is swallowed; text is text again on the next line
  static constexpr std::size_t kMostScrollbackBytes = 16U << 20U;

  explicit Emulator(Options options);
  ~Emulator();
  Emulator(Emulator&&) noexcept;
  Emulator& operator=(Emulator&&) noexcept;

  // Cut anywhere, even within a character or a sequence.
  void feed(std::string_view bytes);
  // Clamped to what is possible. What no longer fits goes above the screen and comes back when there is room again.
  void resize(int columns, int rows);

  // Lines above the screen from now on.
  void set_scrollback(std::size_t lines);

  [[nodiscard]] int columns() const;
  [[nodiscard]] int rows() const;
  // +1 whenever something may look different.
  [[nodiscard]] std::uint64_t revision() const;

  // Lines are numbered from the job's first. Those from first_line() on are known; the screen is the last rows() of
  // them.
  [[nodiscard]] std::uint64_t first_line() const;
  [[nodiscard]] std::uint64_t screen_line() const;
  [[nodiscard]] std::uint64_t end_line() const;
  // first_line() <= number < end_line(). Valid until the next feed() or resize(). Where kMostScrollbackBytes left no
  // room for the oldest, they read as empty.
  [[nodiscard]] const OutputLine& line(std::uint64_t number) const;
  // How many of the bytes that were fed last stand on this line and those behind it: at least so many, and not many
  // more. What is older than the first line is before them.
  [[nodiscard]] std::uint64_t fed_since(std::uint64_t line) const;
  // Of lines [from, to), cut to those that are known; each ends in "\n".
  [[nodiscard]] std::string text(std::uint64_t from, std::uint64_t to) const;

  struct Cursor {
    int x = 0;
    int y = 0;  // on the screen
    bool visible = true;
    bool operator==(const Cursor&) const = default;
  };
  [[nodiscard]] Cursor cursor() const;
  // A full-screen program has the screen.
  [[nodiscard]] bool alternate() const;

 private:
  class Body;
  std::unique_ptr<Body> body_;
};

}  // namespace gputop::term
