// Where a step's time goes, at the three depths.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

namespace {

Diagnosis diagnosis(const Facts& about) {
  return diagnose(about, Thresholds{});
}

}  // namespace

TEST_CASE("diagnosis: the shares of a step add up to one, whatever is known", "[advisor]") {
  auto odd = lens_facts(90, 60);  // the host waits while the GPU still computes
  odd.step.pause_share = lens(0.3);
  odd.step.transfer_share = lens(0.5);
  odd.step.communication_share = lens(0.9);
  for (const auto& about : {facts(11), facts(95), lens_facts(50, 40), odd, Facts{}}) {
    const auto result = diagnosis(about);
    CHECK(std::accumulate(result.shares.begin(), result.shares.end(), 0.0) == Approx(1));
    for (const double share : result.shares) CHECK(share >= 0);
  }
}

TEST_CASE("diagnosis: with the lens, waiting for data is told from waiting for the host", "[advisor]") {
  const auto waits = diagnosis(lens_facts(55, 41));
  CHECK(waits.bottleneck == StepPart::kInputWait);
  CHECK(waits.share(StepPart::kInputWait) == Approx(0.41));
  CHECK(waits.share(StepPart::kHost) == Approx(0.04).margin(1e-6));
  CHECK(waits.confidence == Approx(0.9));
  CHECK(waits.verdict == "The GPU waits for data 41 % of the time");

  const auto launches = diagnosis(lens_facts(25, 1));
  CHECK(launches.bottleneck == StepPart::kHost);
  CHECK(launches.share(StepPart::kHost) == Approx(0.74));

  CHECK(diagnosis(lens_facts(96, 1)).bottleneck == StepPart::kGpuCompute);
}

TEST_CASE("diagnosis: an input wait that the GPU's queued work hides costs nothing", "[advisor]") {
  const auto hidden = diagnosis(lens_facts(97, 40));
  CHECK(hidden.bottleneck == StepPart::kGpuCompute);
  CHECK(hidden.share(StepPart::kInputWait) == Approx(0.03));
}

TEST_CASE("diagnosis: printed data time is as good, a little less sure", "[advisor]") {
  auto about = facts(50);
  about.step.input_wait_share = printed(0.45);
  const auto result = diagnosis(about);
  CHECK(result.bottleneck == StepPart::kInputWait);
  CHECK(result.confidence == Approx(0.8));
}

TEST_CASE("diagnosis: from the process tree, busy workers are waited for and sleeping ones are not", "[advisor]") {
  auto about = facts(40);
  about.tree.workers = 4;
  about.tree.worker_cpu = 0.96;
  CHECK(diagnosis(about).bottleneck == StepPart::kInputWait);
  CHECK(diagnosis(about).input_limit == InputLimit::kCpu);

  about.tree.worker_cpu = 0.1;
  about.tree.worker_disk_share = 0.7;
  CHECK(diagnosis(about).bottleneck == StepPart::kInputWait);
  CHECK(diagnosis(about).input_limit == InputLimit::kDisk);

  about.tree.worker_disk_share = 0.0;
  about.tree.worker_idle_share = 0.9;
  CHECK(diagnosis(about).bottleneck == StepPart::kHost);
}

TEST_CASE("diagnosis: NVML alone cannot tell, and says so", "[advisor]") {
  auto about = facts(11);
  about.depth = Depth::kGpuOnly;
  const auto result = diagnosis(about);
  CHECK(result.bottleneck == StepPart::kUnknown);
  CHECK(result.share(StepPart::kUnknown) == Approx(0.89));
  CHECK(result.verdict == "11 % busy: CPU-bound or batch too small");
  REQUIRE_FALSE(result.unknowns.empty());
  CHECK(result.unknowns.front().find("waits for data") == 0);
  CHECK(result.confidence < 0.5);
  CHECK(in_words(result.depth) == "NVML only");
}

TEST_CASE("diagnosis: without a utilisation, nothing is made up", "[advisor]") {
  auto about = facts();
  about.gpus[0].utilization.reset();
  const auto result = diagnosis(about);
  CHECK(result.bottleneck == StepPart::kUnknown);
  CHECK_FALSE(result.utilization);
  CHECK(result.verdict == "How busy the GPU is was not recorded");
  about.gpus[0].utilization = 0_percent;
  about.gpus[0].used_by_run = false;
  CHECK(diagnosis(about).verdict == "No GPU at work");
}

TEST_CASE("diagnosis: validation, exchange and copies have their own names", "[advisor]") {
  auto about = lens_facts(50, 1);
  about.step.pause_share = lens(0.4);
  CHECK(diagnosis(about).bottleneck == StepPart::kPauses);
  about = lens_facts(90, 1);
  about.step.communication_share = lens(0.5);
  CHECK(diagnosis(about).bottleneck == StepPart::kCommunication);
  CHECK(diagnosis(about).share(StepPart::kGpuCompute) == Approx(0.4));
  about = lens_facts(55, 1);
  about.step.transfer_share = lens(0.4);
  CHECK(diagnosis(about).bottleneck == StepPart::kTransfer);
  CHECK(to_string(StepPart::kPauses) == "validation");
}

TEST_CASE("diagnosis: GPUs of others do not count while the run's own are known", "[advisor]") {
  auto about = lens_facts(96, 1);
  about.gpus.push_back(a_gpu(0, 1));
  about.gpus[1].used_by_run = false;
  CHECK(diagnosis(about).utilization == Approx(0.96));
  about.gpus[0].used_by_run = false;  // nobody knows whose: those that work count
  CHECK(gpus_in_use(about).size() == 1);
}
