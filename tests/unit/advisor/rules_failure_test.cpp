// The rules about what broke or is about to: out of memory in its kinds, faults, stalls, leaks.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "facts_for_tests.hpp"

using namespace gputop;
using namespace gputop::test;
using Catch::Approx;

namespace {

Facts after_oom(GpuOom::Kind kind) {
  auto about = lens_facts(90, 1);
  about.end.kind = EndKind::kGpuOom;
  about.end.detail = "CUDA out of memory: 512 MiB were asked for, 100 MiB of 24 GiB were free";
  about.end.oom = GpuOom{.kind = kind, .requested = 512_MiB, .total = 24_GiB, .free = 100_MiB};
  return about;
}

}  // namespace

TEST_CASE("gpu_oom: after 32 come 24, 16, 12, then checkpointing, then precision", "[advisor]") {
  auto about = after_oom(GpuOom::Kind::kTooBig);
  about.settings.precision = lens(Precision::kFp32);
  const auto finding = ask(rules::gpu_oom, about);
  REQUIRE(finding);
  CHECK(finding->severity == Severity::kError);
  CHECK(change_of(finding, "batch_size") == "32 → 24");
  CHECK(finding->then == "then 16, 12, then gradient checkpointing, then mixed precision, then a smaller model");
  CHECK(finding->why == about.end.detail);
}

TEST_CASE("gpu_oom: what cannot shrink is checkpointed; without a known batch it is said in words", "[advisor]") {
  auto about = after_oom(GpuOom::Kind::kTooBig);
  about.settings.batch_size = lens<std::uint64_t>(1);
  about.settings.checkpointing = lens(false);
  CHECK(change_of(ask(rules::gpu_oom, about), "checkpointing") == "false → true");
  about.settings.batch_size.reset();
  about.settings.checkpointing.reset();
  const auto finding = ask(rules::gpu_oom, about);
  REQUIRE(finding);
  CHECK(finding->changes.empty());
  CHECK(finding->action.find("batch smaller") != std::string::npos);
}

TEST_CASE("gpu_oom: one that the run survived is a warning", "[advisor]") {
  auto about = lens_facts(90, 1);
  about.end.survived_ooms = 2;
  CHECK(ask(rules::gpu_oom, about)->severity == Severity::kWarning);
}

TEST_CASE("gpu_oom: silent for other ends, and for the kinds that have rules of their own", "[advisor]") {
  CHECK_FALSE(ask(rules::gpu_oom, facts()));
  CHECK_FALSE(ask(rules::gpu_oom, after_oom(GpuOom::Kind::kFragmentation)));
  CHECK_FALSE(ask(rules::gpu_oom, after_oom(GpuOom::Kind::kNeighbour)));
}

TEST_CASE("gpu_fragmentation: the allocator's setting is the change", "[advisor]") {
  auto about = after_oom(GpuOom::Kind::kFragmentation);
  about.end.oom->reserved_unallocated = 9_GiB;
  const auto finding = ask(rules::gpu_fragmentation, about);
  CHECK(change_of(finding, "PYTORCH_CUDA_ALLOC_CONF") == " → expandable_segments:True");
  CHECK(finding->why.find("9.0 GiB") != std::string::npos);
}

TEST_CASE("gpu_fragmentation: seen while it builds up on a full GPU; silent else", "[advisor]") {
  auto about = lens_facts(90, 1);
  CHECK_FALSE(ask(rules::gpu_fragmentation, about));
  about.memory.reserved_peak = lens(Bytes{23_GiB});
  about.memory.allocated_peak = lens(Bytes{14_GiB});
  CHECK_FALSE(ask(rules::gpu_fragmentation, about));  // half the GPU is free
  about.gpus[0].memory_used = 23_GiB;
  CHECK(ask(rules::gpu_fragmentation, about));
  about.memory.allocated_peak = lens(Bytes{22_GiB});
  CHECK_FALSE(ask(rules::gpu_fragmentation, about));
}

TEST_CASE("gpu_neighbour: time and memory that others take, and a GPU that is free", "[advisor]") {
  auto about = lens_facts(95, 1);
  CHECK_FALSE(ask(rules::gpu_neighbour, about));
  about.gpus[0].neighbour_memory = 6_GiB;
  CHECK(ask(rules::gpu_neighbour, about)->severity == Severity::kInfo);
  about.gpus[0].neighbour_utilization = 40_percent;
  auto other = a_gpu(0, 1);
  other.used_by_run = false;
  other.memory_used = 10_MiB;
  about.gpus.push_back(other);
  const auto finding = ask(rules::gpu_neighbour, about);
  CHECK(finding->severity == Severity::kWarning);
  CHECK(change_of(finding, "CUDA_VISIBLE_DEVICES") == "0 → 1");
  CHECK(finding->speedup->high == Approx(1 / 0.6));
  CHECK(ask(rules::gpu_neighbour, after_oom(GpuOom::Kind::kNeighbour))->severity == Severity::kError);
}

TEST_CASE("host_oom: after it happened, while it comes, and not when there is room", "[advisor]") {
  auto about = lens_facts(90, 1);
  CHECK_FALSE(ask(rules::host_oom, about));
  about.host.memory_total = 64_GiB;
  about.host.memory_used = 40_GiB;
  CHECK_FALSE(ask(rules::host_oom, about));
  about.host.memory_used = 63_GiB;
  CHECK(ask(rules::host_oom, about)->severity == Severity::kWarning);
  about.host.oom_kills = 1;
  const auto finding = ask(rules::host_oom, about);
  CHECK(finding->severity == Severity::kError);
  CHECK(change_of(finding, "workers") == "2 → 1");
  auto dead = facts();
  dead.end.kind = EndKind::kHostOom;
  CHECK(ask(rules::host_oom, dead)->severity == Severity::kError);
}

TEST_CASE("shm_exhausted: after it happened, while it comes, and not when there is room", "[advisor]") {
  auto about = lens_facts(90, 1);
  CHECK_FALSE(ask(rules::shm_exhausted, about));
  about.host.shm_total = 64_MiB;
  about.host.shm_used = 10_MiB;
  CHECK_FALSE(ask(rules::shm_exhausted, about));
  about.host.shm_used = 63_MiB;
  CHECK(ask(rules::shm_exhausted, about)->severity == Severity::kWarning);
  about.end.kind = EndKind::kShmExhausted;
  const auto finding = ask(rules::shm_exhausted, about);
  CHECK(finding->severity == Severity::kError);
  CHECK(change_of(finding, "workers") == "2 → 1");
  CHECK(finding->action.find("--shm-size") != std::string::npos);
}

TEST_CASE("gpu_fault: lost, Xid, ECC; silent on a sound GPU", "[advisor]") {
  auto about = facts();
  CHECK_FALSE(ask(rules::gpu_fault, about));
  about.gpus[0].ecc_uncorrected = 2;
  CHECK(ask(rules::gpu_fault, about)->title == "GPU 0 has memory errors");
  about.gpus[0].xid_count = 1;
  about.gpus[0].last_xid = 31;
  CHECK(ask(rules::gpu_fault, about)->severity == Severity::kWarning);  // the program's own fault, usually
  about.gpus[0].last_xid = 79;
  CHECK(ask(rules::gpu_fault, about)->why.find("fallen off the bus") != std::string::npos);
  about.gpus[0].state = GpuState::kLost;
  CHECK(ask(rules::gpu_fault, about)->title == "GPU 0 is lost");
}

TEST_CASE("stalled: no output and no work; silent when anything moves or is unknown", "[advisor]") {
  auto about = facts(0);
  CHECK_FALSE(ask(rules::stalled, about));
  about.still = StillFacts{.time = std::chrono::minutes{20}};
  CHECK_FALSE(ask(rules::stalled, about));  // who knows what the process does
  about.still->main_cpu = 0.01;
  const auto finding = ask(rules::stalled, about);
  REQUIRE(finding);
  CHECK(finding->why.find("00:20:00") != std::string::npos);
  about.still->main_cpu = 0.9;
  CHECK_FALSE(ask(rules::stalled, about));
  about.still->main_cpu = 0.01;
  about.still->utilization = 60_percent;
  CHECK_FALSE(ask(rules::stalled, about));
  about.still->utilization = 0_percent;
  about.still->time = std::chrono::minutes{2};
  CHECK_FALSE(ask(rules::stalled, about));  // it may just be quiet
  about.still->had_steps = true;
  CHECK(ask(rules::stalled, about)->why.starts_with("No step and no output for 00:02:00"));
  about.step.step_time = lens(Duration{std::chrono::seconds{30}});  // not even a few steps late
  CHECK_FALSE(ask(rules::stalled, about));
}

TEST_CASE("stalled: somebody ended it because of that; one that finished was not", "[advisor]") {
  auto about = facts(0);
  about.still = StillFacts{.time = std::chrono::minutes{4}, .main_cpu = 0.0, .had_steps = true};
  about.end.kind = EndKind::kKilled;
  CHECK(ask(rules::stalled, about)->title == "The run had stalled");
  about.end.kind = EndKind::kFinished;
  CHECK_FALSE(ask(rules::stalled, about));
}

TEST_CASE("advisor: what was measured before a run came to a stand says nothing about now", "[advisor]") {
  auto about = lens_facts(10, 1);
  about.still = StillFacts{.time = std::chrono::minutes{1}, .main_cpu = 0.0, .had_steps = true};
  Advisor advisor;
  advisor.conclude(about);
  CHECK(advisor.advice().findings.empty());
  CHECK(advisor.advice().diagnosis.verdict.starts_with("Stalled"));
  CHECK(advisor.advice().diagnosis.bottleneck == StepPart::kUnknown);
  about.still.reset();
  advisor.conclude(about);
  CHECK(advisor.advice().diagnosis.bottleneck == StepPart::kHost);
}

TEST_CASE("gpu_idle: a run that works on the CPU beside a GPU; silent when it waits, is young, or uses it",
          "[advisor]") {
  auto about = facts(0);
  about.gpus[0].used_by_run = false;
  about.tree.main_cpu = 3.5;
  CHECK(ask(rules::gpu_idle, about)->severity == Severity::kError);
  about.tree.main_cpu = 0.0;
  CHECK_FALSE(ask(rules::gpu_idle, about));
  about.tree.main_cpu = 3.5;
  about.age = std::chrono::seconds{20};
  CHECK_FALSE(ask(rules::gpu_idle, about));
  about.age = std::chrono::seconds{200};
  about.gpus[0].used_by_run = true;
  CHECK_FALSE(ask(rules::gpu_idle, about));
  about.gpus[0].used_by_run = false;
  about.gpus[0].utilization.reset();
  CHECK_FALSE(ask(rules::gpu_idle, about));
}

TEST_CASE("gpu_memory_leak: growth that fills the GPU within a day; silent for caches, crumbs and the unknown",
          "[advisor]") {
  auto about = facts();
  CHECK_FALSE(ask(rules::gpu_memory_leak, about));
  about.gpus[0].memory_slope = 2.0 * (1 << 20);  // 2 MiB/s
  const auto finding = ask(rules::gpu_memory_leak, about);
  REQUIRE(finding);
  CHECK(finding->why.find("1200 MiB in ten minutes") != std::string::npos);
  CHECK(finding->why.find("01:42:24") != std::string::npos);
  about.age = std::chrono::seconds{100};
  CHECK_FALSE(ask(rules::gpu_memory_leak, about));
  about.gpus[0].memory_used = Bytes{(*about.gpus[0].memory_total).value() / 100 * 91};
  about.gpus[0].full_in = std::chrono::seconds{40};  // no time to be sure
  const auto soon = ask(rules::gpu_memory_leak, about);
  REQUIRE(soon);
  CHECK(soon->why.find("91 % full and grows all the time; at this pace it is full in 40 s") != std::string::npos);
  about.gpus[0].memory_used = Bytes{(*about.gpus[0].memory_total).value() / 100 * 50};
  CHECK_FALSE(ask(rules::gpu_memory_leak, about));
  about.gpus[0].full_in.reset();
  about.age = std::chrono::seconds{600};
  about.gpus[0].memory_slope = 1000.0;
  CHECK_FALSE(ask(rules::gpu_memory_leak, about));
}

TEST_CASE("host_memory_leak: growth of the run's processes; silent for crumbs and the unknown", "[advisor]") {
  auto about = facts();
  CHECK_FALSE(ask(rules::host_memory_leak, about));
  about.host.memory_slope = 3.0 * (1 << 20);
  about.host.memory_total = 64_GiB;
  about.host.memory_used = 32_GiB;
  CHECK(ask(rules::host_memory_leak, about));
  about.host.memory_slope = 1000.0;
  CHECK_FALSE(ask(rules::host_memory_leak, about));
}
