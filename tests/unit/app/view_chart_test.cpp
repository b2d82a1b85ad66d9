#include <catch2/catch_test_macros.hpp>

#include "gputop/app/view.hpp"

using namespace gputop;

namespace {

constexpr Instant kNow = at_seconds(4000);

// A span that the user has chosen.
ChartView five_minutes() {
  ChartView chart;
  chart.grows = false;
  chart.zoom = 2;
  return chart;
}

}  // namespace

TEST_CASE("a chart ends at now, or up to ten seconds later", "[view]") {
  auto chart = five_minutes();
  const auto window = chart.window(kNow, 100);
  CHECK(window.cells == 100);
  CHECK(window.cell == std::chrono::seconds{3});
  CHECK(window.cell_of(kNow) >= 97);  // cells of three seconds
  CHECK(window.cell_of(kNow) <= 99);
  CHECK(window.from.time_since_epoch().count() % window.cell.count() == 0);
}

TEST_CASE("the picture moves by whole cells only, and not with every one of them", "[view]") {
  auto chart = five_minutes();
  auto before = chart.window(at_seconds(4000), 100);
  int moves = 0;
  for (int t = 4001; t <= 4090; ++t) {
    const auto window = chart.window(at_seconds(t), 100);
    CHECK(window.cell == before.cell);
    CHECK((window.from - before.from).count() % window.cell.count() == 0);
    CHECK(window.cell_of(at_seconds(t)) < window.cells);  // now is always there
    moves += window.from != before.from ? 1 : 0;
    before = window;
  }
  CHECK(moves == 10);
}

TEST_CASE("zoom goes from one minute to the whole run and stops at both ends", "[view]") {
  auto chart = five_minutes();
  for (int i = 0; i < 50; ++i) chart.closer(kNow);
  CHECK(chart.span(kNow) == std::chrono::seconds{60});
  for (int i = 0; i < 50; ++i) chart.wider(kNow);
  CHECK(chart.span(kNow) == kNow.time_since_epoch());
  const auto window = chart.window(kNow, 80);
  CHECK(window.from <= Instant{});
  CHECK(window.cell_of(kNow) == 79);
}

TEST_CASE("a run shorter than a minute is shown on a minute", "[view]") {
  auto chart = five_minutes();
  chart.zoom = ChartView::kSpans.size() - 1;
  CHECK(chart.span(at_seconds(3)) == std::chrono::seconds{60});
}

TEST_CASE("panning stops at the beginning of the run and at now", "[view]") {
  auto chart = five_minutes();
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
  auto chart = five_minutes();
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
  auto chart = five_minutes();
  chart.cursor = chart.window(kNow, 100).begin_of(0);
  const auto before = *chart.cursor;
  chart.move_cursor(-1, kNow, 100);
  CHECK(chart.back == std::chrono::seconds{150});
  CHECK(*chart.cursor < before);
  CHECK(before - *chart.cursor < std::chrono::seconds{6});
}

TEST_CASE("no moment outside the window has a cell", "[view]") {
  const auto window = five_minutes().window(kNow, 10);
  CHECK(window.cell_of(window.from - Duration{1}) == -1);
  CHECK(window.cell_of(window.to()) == 10);
}

TEST_CASE("chart: starts at two minutes and grows to ten, until a span is chosen", "[view]") {
  ChartView chart;
  CHECK(chart.span(at_seconds(3)) == std::chrono::minutes{2});
  CHECK(chart.span(at_seconds(130)) == std::chrono::minutes{5});
  CHECK(chart.span(at_seconds(5000)) == std::chrono::minutes{10});
  chart.closer(at_seconds(5000));
  CHECK(chart.span(at_seconds(5000)) == std::chrono::minutes{5});
}

TEST_CASE("chart: the cursor stays in the window when the span changes", "[view]") {
  auto chart = five_minutes();
  chart.cursor = at_seconds(4800);
  chart.closer(at_seconds(5000));
  const int cell = chart.window(at_seconds(5000), 60).cell_of(*chart.cursor);
  CHECK(cell >= 0);
  CHECK(cell < 60);
}
