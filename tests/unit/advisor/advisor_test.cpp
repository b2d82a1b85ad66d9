// The advisor over time: silence at first, holds, hysteresis, ranking, users' rules, and no flicker.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"
#include "gputop/advisor/each_fact.hpp"
#include "gputop/advisor/metrics.hpp"
#include "gputop/advisor/rules.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

// One look a second.
class Watch {
 public:
  explicit Watch(AdvisorSettings settings = {}) : advisor_(std::move(settings)) {}
  void see(Facts about, int seconds) {
    for (int i = 0; i < seconds; ++i, now_ += 1) {
      about.now = at_seconds(now_);
      about.age = from_seconds(now_);
      advisor_.observe(about);
    }
  }
  [[nodiscard]] const Advice& advice() const { return advisor_.advice(); }

 private:
  Advisor advisor_;
  double now_ = 0;
};

Facts starving(double wait = 41) {
  auto about = lens_facts(95 - wait, wait);
  about.step.fetch_cpu_share = lens(0.9);
  return about;
}

}  // namespace

TEST_CASE("advisor: a busy GPU that heat holds back is no healthy limit: the verdict says the heat", "[advisor]") {
  Advisor advisor{AdvisorSettings{}};
  auto about = lens_facts(99, 0);
  advisor.conclude(about);
  CHECK(advisor.advice().diagnosis.verdict.find("The GPU is the limit") != std::string::npos);
  about.gpus[0].thermal_share = 0.8;
  about.gpus[0].temperature = Celsius{92};
  about.gpus[0].clock_share = 0.6;
  advisor.conclude(about);
  REQUIRE_FALSE(advisor.advice().findings.empty());
  CHECK(advisor.advice().findings.front().id == "thermal_throttle");
  CHECK(advisor.advice().diagnosis.verdict == advisor.advice().findings.front().title);
}

TEST_CASE("facts: worker processes that are not seen are no count of those that the settings name", "[advisor]") {
  auto about = lens_facts(60, 1);
  const auto counted = [&] {
    bool known = false;
    each_fact(about, [&](std::string_view name, const auto& fact) { known = known || (name == "loader_workers" && fact); });
    return known;
  };
  about.settings.workers = lens(2U);
  about.tree.workers = 0;  // threads, or between two epochs
  CHECK_FALSE(counted());
  about.tree.workers = 2;
  CHECK(counted());
  about.tree.workers = 0;
  about.settings.workers = lens(0U);
  CHECK(counted());
}

TEST_CASE("advisor: silent while warming up, but not about failures", "[advisor]") {
  Watch watch;
  watch.see(starving(), 29);
  CHECK(watch.advice().warming_up);
  CHECK(watch.advice().findings.empty());
  auto broken = starving();
  broken.gpus[0].xid_count = 1;
  broken.gpus[0].last_xid = 79;
  watch.see(broken, 1);
  CHECK(has(watch.advice(), "gpu_fault"));
  CHECK_FALSE(has(watch.advice(), "input_cpu_bound"));
}

TEST_CASE("advisor: silent while the run is not steady, however old it is", "[advisor]") {
  Watch watch;
  auto about = starving();
  about.steady = false;
  watch.see(about, 200);
  CHECK(watch.advice().findings.empty());
}

TEST_CASE("advisor: a finding is shown when it has held, and taken back when it has been gone", "[advisor]") {
  Watch watch;
  watch.see(starving(), 40);
  CHECK_FALSE(has(watch.advice(), "input_cpu_bound"));  // 30 s of warm-up, 10 of holding
  watch.see(starving(), 10);
  CHECK(has(watch.advice(), "input_cpu_bound"));
  watch.see(lens_facts(96, 1), 20);
  CHECK(has(watch.advice(), "input_cpu_bound"));
  watch.see(lens_facts(96, 1), 20);
  CHECK_FALSE(has(watch.advice(), "input_cpu_bound"));
}

TEST_CASE("advisor: a wait that swings around its limit does not flicker", "[advisor]") {
  Watch watch;
  watch.see(starving(12), 60);
  REQUIRE(has(watch.advice(), "input_cpu_bound"));
  const auto revision = watch.advice().revision;
  for (int i = 0; i < 100; ++i) watch.see(starving(i % 2 == 0 ? 9 : 12), 1);
  CHECK(has(watch.advice(), "input_cpu_bound"));
  CHECK(watch.advice().revision == revision);
}

TEST_CASE("advisor: a wait that touches its limit for moments is not shown at all", "[advisor]") {
  Watch watch;
  for (int i = 0; i < 200; ++i) watch.see(starving(i % 8 < 4 ? 12 : 6), 1);
  CHECK_FALSE(has(watch.advice(), "input_cpu_bound"));
}

TEST_CASE("advisor: what it wants changed stays until the new wish has lasted", "[advisor]") {
  Watch watch;
  watch.see(starving(41), 60);
  const auto wanted = watch.advice().findings.front().changes;
  const auto revision = watch.advice().revision;
  for (int i = 0; i < 30; ++i) watch.see(starving(i % 2 == 0 ? 41 : 60), 1);
  CHECK(watch.advice().findings.front().changes == wanted);
  CHECK(watch.advice().revision == revision);
  watch.see(starving(60), 30);
  CHECK(watch.advice().findings.front().changes != wanted);
  CHECK(watch.advice().revision == revision + 1);
}

TEST_CASE("advisor: the verdict of training is not changed by a validation in between", "[advisor]") {
  Watch watch;
  watch.see(lens_facts(96, 1), 60);
  CHECK(has(watch.advice(), "healthy"));
  auto validating = starving(70);
  validating.in_validation = true;
  watch.see(validating, 60);
  CHECK(has(watch.advice(), "healthy"));
  CHECK(watch.advice().findings.size() == 1);
}

TEST_CASE("advisor: what attacks the bottleneck comes first, failures before all", "[advisor]") {
  auto about = starving();
  about.gpus[0].pcie = {.generation = 4, .width = 4, .max_generation = 4, .max_width = 16};
  about.gpus[0].thermal_share = 0.5;
  auto advice = advice_on(about);
  REQUIRE(advice.findings.size() == 3);
  CHECK(advice.findings[0].id == "input_cpu_bound");
  about.gpus[0].state = GpuState::kLost;
  CHECK(advice_on(about).findings[0].id == "gpu_fault");
}

TEST_CASE("advisor: a busy run in fp32 is shown its options, best first, and is not called finished", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  const auto advice = advice_on(about);
  REQUIRE(advice.findings.size() == 2);
  CHECK(advice.findings[0].id == "precision_amp");
  CHECK(advice.findings[1].id == "precision_tf32");
  CHECK(advice.diagnosis.bottleneck == StepPart::kGpuCompute);
}

TEST_CASE("compile, channels_last: options of a run that computes in fp32; silent when on, unknown, or of no use",
          "[advisor]") {
  auto about = lens_facts(96, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  about.settings.compiled = about.settings.channels_last = lens(false);
  about.settings.convolutions = lens(true);
  about.settings.torch_major = lens(2U);
  const auto advice = advice_on(about);
  std::vector<std::string> ids;
  for (const auto& finding : advice.findings) {
    ids.push_back(finding.id);
    REQUIRE(finding.speedup);
    CHECK(finding.speedup->high > finding.speedup->low);
  }
  CHECK(ids == std::vector<std::string>{"precision_amp", "precision_tf32", "compile", "channels_last"});

  auto other = about;
  other.settings.torch_major = lens(1U);
  other.settings.convolutions = lens(false);
  CHECK_FALSE(has(advice_on(other), "compile"));
  CHECK_FALSE(has(advice_on(other), "channels_last"));
  other = about;
  other.settings.compiled.reset();
  other.settings.channels_last = lens(true);
  CHECK_FALSE(has(advice_on(other), "compile"));
  CHECK_FALSE(has(advice_on(other), "channels_last"));
  other = about;
  other.gpus[0].compute_capability = ComputeCapability{6, 1};
  CHECK_FALSE(has(advice_on(other), "compile"));
  other = about;
  other.settings.precision = lens(Precision::kAmpBf16);
  CHECK(advice_on(other).findings.front().id == "healthy");
  other = about;
  other.step.input_wait_share = lens(0.5);
  other.gpus[0].utilization = 45_percent;
  CHECK_FALSE(has(advice_on(other), "compile"));  // it would not touch what is waited for
}

TEST_CASE("advisor: what was said of one launch is forgotten at the next", "[advisor]") {
  Advisor advisor;
  auto about = starving();
  const auto see = [&](double began, double from, double until) {
    for (double now = from; now < until; now += 1) {
      about.now = at_seconds(now);
      about.age = from_seconds(now - began);
      advisor.observe(about);
    }
  };
  see(0, 0, 100);
  REQUIRE(has(advisor.advice(), "input_cpu_bound"));
  const auto before = advisor.advice().revision;
  see(100, 100, 101);
  CHECK(advisor.advice().findings.empty());
  CHECK(advisor.advice().warming_up);
  CHECK(advisor.advice().revision > before);
  see(100, 101, 160);
  CHECK(has(advisor.advice(), "input_cpu_bound"));
}

TEST_CASE("advisor: nothing to change is a verdict", "[advisor]") {
  const auto advice = advice_on(lens_facts(96, 1));
  REQUIRE(advice.findings.size() == 1);
  CHECK(advice.findings[0].why == "Nothing to change: 96 % busy, waits for data 1 %");
}

TEST_CASE("advisor: one change is offered once", "[advisor]") {
  auto about = lens_facts(22, 1);
  about.gpus[0].memory_used = about.gpus[0].memory_peak = 2_GiB;
  const auto advice = advice_on(about);
  REQUIRE(advice.findings.size() == 2);
  CHECK(advice.findings[0].id == "small_batch");
  CHECK_FALSE(advice.findings[0].changes.empty());
  CHECK(advice.findings[1].id == "low_memory");
  CHECK(advice.findings[1].changes.empty());
}

TEST_CASE("advisor: sensor errors are said with the first finding", "[advisor]") {
  auto about = facts(20);
  about.gpus[0].sensor_errors = 1;
  about.gpus[0].sensor_error = "power 590 W: sensor error";
  const auto advice = advice_on(about);
  REQUIRE_FALSE(advice.findings.empty());
  CHECK(advice.findings[0].why.find("590 W") != std::string::npos);
}

TEST_CASE("advisor: a rule that is off is silent", "[advisor]") {
  AdvisorSettings settings;
  settings.off.insert("input_cpu_bound");
  CHECK_FALSE(has(advice_on(starving(), settings), "input_cpu_bound"));
}

TEST_CASE("advisor: a user's own rule waits for its time and reads any metric", "[advisor]") {
  AdvisorSettings settings;
  settings.custom.push_back({.id = "hot_room",
                             .metric = "temperature",
                             .limit = 70,
                             .above = true,
                             .hold = std::chrono::seconds{60},
                             .message = "The room is warm"});
  auto about = lens_facts(96, 1);
  Watch watch{settings};
  watch.see(about, 100);
  CHECK_FALSE(has(watch.advice(), "hot_room"));  // unknown is not above
  about.gpus[0].temperature = 75_celsius;
  watch.see(about, 50);
  CHECK_FALSE(has(watch.advice(), "hot_room"));
  watch.see(about, 20);
  CHECK(has(watch.advice(), "hot_room"));
  CHECK_FALSE(has(watch.advice(), "healthy"));
}

TEST_CASE("advisor: limits are the user's", "[advisor]") {
  AdvisorSettings settings;
  settings.thresholds.input_wait = 60;
  CHECK_FALSE(has(advice_on(starving(41), settings), "input_cpu_bound"));
}

TEST_CASE("advisor: every rule is silent about facts it does not have", "[advisor]") {
  CHECK(advice_on(Facts{}).findings.empty());
  Facts steady;
  steady.steady = steady.has_run = true;
  steady.age = std::chrono::hours{5};
  steady.gpus.emplace_back();
  CHECK(advice_on(steady).findings.empty());
}

TEST_CASE("advisor: a change that brings nothing is not offered", "[advisor]") {
  // Nearly all of the time goes into pauses: faster kernels would not show.
  auto about = lens_facts(95, 1);
  about.settings.precision = lens(Precision::kFp32);
  about.settings.tf32 = lens(false);
  about.step.pause_share = lens(0.24);
  about.gpus[0].memory_busy = 90_percent;
  Advisor advisor;
  advisor.conclude(about);
  for (const auto& finding : advisor.advice().findings) {
    INFO(finding.id);
    CHECK((finding.changes.empty() || !finding.speedup || finding.speedup->high >= 1.02));
  }
}

TEST_CASE("advisor: the rules are those of the product, each once", "[advisor]") {
  CHECK(all_rules().size() == 38);  // a rule that is added or lost shows here
  for (const auto& rule : all_rules()) {
    CHECK(std::count_if(all_rules().begin(), all_rules().end(),
                        [&](const auto& other) { return other.id == rule.id; }) == 1);
    CHECK_FALSE(rule.meaning.empty());
  }
}

TEST_CASE("metrics: every one can be asked about nothing at all", "[advisor]") {
  const Facts nothing;
  const auto diagnosis = diagnose(nothing, Thresholds{});
  for (const auto& metric : metrics()) {
    INFO(metric.name);
    metric.read(nothing, diagnosis);
    CHECK(find_metric(metric.name) == &metric);
  }
  CHECK(find_metric("gpu_utilisation") == nullptr);
}
