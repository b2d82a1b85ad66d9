// What the user is looking at: focus, scrolling, order, zoom. Plain state with pure rules; the Model knows nothing
// about it.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gputop/app/effect.hpp"
#include "gputop/app/view_processes.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

// A list with a selected line, seen through a window of `page` lines.
struct ListView {
  int cursor = 0;
  int top = 0;
  int page = 1;  // lines shown last

  void move(int delta, int count);
  // Makes cursor and window valid for a list of this length.
  void settle(int count, int lines);
};

enum class ChartMetric : std::uint8_t {
  kUtilization,
  kMemory,
  kThroughput,
  kLoss,
  kClock,
  kPower,
  kTemperature,
  kPcie,
  kCount
};
inline constexpr std::size_t kChartMetrics = static_cast<std::size_t>(ChartMetric::kCount);
std::string_view to_string(ChartMetric metric);
// The metric `by` places on; skips the run's speed and loss while the run has reported none.
ChartMetric next_metric(ChartMetric metric, int by, bool has_throughput, bool has_loss);

// A stretch of time cut into equal cells, the last of which holds `now` unless the chart was moved back. The edges lie
// on multiples of the cell, so a moment stays in its cell as time passes, and the picture moves only cell by cell.
struct ChartWindow {
  Instant from;
  Duration cell{};
  int cells = 0;

  [[nodiscard]] Instant to() const { return from + cell * cells; }
  [[nodiscard]] Instant begin_of(int index) const { return from + cell * index; }
  // The cell that holds this moment; outside 0…cells-1 if none does.
  [[nodiscard]] int cell_of(Instant at) const;
  bool operator==(const ChartWindow&) const = default;
};

struct ChartView {
  // Seconds shown; 0 = the whole run.
  static constexpr std::array<std::int64_t, 12> kSpans{60,    120,   300,   600,   1800,   3600,
                                                       10800, 21600, 43200, 86400, 604800, 0};
  ChartMetric metric = ChartMetric::kUtilization;  // the first chart; others follow in order
  Reading<unsigned> gpu;                           // nullopt: the mean of all GPUs
  bool each_gpu = false;                           // a chart of the first metric for each GPU
  std::size_t zoom = 1;                            // index into kSpans
  bool grows = true;                               // until the user chooses a span: as long as there is something to show
  Duration back{};                                 // how far the right edge is behind now
  std::optional<Instant> cursor;

  [[nodiscard]] ChartWindow window(Instant now, int cells) const;
  [[nodiscard]] Duration span(Instant now) const;
  void closer(Instant now);
  void wider(Instant now);
  // By a share of the span; positive moves into the past. Stops at both ends of the run.
  void pan(double share, Instant now);
  // One cell to the left or right; moving out of the window pans it.
  void move_cursor(int cells_by, Instant now, int cells);

 private:
  [[nodiscard]] std::size_t zoom_now(Instant now) const;
  void set_zoom(std::size_t wanted, Instant now);
};

struct ProcessView {
  ListView list;
  ProcessOrder order;
  std::string filter_text;
  std::optional<Pattern> filter;
  std::string filter_problem;  // why filter_text is not in effect
  bool follow = false;
  std::int64_t followed = 0;  // PID

  // Takes effect at once if it is valid; otherwise the last valid one stays.
  void set_filter(std::string text);
};

// The view of the run's output. Lines are numbered from the job's first.
struct OutputView {
  std::optional<std::uint64_t> top;  // the first line shown; nullopt: follow the newest
  int page = 1;                      // lines shown last
  std::string find_text;
  std::optional<std::uint64_t> found;  // the line that was jumped to
  std::size_t match = 0;               // its number among the matches
  std::size_t matches = 0;
  std::optional<std::uint64_t> mark;   // lines are being marked, from here to `cursor`
  std::uint64_t cursor = 0;
  bool typing = false;   // keys go to the job
  bool escaped = false;  // the last of them was Esc

  [[nodiscard]] bool is_marked(std::uint64_t line) const {
    return mark && line >= std::min(*mark, cursor) && line <= std::max(*mark, cursor);
  }
};

// What covers the panes and takes the keys.
enum class Overlay : std::uint8_t {
  kNone,
  kHelp,
  kSetup,
  kSortMenu,
  kSignalMenu,
  kConfirmSignal,
  kFilter,
  kFind,
  kEndRun,
  kInterruptRun,
  kWhy,
  kDetail,
  kDiff,
  kChange,
  kOffer
};

// A change of the run's settings, for the user to read and confirm.
struct ChangeQuestion {
  std::string title;
  std::vector<std::string> lines;
  bool only_show = false;
  bool live = false;                // confirming stops nothing
  PlanChange plan;                  // what it is about: asked again with another place, or scaled
  std::vector<std::string> places;  // where the setting could be changed, if several; numbered from 1
  bool can_scale = false;
  bool scaled = false;
  bool must_choose = false;  // a place: there is nothing to confirm yet
};

using PaneIndex = std::size_t;  // into panes.def
inline constexpr std::size_t kMostPanes = 16;

struct View {
  PaneIndex focus = 0;
  std::optional<PaneIndex> zoomed;
  std::bitset<kMostPanes> hidden;
  bool gpus_by_trouble = true;
  ListView gpus;
  ListView events;
  bool events_at_end = true;  // follow the newest
  int host_scroll = 0;
  ChartView chart;
  ProcessView processes;
  OutputView output;
  ListView advice;
  std::set<std::string, std::less<>> dismissed;  // findings the user dismissed, by id
  Overlay overlay = Overlay::kNone;
  Reading<unsigned> detail_gpu;      // of kDetail: one of these two
  Reading<std::int64_t> detail_pid;
  std::string help_text;             // the search text in the help
  bool help_typing = false;
  ChangeQuestion change;  // of kDiff and kChange
  ListView menu;          // of the open overlay
  std::string notice;     // one line, until the next key
};

}  // namespace gputop
