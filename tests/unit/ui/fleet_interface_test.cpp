#include "gputop/ui/fleet_interface.hpp"

#include <catch2/catch_test_macros.hpp>
#include <ftxui/screen/string.hpp>

using namespace gputop;
using namespace gputop::ui;

namespace {


using Wish = FleetInterface::Wish;

fleet::Fleet small_fleet() {
  fleet::Fleet fleet;
  for (int i = 0; i < 40; ++i) {
    fleet::Gpu gpu;
    gpu.uuid = "GPU-" + std::to_string(i);
    gpu.node = "n" + std::to_string(i / 8);
    gpu.index = std::to_string(i % 8);
    gpu.utilization = Percent{static_cast<double>(i)};
    gpu.utilization_of = {"util{uuid=\"" + gpu.uuid + "\"}", 100};
    gpu.users = {i < 20 ? "ada" : "bob"};
    gpu.jobs = {"4711"};
    gpu.held = true;
    fleet.gpus.push_back(gpu);
  }
  fleet.nodes.push_back({.name = "n0", .gpus = 8});
  fleet.jobs.push_back({.id = "4711", .name = "train", .gpus = 40, .rate_unit = "tokens/s", .by_gputop = true});
  fleet.troubles.push_back({.level = fleet::Level::kBad, .what = "GPU lost", .where = "n0 GPU 3", .text = "gone", .node = "n0", .gpu = "GPU-3"});
  return fleet;
}

std::string drawn(FleetInterface& interface, int width = 120, int height = 40) {
  ftxui::Screen screen{width, height};
  interface.render(screen, WallTime{std::chrono::seconds{100}});
  std::string text;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) text += screen.PixelAt(x, y).character;
    text += "\n";
  }
  return text;
}

bool shows(FleetInterface& interface, std::string_view text) {
  return drawn(interface).find(text) != std::string::npos;
}

FleetInterface with_fleet() {
  FleetInterface interface{Theme{}, {.price = std::nullopt, .url = "http://x"}};
  interface.set_fleet(small_fleet());
  return interface;
}

}  // namespace

TEST_CASE("fleet screen: before the first answer it says whom it asks", "[ui]") {
  FleetInterface interface{Theme{}, {.price = std::nullopt, .url = "http://x"}};
  CHECK(shows(interface, "asking http://x"));
  CHECK(interface.handle(ftxui::Event::Return) == Wish::kNothing);
  interface.set_problem("no route", WallTime{});
  CHECK(shows(interface, "no route"));
}

TEST_CASE("fleet screen: a Prometheus that is away keeps the last picture", "[ui]") {
  auto interface = with_fleet();
  interface.set_problem("refused", WallTime{std::chrono::seconds{50}});
  interface.set_problem("refused", WallTime{std::chrono::seconds{60}});
  CHECK(shows(interface, "has not answered since 00:00:50 UTC"));
  CHECK(shows(interface, "GPU lost"));
  interface.set_fleet(small_fleet());
  CHECK_FALSE(shows(interface, "has not answered since"));
}

TEST_CASE("fleet screen: Enter goes into what the row is about, Escape comes back", "[ui]") {
  auto interface = with_fleet();
  CHECK(interface.handle(ftxui::Event::Return) == Wish::kHistory);
  CHECK(shows(interface, "n0 GPU 3"));
  REQUIRE(interface.charts().size() == 4);
  CHECK(interface.charts()[0].query == "util{uuid=\"GPU-3\"}");
  CHECK(interface.handle(ftxui::Event::Return) == Wish::kNothing);  // there is nothing further in
  const auto page = interface.page();
  CHECK(interface.handle(ftxui::Event::Escape) == Wish::kHistory);
  CHECK(interface.page() != page);
  CHECK(interface.charts().empty());
  interface.handle(ftxui::Event::Character("4"));
  interface.handle(ftxui::Event::Return);
  CHECK(shows(interface, "job 4711"));
  CHECK(interface.charts()[1].query == "sum(gputop_run_tokens_per_second{job_id=\"4711\"})");
  CHECK(interface.handle(ftxui::Event::Return) == Wish::kHistory);
  CHECK(shows(interface, "n0 GPU 0"));
}

TEST_CASE("fleet screen: an answer for a page that was left is not shown", "[ui]") {
  auto interface = with_fleet();
  interface.handle(ftxui::Event::Return);
  const auto page = interface.page();
  fleet::Series series;
  for (int i = 0; i < 200; ++i) series.points.push_back({static_cast<double>(i), 55});
  interface.set_history(page - 1, 0, 200, {series, series, series, series});
  CHECK_FALSE(shows(interface, "busy 55 %"));
  interface.set_history(page, 0, 200, {series, series, series, series});
  CHECK(shows(interface, "busy 55 %"));
}

TEST_CASE("fleet screen: a filter is typed, kept and taken away", "[ui]") {
  auto interface = with_fleet();
  interface.handle(ftxui::Event::Character("3"));
  CHECK(shows(interface, "ada"));
  for (const auto* key : {"/", "b", "o", "b", "q"}) interface.handle(ftxui::Event::Character(key));
  CHECK(shows(interface, "nothing matches the filter"));
  interface.handle(ftxui::Event::Backspace);
  interface.handle(ftxui::Event::Return);
  CHECK_FALSE(shows(interface, "ada"));
  CHECK(shows(interface, "filter: bob"));
  interface.handle(ftxui::Event::Escape);
  CHECK(shows(interface, "ada"));
  CHECK(interface.handle(ftxui::Event::Character("q")) == Wish::kQuit);
}

TEST_CASE("fleet screen: the cursor stays in the table, whatever it is moved by", "[ui]") {
  auto interface = with_fleet();
  interface.handle(ftxui::Event::Character("3"));
  for (const auto& event : {ftxui::Event::ArrowUp, ftxui::Event::PageUp, ftxui::Event::End, ftxui::Event::PageDown, ftxui::Event::ArrowDown, ftxui::Event::Home, ftxui::Event::End}) {
    interface.handle(event);
    CHECK_FALSE(drawn(interface, 80, 24).empty());
  }
  CHECK(drawn(interface, 80, 24).find("n4") != std::string::npos);
  interface.set_fleet({});
  CHECK(shows(interface, "nothing here"));
}

TEST_CASE("fleet screen: every size is drawn", "[ui]") {
  auto interface = with_fleet();
  for (const auto* key : {"1", "2", "3", "4", "5"}) {
    interface.handle(ftxui::Event::Character(key));
    for (const int depth : {0, 1}) {
      if (depth == 1) interface.handle(ftxui::Event::Return);
      for (const auto& [width, height] : {std::pair{1, 1}, std::pair{20, 5}, std::pair{80, 24}, std::pair{300, 90}})
        CHECK_FALSE(drawn(interface, width, height).empty());
    }
  }
}
