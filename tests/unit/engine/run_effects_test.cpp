#include "engine/run_effects.hpp"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

using namespace gputop;

TEST_CASE("--readonly: what the engine refuses, and what a viewer may still ask for", "[cli]") {
  const std::vector<Effect> refused{TypeIntoRun{"y\r"},   InterruptRun{}, StopRun{SIGTERM}, StopRun{SIGKILL},
                                    SendSignal{1, {}, 9}, MakeChange{},   AnswerOffer{true}};
  for (const auto& effect : refused) CHECK(changes_something(effect));
  const std::vector<Effect> harmless{Quit{},        Detach{},   Redraw{},
                                     CopyText{"x"}, LookBack{}, PlanChange{.only_show = true}};
  for (const auto& effect : harmless) CHECK_FALSE(changes_something(effect));
}
