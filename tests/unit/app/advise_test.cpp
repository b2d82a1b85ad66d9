// The advisor in the stream: asked once a second, and heard when it says something new.
#include "gputop/app/advise.hpp"

#include <catch2/catch_test_macros.hpp>

#include "model_events.hpp"

using namespace gputop;
using namespace gputop::literals;

namespace {

GpuReading idling() {
  auto reading = gpu(0, "GPU-0", 15);
  reading.memory_used = 1_GiB;
  reading.memory_total = 24_GiB;
  return reading;
}

void see(Model& model, double seconds, Payload payload) {
  const Event event{at_seconds(seconds), std::move(payload)};
  update(model, event);
  advise(model, event);
}

}  // namespace

TEST_CASE("advise: readings that come ten times a second are looked at once", "[app]") {
  Model model;
  see(model, 0, RunStarted{});
  see(model, 0, gpus({idling()}));
  CHECK(model.advice.asked == at_seconds(0));
  see(model, 0.5, gpus({idling()}));
  CHECK(model.advice.asked == at_seconds(0));
  see(model, 0.95, gpus({idling()}));
  CHECK(model.advice.asked == at_seconds(0.95));
  see(model, 5, Noted{});
  CHECK(model.advice.asked == at_seconds(0.95));
}

TEST_CASE("advise: where nothing is run, every other second will do", "[app]") {
  Model model;
  for (const double seconds : {0.0, 1.0, 1.95, 2.9}) see(model, seconds, gpus({idling()}));
  CHECK(model.advice.asked == at_seconds(1.95));
}

TEST_CASE("advise: a poorly used GPU is named after the warm-up, and the same events say the same", "[app]") {
  Model model;
  Model again;
  for (int i = 0; i < 60; ++i) {
    see(model, i, gpus({idling()}));
    see(again, i, gpus({idling()}));
    if (i < 30) CHECK(model.advice.now().findings.empty());
  }
  REQUIRE_FALSE(model.advice.now().findings.empty());
  CHECK(model.advice.now().findings.front().id == "low_utilization");
  CHECK(model.advice.now().findings == again.advice.now().findings);
}

TEST_CASE("advise: news are what appeared, wants another change, or is gone", "[app]") {
  Finding first{.id = "a", .title = "A", .changes = {{"workers", "2", "4"}}, .speedup = Speedup{1.5, 1.75}};
  Finding second{.id = "b", .title = "B"};
  CHECK(advice_news({first}, {first}).empty());
  auto news = advice_news({}, {first, second});
  REQUIRE(news.size() == 2);
  CHECK(news[0].kind == Advised::Kind::kAppeared);
  CHECK(news[0].changes == std::vector<Advised::Change>{{"workers", "2", "4"}});
  CHECK(news[0].speedup_high == 1.75);
  CHECK_FALSE(news[1].speedup_low);
  auto other = first;
  other.changes[0].to = "6";
  other.why = "figures moved";
  news = advice_news({first, second}, {other});
  REQUIRE(news.size() == 2);
  CHECK(news[0].kind == Advised::Kind::kChanged);
  CHECK(news[1].kind == Advised::Kind::kWithdrawn);
  CHECK(news[1].id == "b");
}

TEST_CASE("advise: what was said is in the log, what was taken back is not", "[app]") {
  Model model;
  feed(model, 1,
       Advised{.kind = Advised::Kind::kAppeared,
               .id = "a",
               .severity = "warning",
               .title = "Wait",
               .changes = {{"workers", "2", "4"}}});
  feed(model, 2, Advised{.kind = Advised::Kind::kWithdrawn, .id = "a", .title = "Wait"});
  REQUIRE(model.log.size() == 1);
  CHECK(model.log[0].text == "advice: Wait: workers 2 → 4");
}

TEST_CASE("advise: the bundled example is advised early, live as in a replay; a run of the user's is not", "[app]") {
  const auto warm_up_after = [](std::vector<std::string> argv) {
    Model model;
    RunStarted started;
    started.argv = std::move(argv);
    see(model, 0, started);
    return model.advice.advisor.settings().thresholds.warm_up;
  };
  const double usual = Thresholds{}.warm_up;
  CHECK(warm_up_after({"/usr/bin/gputop", "example", "--batch-size", "8"}) == 12);
  CHECK(warm_up_after({"python", "example"}) == usual);
  CHECK(warm_up_after({"gputop"}) == usual);
  CHECK(warm_up_after({}) == usual);
}
