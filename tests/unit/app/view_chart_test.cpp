#include <catch2/catch_test_macros.hpp>

#include "gputop/app/view.hpp"

using namespace gputop;

namespace {

constexpr Instant kNow = at_seconds(4000);

}  // namespace

TEST_CASE("a chart ends in the cell that holds now", "[view]") {
  ChartView chart;
  const auto window = chart.window(kNow, 100);
  CHECK(window.cells == 100);
  CHECK(window.cell == std::chrono::seconds{3});
  CHECK(window.cell_of(kNow) == 99);
  CHECK(window.from.time_since_epoch().count() % window.cell.count() == 0);
}

TEST_CASE("the picture moves by whole cells only", "[view]") {
  ChartView chart;
  const auto first = chart.window(at_seconds(4000), 100);
  CHECK(chart.window(at_seconds(4001), 100) == first);
  const auto later = chart.window(at_seconds(4003), 100);
  CHECK(later.from - first.from == first.cell);
}

TEST_CASE("zoom goes from one minute to the whole run and stops at both ends", "[view]") {
  ChartView chart;
  for (int i = 0; i < 50; ++i) chart.closer(kNow);
  CHECK(chart.span(kNow) == std::chrono::seconds{60});
  for (int i = 0; i < 50; ++i) chart.wider(kNow);
  CHECK(chart.span(kNow) == kNow.time_since_epoch());
  const auto window = chart.window(kNow, 80);
  CHECK(window.from <= Instant{});
  CHECK(window.cell_of(kNow) == 79);
}

TEST_CASE("a run shorter than a minute is shown on a minute", "[view]") {
  ChartView chart;
  chart.zoom = ChartView::kSpans.size() - 1;
  CHECK(chart.span(at_seconds(3)) == std::chrono::seconds{60});
}

TEST_CASE("panning stops at the beginning of the run and at now", "[view]") {
  ChartView chart;
  chart.pan(0.5, kNow);
  CHECK(chart.back == std::chrono::seconds{150});
  chart.pan(1e6, kNow);
  CHECK(chart.back == std::chrono::seconds{3700});
  chart.pan(-1e6, kNow);
  CHECK(chart.back == Duration{});
  chart.pan(1, at_seconds(10));
  CHECK(chart.back == Duration{});
}

TEST_CASE("the cursor starts at now and walks left cell by cell", "[view]") {
  ChartView chart;
  chart.move_cursor(-1, kNow, 100);
  const auto window = chart.window(kNow, 100);
  REQUIRE(chart.cursor);
  CHECK(window.cell_of(*chart.cursor) == 99);
  chart.move_cursor(-3, kNow, 100);
  CHECK(window.cell_of(*chart.cursor) == 96);
  chart.move_cursor(50, kNow, 100);
  CHECK(window.cell_of(*chart.cursor) == 99);
}

TEST_CASE("a cursor that leaves the window takes the window along", "[view]") {
  ChartView chart;
  chart.cursor = chart.window(kNow, 100).begin_of(0);
  const auto before = *chart.cursor;
  chart.move_cursor(-1, kNow, 100);
  CHECK(chart.back == std::chrono::seconds{150});
  CHECK(*chart.cursor < before);
  CHECK(before - *chart.cursor < std::chrono::seconds{6});
}

TEST_CASE("no moment outside the window has a cell", "[view]") {
  const auto window = ChartView{}.window(kNow, 10);
  CHECK(window.cell_of(window.from - Duration{1}) == -1);
  CHECK(window.cell_of(window.to()) == 10);
}
