#include "report/document/axis.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop::report {
namespace {

using Figures = std::vector<double>;

TEST_CASE("axes: scales end at round figures, not far above what they hold", "[report]") {
  CHECK(round_top(931.2) == 1000);
  CHECK(round_top(6141) == 8000);
  CHECK(round_top(100) == 100);
  CHECK(round_top(0.33) == 0.4);
  CHECK(round_top(0) == 1);
  CHECK(ticks(100, 5) == Figures{0, 20, 40, 60, 80, 100});
  CHECK(ticks(25000, 5) == Figures{0, 5000, 10000, 15000, 20000, 25000});
}

TEST_CASE("axes: times are whole minutes, hours and days", "[report]") {
  CHECK(time_ticks(300, 6) == Figures{0, 60, 120, 180, 240, 300});
  CHECK(time_ticks(111, 6) == Figures{0, 30, 60, 90});
  CHECK(time_ticks(86399, 6) == Figures{0, 21600, 43200, 64800});
  CHECK(time_ticks(864000, 6) == Figures{0, 172800, 345600, 518400, 691200, 864000});
  CHECK(time_ticks(1, 4).size() > 2);
}

TEST_CASE("axes: marks that would cover each other share a label and keep their texts", "[report]") {
  TimePlot plot{.title = "", .unit = "", .from = {}, .to = at_seconds(100)};
  for (const double at : {45.0, 45.1, 46.0, 64.0, 91.0, 91.5, 200.0})
    plot.marks.push_back({at_seconds(at), "at " + std::to_string(static_cast<int>(at))});
  const auto groups = grouped_marks(plot, 100);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].label == "1–3");
  CHECK(groups[0].text == "at 45; at 45; at 46");
  CHECK(groups[1].label == "4");
  CHECK(groups[2].label == "5–6");
  CHECK(groups[2].share == 0.91);
}

}  // namespace
}  // namespace gputop::report
