// The power limit as a change, with a stand-in for nvidia-smi that notes what it was called with.
#include "engine/power_limit.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>

#include "gputop/tuning/change_question.hpp"
#include "support/temporary_directory.hpp"

namespace gputop {
namespace {

Facts two_gpus() {
  Facts facts;
  for (unsigned index = 0; index < 3; ++index) {
    GpuFacts gpu;
    gpu.index = index;
    gpu.used_by_run = index < 2;
    gpu.power_limit = Watts{350};
    facts.gpus.push_back(gpu);
  }
  return facts;
}

// A PATH with this nvidia-smi on it.
class StandIn {
 public:
  explicit StandIn(const std::string& script) {
    const auto file = folder_.write("nvidia-smi", "#!/bin/sh\necho \"$@\" >> " + called() + "\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    setenv("PATH", (folder_.path() + ":" + before_).c_str(), 1);
  }
  ~StandIn() { setenv("PATH", before_.c_str(), 1); }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  [[nodiscard]] std::string calls() const { return folder_.read(called()); }

 private:
  [[nodiscard]] std::string called() const { return folder_.file("called"); }
  test::TemporaryDirectory folder_;
  std::string before_{getenv("PATH")};
};

knobs::ChangeSet change_of_two() {
  knobs::ChangeSet change;
  for (const char* gpu : {"0", "1"}) {
    change.changes.push_back({.knob = "power_limit",
                              .place = {.kind = knobs::Place::Kind::kGpu, .key = gpu},
                              .from = std::int64_t{350},
                              .to = std::int64_t{280}});
  }
  return change;
}

}  // namespace

TEST_CASE("power limit: planned for the GPUs of the run, with the command; only root may", "[engine]") {
  const auto plan = plan_power_limit("280", two_gpus(), {"python", "train.py"});
  if (geteuid() != 0) {
    REQUIRE_FALSE(plan);
    CHECK(plan.error().message == "only root may set a power limit: sudo nvidia-smi -i 0 -pl 280");
    return;
  }
  REQUIRE(plan);
  CHECK(is_of_gpus(*plan));
  REQUIRE(plan->changes.size() == 2);  // the third is somebody else's
  CHECK(to_string(plan->changes[1].place) == "gpu:1");
  CHECK(plan->notes[0].starts_with("nvidia-smi -i 0 -pl 280;"));
  CHECK(plan->argv_after == plan->argv_before);
}

TEST_CASE("power limit: what is no number of watts, is so already, or could not be taken back is refused", "[engine]") {
  for (const char* bad : {"", "280 W", "-5", "0", "1e9", "99999999999999999999", "280.5"})
    CHECK_FALSE(plan_power_limit(bad, two_gpus(), {}));
  CHECK(plan_power_limit("350", two_gpus(), {}).error().message.find("nothing to change") != std::string::npos);
  auto facts = two_gpus();
  facts.gpus[1].power_limit.reset();
  CHECK(plan_power_limit("280", facts, {}).error().message.find("GPU 1 is unknown") != std::string::npos);
}

TEST_CASE("power limit: set on each GPU, and taken back the same way", "[engine]") {
  const StandIn tool{"echo \"Power limit for GPU 00000000:01:00.0 was set to $4.00 W from 350.00 W.\"\n"};
  REQUIRE(set_power_limit(change_of_two()));
  REQUIRE(set_power_limit(knobs::inverse(change_of_two())));
  CHECK(tool.calls() == "-i 0 -pl 280\n-i 1 -pl 280\n-i 0 -pl 350\n-i 1 -pl 350\n");
}

TEST_CASE("power limit: if one GPU refuses, the others get theirs back, and its words are passed on", "[engine]") {
  const StandIn tool{
      "if [ \"$2\" = 1 ]; then echo 'Changing power management limit is not supported for GPU 1.'; exit 3; fi\n"
      "echo \"Power limit for GPU 0 was set to $4.00 W from 350.00 W.\"\n"};
  const auto done = set_power_limit(change_of_two());
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "nvidia-smi -i 1 -pl 280: Changing power management limit is not supported for GPU 1.");
  CHECK(tool.calls() == "-i 0 -pl 280\n-i 1 -pl 280\n-i 0 -pl 350\n");
}

TEST_CASE("power limit: a tool that says nothing has set nothing", "[engine]") {
  const StandIn tool{"exit 0\n"};
  CHECK(set_power_limit(change_of_two()).error().message.find("did not say that the limit was set") != std::string::npos);
}

}  // namespace gputop
