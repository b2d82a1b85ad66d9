#include "gputop/estimator/rehearsal.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

using namespace literals;

// A model of 4 MiB, one step: activations, gradients, the optimizer's state, then a smaller validation.
constexpr std::string_view kStep = R"(i torch 2.6.0
p model
s 0 model.py:3
a 0 4194304 0
k 0 parameters
p forward
s 1 train.py:10
a 1 2097152 1
k 1 batch
s 2 model.py:8
a 2 33554432 2
p backward
s 3 train.py:12
a 3 4194304 3
w 67108864 cudnn
f 2
k 3 gradients
p optimizer
s 4 train.py:13
a 4 8388608 4
k 4 optimizer
e 1
p validation
a 5 1048576 2
f 5
f 1
f 3
o 2 1000 200 matmul float32 mm
n a mask was guessed
i end complete
)";

TEST_CASE("rehearsal: what was written down is read", "[estimator]") {
  const auto trace = read_rehearsal(kStep);
  REQUIRE(trace);
  CHECK(trace->fact("torch") == "2.6.0");
  CHECK(trace->fact("nothing").empty());
  CHECK(trace->kinds.at(0) == StorageKind::kParameters);
  CHECK(trace->kinds.at(2) == StorageKind::kActivations);
  CHECK(trace->kinds.at(3) == StorageKind::kGradients);
  REQUIRE(trace->operations.size() == 1);
  CHECK(trace->operations.front().count == 2);
  CHECK(trace->operations.front().name == "mm");
  CHECK(trace->assumptions == std::vector<std::string>{"a mask was guessed"});
}

TEST_CASE("rehearsal: the peak is where the most is held, scratch memory of a kernel included", "[estimator]") {
  const auto memory = replay(*read_rehearsal(kStep), {});
  CHECK(memory.fits);
  CHECK(memory.peak_allocated == 106_MiB);  // 4 + 2 + 32 + 4 + 64
  CHECK(memory.peak.phase == RehearsalPhase::kBackward);
  CHECK(memory.steps == 1);
  CHECK(memory.at_peak.at(static_cast<std::size_t>(StorageKind::kActivations)) == 32_MiB);
  CHECK(memory.at_peak.at(static_cast<std::size_t>(StorageKind::kOptimizer)) == 0_B);
  REQUIRE_FALSE(memory.sites.empty());
  CHECK(memory.sites.front().site == "model.py:8");
  CHECK(memory.sites.front().bytes == 32_MiB);
  CHECK(memory.peak_reserved >= memory.peak_allocated);
  CHECK_FALSE(memory.timeline.empty());
}

TEST_CASE("rehearsal: on a card that is too small it does not fit", "[estimator]") {
  const auto trace = *read_rehearsal(kStep);
  CHECK_FALSE(replay(trace, {.capacity = (48_MiB).value()}).fits);
  CHECK(replay(trace, {.capacity = (160_MiB).value()}).fits);
}

TEST_CASE("rehearsal: a torn or impossible line is an error that names it", "[estimator]") {
  const auto message = [](std::string_view text) {
    const auto trace = read_rehearsal(text);
    return trace ? std::string{} : trace.error().message;
  };
  CHECK(message("s 0 a.py:1\na 0 12 0").find("line 2") != std::string::npos);   // torn: no end of line
  CHECK_FALSE(message("s 0 a.py:1\na 1 12 0\n").empty());                        // a storage is missing
  CHECK_FALSE(message("a 0 12 0\n").empty());                                    // no such line of source
  CHECK_FALSE(message("s 0 a.py:1\na 0 12 0\nf 0\nf 0\n").empty());              // freed twice
  CHECK_FALSE(message("f 7\n").empty());
  CHECK_FALSE(message("a 0 99999999999999999999999 0\n").empty());
  CHECK_FALSE(message("p somewhere\n").empty());
  CHECK_FALSE(message("?\n").empty());
  CHECK(message("").empty());
}

TEST_CASE("rehearsal: nothing on the GPU is zero bytes", "[estimator]") {
  const auto memory = replay(*read_rehearsal("p model\n"), {});
  CHECK(memory.peak_reserved == 0_B);
  CHECK(memory.timeline.empty());
}

}  // namespace
}  // namespace gputop
