// The advisor's pane: verdict, where the time goes, cards, the why view, and what is left of it on small screens.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;

namespace advisor_test {
namespace {

template <class T>
Known<T> lens(T value, double seconds = 57) {
  return Fact<T>{std::move(value), FactSource::kLens, at_seconds(seconds)};
}

// What the lens says of a run; percent.
Facts run_facts(double utilization, double input_wait) {
  Facts facts;
  facts.now = at_seconds(59);
  facts.age = std::chrono::seconds{600};
  facts.has_run = facts.steady = true;
  facts.depth = Depth::kLens;
  GpuFacts gpu;
  gpu.used_by_run = true;
  gpu.utilization = Percent{utilization};
  gpu.compute_capability = ComputeCapability{8, 6};
  gpu.memory_total = 24_GiB;
  gpu.memory_used = gpu.memory_peak = 12_GiB;
  gpu.pcie = {.generation = 4, .width = 8, .max_generation = 4, .max_width = 16};
  facts.gpus = {gpu};
  facts.settings.batch_size = lens<std::uint64_t>(32);
  facts.settings.workers = lens(2U);
  facts.settings.precision = lens(Precision::kAmpFp16);
  facts.step.input_wait_share = lens(input_wait / 100);
  facts.step.fetch_cpu_share = lens(0.97);
  facts.step.samples_per_second = lens(412.0);
  facts.host.usable_cores = 16;
  facts.host.cpu = 30_percent;
  facts.disagreements = {{"batch_size", "32 (lens)", "64 (printed)"}};
  return facts;
}

Model model_with(const Facts& facts) {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  stream.run(1, 0, 60);
  stream.model.advice.facts = facts;
  stream.model.advice.advisor.conclude(facts);
  return stream.model;
}

Model starving() {
  return model_with(run_facts(55, 41));
}

// Without the narrow link there is nothing left to say.
Model content() {
  auto facts = run_facts(96, 1);
  facts.gpus[0].pcie.width = 16;
  return model_with(facts);
}

class Desk {
 public:
  explicit Desk(Model model) : model_(std::move(model)) {
    terminal_.feed("Epoch 4:  41%|####      | 412/1001 [00:31<00:44, 13.2it/s]");
    interface_.set_output(&terminal_);
  }
  Desk(const Desk&) = delete;
  std::string at(int width, int height) { return frame(interface_, model_, width, height); }
  void press(std::initializer_list<const char*> keys) {
    at(90, 26);
    for (const auto* key : keys) {
      interface_.handle(ui::key_event(key), model_);
      at(91, 26);
      at(90, 26);
    }
  }
  Model model_;

 private:
  term::Emulator terminal_{term::Emulator::Options{}};
  ui::Interface interface_{Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille,
                           ui::Identity{.uid = 1000}};
};

void check_both(const std::string& name, const Model& model, std::initializer_list<const char*> keys = {}) {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}}) {
    Desk desk{model};
    if (keys.size() > 0) desk.press(keys);
    check_golden(name + "_" + std::to_string(width) + "x" + std::to_string(height), desk.at(width, height));
  }
}

bool shows(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("golden: a run that waits for data", "[golden]") {
  check_both("advisor", starving());
}
TEST_CASE("golden: a run with nothing to change", "[golden]") {
  check_both("advisor_healthy", content());
}
TEST_CASE("golden: why", "[golden]") {
  check_both("advisor_why", starving(), {"w"});
}

TEST_CASE("advisor: 80×24 and 40×12 show the change", "[ui]") {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{40, 12}, std::pair{60, 10}}) {
    Desk desk{starving()};
    const auto text = desk.at(width, height);
    INFO(text);
    CHECK(shows(text, "workers 2 → 4"));
  }
}

TEST_CASE("advisor: every finding is listed beside the selected one's card", "[ui]") {
  auto facts = run_facts(20, 1);
  facts.settings.batch_size = lens<std::uint64_t>(8);
  facts.settings.optimizer = lens(OptimizerKind::kAdamW);
  facts.settings.learning_rate = lens(0.001);
  facts.gpus[0].memory_used = facts.gpus[0].memory_peak = 2_GiB;
  facts.gpus[0].thermal_share = 0.6;
  facts.gpus[0].clock_share = 0.7;
  facts.gpus[0].power_cap_share = 0.0;
  const auto model = model_with(facts);
  const auto& findings = model.advice.now().findings;
  REQUIRE(findings.size() >= 3);
  const auto text = Desk{model}.at(200, 50);
  INFO(text);
  for (const auto& finding : findings) CHECK(text.find(finding.title) != std::string::npos);
  CHECK(text.find("expect ") != std::string::npos);
  CHECK(text.find("a apply") != std::string::npos);
}

TEST_CASE("advisor: at 80×24 the card says what it costs, and the first line how long the run takes", "[ui]") {
  auto model = starving();
  const auto text = Desk{model}.at(80, 24);
  INFO(text);
  CHECK(text.find("cost a restart; ") != std::string::npos);
  CHECK(text.find("expect 1.6–1.8 times as fast") != std::string::npos);
  CHECK(text.find("GPU compute 55 %") != std::string::npos);
}

TEST_CASE("advisor: nothing to change is shown as what was achieved", "[ui]") {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}, std::pair{60, 12}}) {
    Desk desk{content()};
    const auto text = desk.at(width, height);
    INFO(text);
    CHECK(shows(text, "Nothing to change: 96 % busy, waits for data 1 %"));
  }
}

TEST_CASE("advisor: a verdict too long for a line goes on in the next", "[ui]") {
  for (const auto& [width, height] : {std::pair{100, 40}, std::pair{130, 40}, std::pair{160, 45}}) {
    Desk desk{model_with(run_facts(35, 1))};
    const auto text = desk.at(width, height);
    INFO(text);
    const auto begin = text.find("The GPU waits for Python");
    REQUIRE(begin != std::string::npos);
    const auto end = text.find('\n', text.find('\n', begin) + 1);
    CHECK(shows(text.substr(begin, end - begin), "launches"));  // on that line, or on the one below
  }
}

TEST_CASE("advisor: says that it is too early, and that a machine without a run needs no pane", "[ui]") {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python"}, "/", 1000, true});
  stream.run(1, 0, 5);
  Desk young{stream.model};
  CHECK(shows(young.at(80, 24), "s after the first steps"));
  Desk idle{working_model(1, 30)};
  CHECK_FALSE(shows(idle.at(80, 24), "Advisor"));
}

TEST_CASE("advisor: a run that was started again for a change is measured, and not advised by what was", "[ui]") {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python"}, "/", 1000, true});
  stream.run(1, 0, 5);
  ChangeReported change;
  change.stage = ChangeReported::Stage::kRelaunched;
  change.changes = {{"workers", "2", "4"}};
  change.text = "workers 2 → 4: started again, measuring";
  stream.feed(6, change);
  Desk desk{stream.model};
  const auto text = desk.at(200, 50);
  INFO(text);
  CHECK(shows(text, "first advice"));
  CHECK(shows(text, "workers 2 → 4: started again"));
}

TEST_CASE("advisor: good and bad signs stand below the bar where there is room", "[ui]") {
  Desk desk{starving()};
  CHECK(shows(desk.at(200, 50), "✗ waits for data 41 %"));
  CHECK_FALSE(shows(desk.at(80, 24), "✗ waits for data"));
}

TEST_CASE("advisor: w tells figures, limits, sources and ages, and what they disagree about; Esc leaves", "[ui]") {
  Desk desk{starving()};
  desk.press({"w"});
  const auto text = desk.at(120, 60);
  INFO(text);
  for (const auto* part :
       {"rule input_cpu_bound", "waits for data 41 % (limit 10 %)", "waits for data below 10 %",
        "batch size 32 (lens, 2 s ago)", "disagreement: batch_size is taken as 32 (lens), against 64 (printed)",
        "not known: transfer"}) {
    INFO(part);
    CHECK(shows(text, part));
  }
  desk.press({"Esc"});
  CHECK_FALSE(shows(desk.at(120, 60), "rule input_cpu_bound"));
}

TEST_CASE("advisor: x hides what is selected, and brings all back when none is left", "[ui]") {
  Desk desk{starving()};
  CHECK(shows(desk.at(200, 50), "The GPU waits for data"));
  desk.press({"x"});
  const auto text = desk.at(200, 50);
  CHECK_FALSE(shows(text, "▶ 1  The GPU waits for data"));
  CHECK(shows(text, "1 hidden"));
  CHECK(shows(text, "▶ 1  The PCIe link"));
  desk.press({"x", "x"});
  CHECK(shows(desk.at(200, 50), "▶ 1  The GPU waits for data"));
}

TEST_CASE("advisor: the keys for it are in the footer", "[ui]") {
  Desk desk{starving()};
  const auto text = desk.at(200, 50);
  CHECK(shows(text, "a apply"));
  CHECK(shows(text, "w why"));
}

TEST_CASE("advisor: every size, with and without advice, while something lies over it", "[ui]") {
  for (const auto& model : {starving(), content()}) {
    for (int width = 1; width <= 140; width += 7) {
      for (int height = 1; height <= 40; height += 3) {
        Desk desk{model};
        desk.at(width, height);
        desk.press({"w"});
        desk.at(width, height);
      }
    }
  }
}

}  // namespace advisor_test
