// The state of an Emulator: its input (emulator_input.cpp) and the lines it produces (emulator.cpp).
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "gputop/term/emulator.hpp"
#include "term/output_parser.hpp"
#include "term/tsm_grid.hpp"

namespace gputop::term {

// Counts every line that leaves the screen, which libtsm does not report: text is passed on in pieces that can scroll
// at most once, and the cursor's position afterwards says whether it did.
class Emulator::Body final : OutputParser::Sink {
 public:
  explicit Body(const Options& options);

  // Emulated when somebody looks, or when much has accumulated.
  void feed(std::string_view bytes);
  void settle();
  void resize(int columns, int rows);
  void set_scrollback(std::size_t lines);

  std::uint64_t first_line() const { return scrolled_ - std::min(most_lines_, scrollback_.size() + pending_); }
  std::uint64_t screen_line() const { return scrolled_; }
  const OutputLine& line(std::uint64_t number);
  std::uint64_t fed_since(std::uint64_t line) const;

  TsmGrid grid_;
  std::uint64_t revision_ = 1;
  bool cursor_visible_ = true;

 private:
  // Called by the parser.
  void text(std::string_view utf8) override;
  void control(char c) override;
  void escape(std::string_view sequence) override;
  void sequence(const ControlSequence& sequence) override;

  void ascii(std::string_view text);
  void glyph(char32_t code, std::string_view bytes);
  void mark(std::string_view bytes);
  void put(std::string_view bytes);
  void line_feed(std::string_view bytes);
  void scroll_up(int lines);
  void repeat(int count);
  void set_margins(int top, int bottom);
  void set_modes(const ControlSequence& sequence);
  void set_looks(std::string_view parameters);
  void soft_reset();
  void hard_reset();
  void scrolled(unsigned lines);

  void emulate(std::string_view bytes);
  void flood(std::string_view plain);
  void note_place();
  void hold_lines();
  void catch_up();
  void keep(std::vector<OutputLine> lines);
  void drop_oldest();
  [[nodiscard]] int last_used_row();
  void shrink(int columns, int rows);
  void grow(int columns, int rows);

  // The input's position when the cursor first reached a line.
  struct Place {
    std::uint64_t line = 0;
    std::uint64_t bytes = 0;
  };
  std::deque<Place> places_;    // in order, at most one per line
  std::uint64_t emulated_ = 0;  // bytes

  std::string waiting_;  // fed but not yet emulated
  OutputParser parser_;
  std::size_t most_lines_;
  bool newline_returns_;

  std::deque<OutputLine> scrollback_;
  std::size_t scrollback_bytes_ = 0;
  std::uint64_t scrolled_ = 0;  // lines that have left the screen since the start
  unsigned pending_ = 0;        // of those, still in libtsm
  unsigned held_ = 0;           // limit of those in libtsm
  std::vector<OutputLine> screen_;
  std::uint64_t screen_revision_ = 0;

  int margin_top_ = 0;
  int margin_bottom_ = 0;
  // The character before the cursor, for marks that follow it and for REP.
  std::string last_;
  int last_width_ = 0;
  std::size_t last_marks_ = 0;
  bool last_adjacent_ = false;  // the cursor has not moved since
};

}  // namespace gputop::term
