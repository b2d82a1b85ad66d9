// libtsm's screen and state machine, owned, with the rows read out as lines.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

extern "C" {
#include <libtsm.h>
}

#include "gputop/term/output_line.hpp"
#include "term/glyph_aliases.hpp"

namespace gputop::term {

// libtsm's own scrollback only holds lines that scrolled off since take_scrolled(): it takes 32 bytes per cell, and
// looking at it moves it for everyone.
class TsmGrid {
 public:
  TsmGrid(int columns, int rows);

  // Only what passes the filter. Never answered.
  void input(std::string_view bytes) { tsm_vte_input(vte_.get(), bytes.data(), bytes.size()); }
  void set_size(int columns, int rows);
  void hard_reset();
  // How many lines that scrolled off are kept for take_scrolled().
  void hold(unsigned lines) { tsm_screen_set_max_sb(screen_.get(), lines); }

  [[nodiscard]] int columns() const { return static_cast<int>(tsm_screen_get_width(screen_.get())); }
  [[nodiscard]] int rows() const { return static_cast<int>(tsm_screen_get_height(screen_.get())); }
  [[nodiscard]] int x() const { return static_cast<int>(tsm_screen_get_cursor_x(screen_.get())); }
  [[nodiscard]] int y() const { return static_cast<int>(tsm_screen_get_cursor_y(screen_.get())); }
  [[nodiscard]] bool has(unsigned flag) const { return (tsm_screen_get_flags(screen_.get()) & flag) != 0; }
  [[nodiscard]] bool alternate() const { return has(TSM_SCREEN_ALTERNATE); }
  void move_to(int x, int y) { tsm_screen_move_to(screen_.get(), static_cast<unsigned>(x), static_cast<unsigned>(y)); }
  void clear_flag(unsigned flag) { tsm_screen_reset_flags(screen_.get(), flag); }
  void set_flag(unsigned flag) { tsm_screen_set_flags(screen_.get(), flag); }
  void scroll_down(int lines) { tsm_screen_scroll_down(screen_.get(), static_cast<unsigned>(lines)); }
  void reset_margins() { tsm_screen_set_margins(screen_.get(), 0, 0); }
  // From the first column of the cursor's row on; whatever does not fit is left out.
  void write(const OutputLine& line);

  // The screen's rows.
  std::vector<OutputLine> read_screen();
  // The last `count` lines that scrolled off, oldest first; removes them from libtsm.
  std::vector<OutputLine> take_scrolled(unsigned count);

  GlyphAliases& aliases() { return aliases_; }

 private:
  void draw(std::vector<OutputLine>& lines, unsigned rows);

  struct Free {
    void operator()(tsm_screen* screen) const {
      tsm_screen_clear_sb(screen);  // unref alone would leak it
      tsm_screen_unref(screen);
    }
    void operator()(tsm_vte* vte) const { tsm_vte_unref(vte); }
  };
  std::unique_ptr<tsm_screen, Free> screen_;
  std::unique_ptr<tsm_vte, Free> vte_;
  GlyphAliases aliases_;
};

}  // namespace gputop::term
