#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "gputop/report/findings_builder.hpp"
#include "gputop/report/power_spikes.hpp"
#include "report/findings/change_watch.hpp"
#include "support/models.hpp"

namespace gputop {
namespace {

using Catch::Approx;
using Json = nlohmann::json;

// A laptop's GPU, 90 readings in 300 s, one of them impossible.
std::vector<Event> laptop_log(std::size_t spike) {
  std::vector<Event> events{{Instant{}, StreamStarted{.wall = test::test_wall(), .hostname = "laptop"}},
                            {Instant{}, SourceStatus{.source = "nvidia-smi log"}}};
  for (std::size_t i = 0; i < 90; ++i) {
    GpuReading gpu;
    gpu.name = "NVIDIA GeForce RTX 4050 Laptop GPU";
    gpu.utilization = Percent{static_cast<double>(i % 21)};
    gpu.memory_used = Bytes{(i == 40 ? 167ULL : 135ULL) << 20U};
    gpu.memory_total = Bytes{6141ULL << 20U};
    gpu.power = Watts{i == spike ? 590 : 20.0 + static_cast<double>(i % 10)};
    events.push_back({at_seconds(300.0 / 89 * static_cast<double>(i)), GpusSampled{{gpu}}});
  }
  events.push_back({at_seconds(300), StreamEnded{"the log ends here"}});
  return events;
}

Findings findings_of(std::vector<Event> events) {
  FindingsBuilder builder;
  for (const auto& error : take_out_power_spikes(events)) builder.add_error(error);
  for (const auto& event : events) builder.add(event);
  const auto facts = builder.facts();
  Advisor advisor;
  advisor.conclude(facts);
  return builder.finish("smi.csv", facts, advisor.advice());
}

TEST_CASE("findings: an impossible power reading is listed and in no figure, wherever it stands", "[report]") {
  for (const std::size_t spike : {0U, 1U, 2U, 50U, 89U}) {
    const auto found = findings_of(laptop_log(spike));
    CAPTURE(spike);
    REQUIRE(found.sensor_errors.size() == 1);
    CHECK(found.sensor_errors[0].text.find("590 W") != std::string::npos);
    REQUIRE(found.all.power);
    CHECK(found.all.power->max == 29);
    CHECK(found.all.power->count == 89);
  }
}

TEST_CASE("findings: samples, duration, memory and headroom of a log", "[report]") {
  const auto found = findings_of(laptop_log(50));
  CHECK(found.samples == 90);
  CHECK(found.duration == std::chrono::seconds{300});
  CHECK(found.all.utilization->max == 20);
  CHECK(found.all.memory->max == 167);
  CHECK(found.all.memory_share->max == Approx(2.719).epsilon(0.001));
  CHECK(*found.memory_headroom() == Approx(97.28).epsilon(0.001));
  CHECK(found.utilization_in_words() == "very low");
  CHECK_FALSE(found.throughput);
  CHECK_FALSE(found.next_steps.empty());
  CHECK(found.plots.size() == 3);  // utilisation, memory, power
}

TEST_CASE("findings: a stream without GPUs has no figures, only reasons", "[report]") {
  const auto found = findings_of(
      {{Instant{}, StreamStarted{}},
       {Instant{},
        SourceStatus{.source = "nvml", .state = SourceStatus::State::kUnavailable, .message = "no driver"}}});
  CHECK(found.gpus.empty());
  CHECK_FALSE(found.all.utilization);
  CHECK(found.utilization_in_words().empty());
  CHECK_FALSE(found.memory_headroom());
  CHECK(findings_markdown(found).find("no driver") != std::string::npos);
}

TEST_CASE("findings: text, page and JSON say the same numbers", "[report]") {
  const auto found = findings_of(laptop_log(50));
  const auto json = Json::parse(findings_json(found));
  auto text = findings_markdown(found);
  const auto both_spaces = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_spaces), text.end());  // the padding of tables
  const auto page = findings_html(found);
  CHECK(json["schema"] == "gputop.report/1");
  for (const char* metric : {"utilization_percent", "memory_used_mib", "memory_used_percent", "power_watts"}) {
    std::string row;
    std::string cells;
    for (const char* figure : {"avg", "min", "max", "p5", "p50", "p95"}) {
      const double value = json["gpus"][0][metric][figure].get<double>();
      auto shown = Json(value).dump();
      if (shown.ends_with(".0")) shown.resize(shown.size() - 2);
      row += " " + shown + " |";
      cells += "<td class=\"figure\">" + shown + "</td>";
    }
    CAPTURE(metric, row);
    CHECK(text.find(row) != std::string::npos);
    CHECK(page.find(cells) != std::string::npos);
  }
  CHECK(json["memory_headroom_percent"] == 97.3);
  CHECK(json["throughput"].is_null());
  CHECK(text.find("headroom 97.3 %") != std::string::npos);
}

TEST_CASE("findings: long streams give the Model few readings and the statistics all", "[report]") {
  FindingsBuilder builder{at_seconds(20'000)};
  for (int i = 0; i < 10'000; ++i) builder.add({at_seconds(i), GpusSampled{test::healthy_gpus(2, i)}});
  CHECK(builder.model().revision < 400);
  const auto found = builder.finish("long", builder.facts(), {});
  CHECK(found.samples == 10'000);
  CHECK(found.all.utilization->count == 20'000);
}

std::vector<Event> run_with_a_change(ChangeReported::Stage outcome, Reading<double> gain) {
  using Stage = ChangeReported::Stage;
  const auto change = [](Stage stage, const char* text) {
    return ChangeReported{.stage = stage, .changes = {{"batch_size", "8", "32"}}, .text = text};
  };
  std::vector<Event> events{
      {Instant{}, StreamStarted{.wall = test::test_wall(), .hostname = "node"}},
      {Instant{}, RunStarted{.id = "1", .name = "t", .argv = {"t.py", "--batch-size", "8"}, .directory = "/x"}},
      {at_seconds(90), change(Stage::kWritten, "batch_size 8 → 32: written for the next launch")},
      {at_seconds(99.9), RunStarted{.id = "1", .name = "t", .argv = {"t.py", "--batch-size", "32"}, .directory = "/x"}},
      {at_seconds(100), change(Stage::kRelaunched, "batch_size 8 → 32: the run was restarted; measuring")}};
  auto last = change(outcome, "batch_size 8 → 32: measured");
  last.gain = gain;
  last.uncertainty = gain ? Reading<double>{0.04} : std::nullopt;
  events.push_back({at_seconds(160), last});
  return events;
}

TEST_CASE("changes: one that gputop made is listed once, with what was measured and what became of it", "[report]") {
  const auto found = findings_of(run_with_a_change(ChangeReported::Stage::kKept, 0.38));
  REQUIRE(found.changes.size() == 1);
  CHECK(found.changes[0].what == "batch_size 8 → 32");
  CHECK(found.changes[0].at == at_seconds(100));
  CHECK(found.changes[0].outcome == "kept");
  REQUIRE(found.changes[0].effect);
  CHECK(found.changes[0].effect->relative->mean == Approx(0.38));
  const auto text = findings_markdown(found);
  CHECK(text.find("+38 % ± 4 %") != std::string::npos);
  CHECK(text.find("| kept") != std::string::npos);
  CHECK(text.find("Change made: batch\\_size 8 → 32") != std::string::npos);  // in the summary
  CHECK(text.find("1.4× as fast (+38 % ± 4 %), kept") != std::string::npos);
  CHECK(text.find("started again") == text.find("started again; measuring"));
  CHECK(findings_html(found).find("+38 % ± 4 %") != std::string::npos);
  const auto json = Json::parse(findings_json(found));
  CHECK(json["changes"][0]["effect_percent"]["mean"] == 38);
  CHECK(json["changes"][0]["outcome"] == "kept");
  CHECK(json["events"].size() == 3);
}

TEST_CASE("changes: the output that shows a part of one that gputop made adds none", "[report]") {
  using Stage = ChangeReported::Stage;
  for (const double shown_at : {99.95, 101.0, 200.0}) {
    auto events = run_with_a_change(Stage::kKept, 0.38);
    for (auto& event : events) {
      if (auto* change = std::get_if<ChangeReported>(&event.payload)) change->changes.push_back({"learning_rate", "0.1", "0.2"});
    }
    const auto print = [&](double at, const char* line) {
      events.push_back({at_seconds(at), OutputWritten{.stream = 0, .offset = 0, .bytes = line}});
    };
    print(1, "batch_size: 8\n");
    print(shown_at, "batch_size: 32\n");
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at < b.at; });
    const auto found = findings_of(events);
    INFO(shown_at);
    REQUIRE(found.changes.size() == 1);
    CHECK(found.changes[0].what == "batch_size 8 → 32, learning_rate 0.1 → 0.2");
    CHECK(found.changes[0].outcome == "kept");
    print(250, "batch_size: 64\n");  // by somebody else
    CHECK(findings_of(events).changes.size() == 2);
  }
}

TEST_CASE("changes: one that failed has no effect, and one that was only written is not in force", "[report]") {
  const auto failed = findings_of(run_with_a_change(ChangeReported::Stage::kFailed, std::nullopt));
  REQUIRE(failed.changes.size() == 1);
  CHECK(failed.changes[0].outcome == "failed");
  auto events = run_with_a_change(ChangeReported::Stage::kKept, std::nullopt);
  events.resize(3);
  const auto written = findings_of(events);
  REQUIRE(written.changes.size() == 1);
  CHECK(written.changes[0].outcome == "written for the next launch");
  CHECK_FALSE(written.changes[0].effect);
}

TEST_CASE("changes: a run that is started again with other words", "[report]") {
  CHECK(report::argument_changes({"python", "train.py", "--batch-size", "8"},
                                 {"python", "train.py", "--batch-size=32", "--amp"}) ==
        "--batch-size 8 → 32, --amp added");
  CHECK(report::argument_changes({"t.py", "--set", "workers=2", "--set", "batch=8"},
                                 {"t.py", "--set", "workers=0", "--set", "batch=8"}) == "workers 2 → 0");
  CHECK(report::argument_changes({"a", "--x"}, {"a", "--x"}).empty());
}

}  // namespace
}  // namespace gputop
