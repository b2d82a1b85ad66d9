// Things that once were wrong on the screen, one test each.
#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "gputop/app/advise.hpp"
#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;

namespace defects_test {
namespace {

struct Desk {
  explicit Desk(Model shown) : model(std::move(shown)) {}
  std::string at(int width, int height) { return frame(interface, model, width, height); }
  void press(std::string_view key) { interface.handle(ui::key_event(key), model); }

  Model model;
  ui::Interface interface{Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille, ui::Identity{.uid = 1000}};
};

bool shows(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string line_with(const std::string& text, std::string_view part) {
  const auto at = text.find(part);
  if (at == std::string::npos) return {};
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

GpuReading gpu_at(unsigned index, double busy, double percent_full) {
  auto gpu = healthy_gpu(index);
  gpu.utilization = Percent{busy};
  gpu.memory_used = Bytes{static_cast<std::uint64_t>(static_cast<double>(gpu.memory_total->value()) * percent_full / 100)};
  gpu.throttle = ThrottleReasons{0U};
  return gpu;
}

// Findings with these titles.
void say_these(Model& model, const std::vector<std::string>& titles) {
  AdvisorSettings settings;
  for (const auto& title : titles) {
    settings.custom.push_back({.id = "own" + std::to_string(settings.custom.size()), .metric = "age", .limit = -1,
                               .above = true, .hold = {}, .message = title});
  }
  model.advice.advisor = Advisor{settings};
  model.advice.advisor.conclude(model.advice.facts);
}

// Twelve GPUs, all idle but number 11, and one finding.
Model one_of_twelve(const std::string& title) {
  Stream stream;
  for (int t = 0; t < 150; ++t) {
    std::vector<GpuReading> gpus;
    for (unsigned i = 0; i < 12; ++i) gpus.push_back(gpu_at(i, i == 11 ? 100 : 0, 10));
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{std::move(gpus)});
  }
  say_these(stream.model, {title});
  return stream.model;
}

}  // namespace

TEST_CASE("defect: a card's trend is of the GPU that the finding names", "[ui]") {
  Desk eleven{one_of_twelve("GPU 11 is slow")};
  Desk one{one_of_twelve("GPU 1 is slow")};
  Desk none{one_of_twelve("something is slow")};
  const auto of_eleven = line_with(eleven.at(200, 50), "1  GPU 11 is slow");
  const auto of_one = line_with(one.at(200, 50), "1  GPU 1 is slow");
  const auto of_none = line_with(none.at(200, 50), "1  something is slow");
  REQUIRE_FALSE(of_eleven.empty());
  REQUIRE_FALSE(of_one.empty());
  CHECK(shows(of_eleven, "⣿"));
  CHECK_FALSE(shows(of_one, "⣿"));
  CHECK_FALSE(shows(of_none, "⣿"));  // rather none than GPU 0's
}

TEST_CASE("defect: the way of a change is one line, and ends with what became of it", "[ui]") {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python"}, "/", 1000, true});
  stream.run(1, 0, 5);
  const auto say = [&](double at, ChangeReported::Stage stage, const char* text) {
    ChangeReported change{.stage = stage};
    change.changes = {{"workers", "2", "4"}};
    change.text = std::string{"workers 2 → 4: "} + text;
    stream.feed(at, change);
  };
  say(5, ChangeReported::Stage::kWritten, "written for the next launch");
  say(6, ChangeReported::Stage::kRelaunched, "the run was restarted; measuring");
  Desk desk{stream.model};
  const auto text = desk.at(200, 50);
  INFO(text);
  CHECK(shows(text, "● workers 2 → 4: the run was restarted; measuring"));
  CHECK_FALSE(shows(text, "● workers 2 → 4: written for the next launch"));
}

TEST_CASE("defect: what is selected among the findings stays on the screen", "[ui]") {
  Stream stream;
  stream.run(1, 0, 60);
  std::vector<std::string> titles;
  for (int i = 1; i <= 12; ++i) titles.push_back("finding number " + std::to_string(i) + " of a dozen");
  say_these(stream.model, titles);
  Desk desk{stream.model};
  desk.at(120, 35);
  int selected = 1;
  for (int i = 0; i < 9 && selected == 1; ++i) {  // until the advisor has the focus
    desk.press("Tab");
    desk.press("Down");
    if (shows(desk.at(120, 35), "▶ 2 ")) selected = 2;
  }
  REQUIRE(selected == 2);
  for (; selected < 12;) {
    desk.press("Down");
    const auto text = desk.at(120, 35);
    INFO(text);
    CHECK(shows(text, "▶ " + std::to_string(++selected) + " "));
  }
}

TEST_CASE("defect: all panes hidden is said, and a number brings one back", "[ui]") {
  Desk desk{working_model(1, 5)};
  for (const auto* key : {"1", "2", "3", "4", "5", "6", "7"}) {
    desk.press(key);
    desk.at(80, 24);
  }
  const auto blank = desk.at(81, 24);
  INFO(blank);
  CHECK(shows(blank, "all panes are hidden"));
  desk.press("4");
  CHECK(shows(desk.at(80, 24), "Processes"));
}

TEST_CASE("defect: a message in the last line goes away by itself", "[ui]") {
  Stream stream;
  stream.run(1, 0, 5);
  Desk desk{stream.model};
  desk.at(120, 35);
  desk.interface.notify("something was done");
  CHECK(shows(desk.at(120, 35), "something was done"));
  stream.run(1, 5, 9);
  desk.model = stream.model;
  CHECK(shows(desk.at(120, 35), "something was done"));
  stream.run(1, 9, 20);
  desk.model = stream.model;
  const auto after = desk.at(120, 35);
  CHECK_FALSE(shows(after, "something was done"));
  CHECK(shows(after, "help"));
}

TEST_CASE("defect: why there is no GPU is told to the last word at 80x24", "[ui]") {
  Stream stream;
  const std::string why =
      "libnvidia-ml.so.1 was not found: no NVIDIA driver is installed, or this is a container without one; try "
      "nvidia-smi outside of it, start the container with --gpus all, or see it at work without a GPU with gputop --demo";
  stream.feed(0, SourceStatus{"nvml", SourceStatus::State::kUnavailable, why, "", false});
  for (int t = 0; t < 3; ++t) stream.feed(t, HostSampled{host_reading()});
  Desk desk{stream.model};
  const auto text = desk.at(80, 24);
  INFO(text);
  CHECK(shows(text, "--demo"));
}

TEST_CASE("defect: memory that is nearly full and grows is projected at once", "[ui]") {
  Stream stream;
  for (int t = 0; t < 20; ++t) {
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{{gpu_at(0, 95, 84 + 0.5 * t)}});
  }
  Desk desk{stream.model};
  const auto text = desk.at(200, 50);
  INFO(text);
  CHECK(shows(text, "memory full in ~"));
  Stream still;
  for (int t = 0; t < 20; ++t) {
    still.feed(t, HostSampled{host_reading()});
    still.feed(t, GpusSampled{{gpu_at(0, 95, t < 8 ? 60 + 4 * t : 92)}});
  }
  CHECK_FALSE(shows(Desk{still.model}.at(200, 50), "memory full in ~"));
}

TEST_CASE("a GPU with counters of its own says what its busy time went into", "[ui]") {
  Stream stream;
  for (int t = 0; t < 5; ++t) {
    auto gpu = gpu_at(0, 90, 50);
    gpu.activity = {.sm = 62_percent, .occupancy = 40_percent, .tensor = 31_percent, .dram = 48_percent};
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{{gpu}});
  }
  Desk desk{stream.model};
  CHECK(shows(desk.at(200, 50), "tensor 31 % · SM 62 % · DRAM 48 %"));
  CHECK_FALSE(shows(Desk{working_model(1, 5)}.at(200, 50), "tensor"));
}

TEST_CASE("a GPU's page has what newer cards report, and each MIG instance with its own readings", "[ui]") {
  const auto page_of = [](const GpuReading& gpu) {
    Stream stream;
    stream.feed(0, HostSampled{host_reading()});
    stream.feed(0, GpusSampled{{gpu}});
    for (int tabs = 0; tabs < 8; ++tabs) {
      Desk desk{stream.model};
      desk.at(120, 60);
      for (int i = 0; i < tabs; ++i) desk.press("Tab");
      desk.press("Enter");
      if (auto text = desk.at(120, 60); shows(text, "memory traffic")) return text;
    }
    return std::string{};
  };
  auto gpu = gpu_at(0, 90, 50);
  CHECK(shows(page_of(gpu), "memory traffic"));
  CHECK_FALSE(shows(page_of(gpu), "MIG"));
  CHECK_FALSE(shows(page_of(gpu), "until slowed"));
  gpu.activity = {.sm = 62_percent, .occupancy = 40_percent, .tensor = 31_percent, .dram = 48_percent};
  gpu.health.thermal_margin = Celsius{12};
  gpu.memory_temperature = Celsius{82};
  gpu.nvlink = NvLinks{.active = 17, .total = 18, .errors = 3};
  gpu.mig = {{.index = 0, .name = "MIG 1g.10gb", .memory_used = 1_GiB, .memory_total = 10_GiB, .activity = {.tensor = 7_percent}},
             {.index = 1, .name = "MIG 3g.40gb", .memory_used = 21_GiB, .memory_total = 40_GiB, .multiprocessors = 60}};
  const auto text = page_of(gpu);
  INFO(text);
  CHECK(shows(line_with(text, "busy"), "occupancy 40 %"));
  CHECK(shows(line_with(text, "until slowed"), "12 degrees"));
  CHECK(shows(line_with(text, "memory's heat"), "82"));
  CHECK(shows(line_with(text, "NVLink"), "17 of 18 links"));
  CHECK(shows(line_with(text, "MIG 1g.10gb"), "1.0/10.0 GiB   tensor 7 %"));
  CHECK(shows(line_with(text, "MIG 3g.40gb"), "21.0/40.0 GiB   60 multiprocessors"));
  Stream stream;
  stream.feed(0, HostSampled{host_reading()});
  stream.feed(0, GpusSampled{{gpu}});
  CHECK(shows(Desk{stream.model}.at(200, 50), "2 instances · 22.0/50.0 GiB"));
}

TEST_CASE("a GPU with an error is counted by the mark that its row has", "[ui]") {
  Stream stream;
  for (int t = 0; t < 5; ++t) {
    std::vector<GpuReading> gpus{gpu_at(0, 95, 50), gpu_at(1, 95, 50), gpu_at(2, 95, 50)};
    gpus[1].ecc_uncorrected = 2;
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{std::move(gpus)});
  }
  for (const auto& [width, height] : {std::pair{200, 50}, {80, 24}, {40, 12}}) {
    const auto text = Desk{stream.model}.at(width, height);
    INFO(text);
    const auto top = text.substr(0, text.find('\n'));
    CHECK(shows(top, "✗ 1 failed"));
    CHECK(shows(top, "✓ 2 ok"));
    CHECK_FALSE(shows(top, "▲"));
  }
}

TEST_CASE("a state is told in full where columns of less weight can go", "[ui]") {
  Stream stream;
  for (int t = 0; t < 5; ++t) {
    auto gpu = gpu_at(0, 98, 50);
    gpu.sm_clock = 630_MHz;
    gpu.max_sm_clock = 1000_MHz;
    gpu.throttle = ThrottleReasons{static_cast<std::uint64_t>(ThrottleReason::kHardwareThermal)};
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{{gpu, gpu_at(1, 95, 50)}});
  }
  CHECK(shows(Desk{stream.model}.at(120, 35), "▲ too hot: 63 % of full clock"));
  CHECK(shows(Desk{stream.model}.at(80, 24), "▲ too hot"));
  auto at_times = gpu_at(0, 95, 50);
  at_times.slowed = {.power_cap = 90_percent, .hardware_thermal = 20_percent};
  Stream counted;
  counted.feed(0, GpusSampled{{at_times}});
  CHECK(shows(Desk{counted.model}.at(120, 35), "▲ too hot 20 % of the time"));
  at_times.slowed.hardware_thermal = 1_percent;
  counted.feed(1, GpusSampled{{at_times}});
  CHECK_FALSE(shows(Desk{counted.model}.at(120, 35), "too hot"));
}

TEST_CASE("what no GPU says has neither a column nor a chart", "[ui]") {
  const auto text = Desk{working_model(8, 60)}.at(200, 50);  // these have no clock
  CHECK_FALSE(shows(text, "CLOCK"));
  CHECK_FALSE(shows(text, "clock, of full"));
  CHECK(shows(text, "temperature"));
}

TEST_CASE("a chart's lowest and highest are told in full or not at all", "[ui]") {
  for (int width = 60; width <= 200; width += 7) {
    const auto text = Desk{working_model(8, 60)}.at(width, 50);
    INFO(text);
    CHECK_FALSE(shows(text, "high…"));
    CHECK_FALSE(shows(text, "lowest …"));
  }
}

TEST_CASE("a chart's band has the height of what differs: none where all GPUs are alike", "[ui]") {
  const auto shade_of = [](double spread) {
    Stream stream;
    for (int t = 0; t < 60; ++t) {
      stream.feed(t, HostSampled{host_reading()});
      auto other = gpu_at(0, 50 + spread, 60);
      other.index = 1;
      stream.feed(t, GpusSampled{{gpu_at(0, 50 - spread, 60), other}});
    }
    const auto text = Desk{stream.model}.at(200, 50);
    std::size_t cells = 0;
    for (auto at = text.find("░"); at != std::string::npos; at = text.find("░", at + 1)) ++cells;
    return cells;
  };
  CHECK(shade_of(0) == 0);
  CHECK(shade_of(40) > shade_of(20));
  CHECK(shade_of(20) > 0);
}

TEST_CASE("a GPU's name is told in full, and one sentence of advice takes no half of a screen", "[ui]") {
  Stream stream;
  for (int t = 0; t < 120; ++t) {
    auto gpu = gpu_at(0, 97, 60);
    gpu.name = "NVIDIA H100 80GB HBM3";
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{{gpu}});
    advise(stream.model, Event{at_seconds(t), GpusSampled{{gpu}}});
  }
  const auto text = Desk{stream.model}.at(120, 35);
  INFO(text);
  CHECK(shows(text, "H100 80GB HBM3"));
  const auto advice = text.find("Nothing to change");
  REQUIRE(advice != std::string::npos);
  const auto charts = text.find("2 Charts", advice);
  CHECK(std::count(text.begin() + static_cast<std::ptrdiff_t>(advice), text.begin() + static_cast<std::ptrdiff_t>(charts), '\n') <= 3);
}

TEST_CASE("a window over the panes keeps its own frame where it crosses their lines", "[ui]") {
  for (const auto& [width, height] : {std::pair{200, 50}, {120, 35}, {80, 24}}) {
    Desk desk{working_model(8, 60)};
    const auto before = desk.at(width, height);
    CHECK(shows(before, "├─"));
    desk.press("?");
    const auto text = desk.at(width, height);
    INFO(text);
    const auto top = line_with(text, "Help");
    const auto frame_top = top.substr(top.rfind("╭"));
    CHECK_FALSE(shows(frame_top, "┬"));
    CHECK_FALSE(shows(frame_top, "┴"));
    CHECK_FALSE(shows(text, "├│"));
    CHECK_FALSE(shows(text, "│┤"));
  }
}

TEST_CASE("a GPU's page fits into 80 columns: long values go on in the next line", "[ui]") {
  Stream stream;
  for (int t = 0; t < 60; ++t) {
    auto gpu = gpu_at(0, 90, 50);
    gpu.pcie = {.generation = 4, .width = 16, .max_generation = 4, .max_width = 16};
    gpu.pcie_rx = gpu.pcie_tx = BytesPerSecond{312e6};
    stream.feed(t, HostSampled{host_reading()});
    stream.feed(t, GpusSampled{{gpu}});
  }
  const auto page = [&](int tabs, bool end) {
    Desk desk{stream.model};
    desk.at(80, 24);
    for (int i = 0; i < tabs; ++i) desk.press("Tab");
    desk.press("Enter");
    if (end) desk.press("End");
    return desk.at(80, 24);
  };
  int tabs = 0;
  while (tabs < 8 && !shows(page(tabs, false), "memory traffic")) ++tabs;
  auto text = page(tabs, false);
  REQUIRE(shows(text, "memory traffic"));
  CHECK_FALSE(shows(line_with(text, "PCIe"), "…"));
  text = page(tabs, true);
  INFO(text);
  CHECK(shows(text, "highest 90 %"));
  CHECK_FALSE(shows(line_with(text, "highest 90 %"), "…"));
}

TEST_CASE("the light theme is chosen by a light background, once, in time, and only where none was chosen", "[ui]") {
  const auto asks = [](ui::Interface& interface, const Model& model, std::string_view answer) {
    const auto effects = interface.background(answer, model);
    return effects.size() == 1 && std::holds_alternative<SelectTheme>(effects.front()) &&
           std::get<SelectTheme>(effects.front()).name == "light";
  };
  const auto made = [](ui::GlyphSet glyphs, term::ColorDepth depth) {
    return ui::Interface{Settings{}, Theme{}, depth, glyphs, ui::Identity{.uid = 1000}};
  };
  using term::ColorDepth;
  Stream stream;
  stream.feed(1, HostSampled{host_reading()});
  auto interface = made(ui::GlyphSet::kBraille, ColorDepth::k256);
  CHECK_FALSE(asks(interface, stream.model, "rgb:ffff/ffff/ffff"));  // a theme was chosen
  interface.follow_background();
  CHECK(interface.follows_background());
  frame(interface, stream.model, 80, 24);
  CHECK(asks(interface, stream.model, "rgb:ffff/ffff/ffff"));
  CHECK_FALSE(asks(interface, stream.model, "rgb:ffff/ffff/ffff"));
  interface.follow_background();
  CHECK_FALSE(asks(interface, stream.model, "rgb:1e1e/1e1e/1e1e"));
  interface.follow_background();
  CHECK_FALSE(asks(interface, stream.model, "rubbish"));
  interface.follow_background();
  stream.feed(9, HostSampled{host_reading()});
  CHECK_FALSE(asks(interface, stream.model, "rgb:ffff/ffff/ffff"));  // too late
  for (const auto& [glyphs, depth] : {std::pair{ui::GlyphSet::kBlocks, ColorDepth::k256},
                                      std::pair{ui::GlyphSet::kBraille, ColorDepth::kMono}}) {
    auto silent = made(glyphs, depth);
    silent.follow_background();
    CHECK_FALSE(silent.follows_background());
  }
}

}  // namespace defects_test
