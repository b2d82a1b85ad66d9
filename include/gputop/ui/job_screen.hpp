// The screen of a job: a line for each rank or node, the worst first, and above them what holds the whole up. Lines go
// in, cells come out; keys go in, wishes come out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ftxui/component/event.hpp>
#include <ftxui/screen/screen.hpp>

#include "gputop/app/view.hpp"
#include "gputop/config/theme.hpp"
#include "gputop/job/track.hpp"
#include "gputop/term/color_depth.hpp"
#include "gputop/term/style_sheet.hpp"
#include "gputop/ui/glyphs.hpp"

namespace gputop::ui {

enum class JobOrder : std::uint8_t { kTrouble, kRank, kNode, kSpeed, kWaiting, kBusy };

struct JobHead {
  std::string id;
  std::string launcher;   // "" where it is not known
  std::string transport;  // "12 recordings", "srun on 3 nodes"
  std::string notice;     // something went wrong with it
};

// No clock, no I/O, one thread.
class JobScreen {
 public:
  JobScreen(const Theme& theme, term::ColorDepth depth, GlyphSet glyphs);

  void render(const job::Whole& whole, const JobHead& head, ftxui::Screen& screen);

  struct Wish {
    bool leave = false;
    std::optional<std::size_t> open;  // this recording's own screen
  };
  Wish handle(const ftxui::Event& event, const job::Whole& whole);

  [[nodiscard]] const std::string& filter() const { return filter_; }

 private:
  struct Row {
    std::string node;
    std::vector<const job::RankLine*> ranks;  // one, or all of a node
  };
  [[nodiscard]] std::vector<Row> rows(const job::Whole& whole) const;
  [[nodiscard]] ftxui::Element line_of(const Row& row, const job::Whole& whole, const std::vector<struct TableColumn>& columns,
                                       const std::vector<struct PlacedColumn>& places) const;
  [[nodiscard]] ftxui::Elements head_lines(const job::Whole& whole, const JobHead& head, int width) const;
  void type(const ftxui::Event& event);

  term::StyleSheet styles_;
  GlyphSet glyphs_;
  JobOrder order_ = JobOrder::kTrouble;
  bool by_node_ = false;
  bool typing_ = false;
  std::string filter_;
  ListView list_;
};

}  // namespace gputop::ui
