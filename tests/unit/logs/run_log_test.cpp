// Floods: more lines than anybody reads. The newest are read, and no fault between them is missed.
#include "gputop/logs/run_log.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

constexpr std::size_t kPiece = 65536;

std::string bar(std::uint64_t step) {
  return "\r 42%|####      | " + std::to_string(step) + "/10000000 [00:33<00:10, 229.00it/s]";
}

// Says what it is told in pieces of 64 KiB, all in one second, as a reader of a fast job gets them.
class Flood {
 public:
  void say(std::string_view text) {
    waiting_ += text;
    while (waiting_.size() >= kPiece) give(kPiece);
  }
  void bars(int count) {
    for (int i = 0; i < count; ++i) say(bar(++step_));
  }
  RunLog& rest() {
    give(waiting_.size());
    return log_;
  }
  [[nodiscard]] std::uint64_t step() const { return step_; }

 private:
  void give(std::size_t size) {
    now_ += std::chrono::milliseconds{1};
    log_.output(now_, OutputWritten{0, offset_, waiting_.substr(0, size)});
    waiting_.erase(0, size);
    offset_ += size;
  }
  RunLog log_;
  std::string waiting_;
  std::uint64_t offset_ = 0;
  Instant now_ = at_seconds(100);
  std::uint64_t step_ = 0;
};

TEST_CASE("RunLog: in a flood of updates the newest is known", "[logs]") {
  Flood flood;
  flood.bars(200'500);
  const auto& progress = flood.rest().progress();
  REQUIRE(progress.step);
  CHECK(*progress.step + 100 > flood.step());
}

const std::string kFault =
    "\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    step()\n"
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 24.00 "
    "GiB of which 1.00 GiB is free.\n";

TEST_CASE("RunLog: a fault in the middle of a flood is found, wherever a piece of output ends", "[logs]") {
  for (const std::size_t before : {std::size_t{0}, std::size_t{30}, kFault.size() / 2, kFault.size() - 1, kPiece / 2}) {
    CAPTURE(before);
    Flood flood;
    flood.bars(100'000);
    RunLog& log = flood.rest();
    flood.say(std::string(kPiece - before, '.'));
    flood.say(kFault);
    for (int i = 0; i < 9000; ++i) flood.say("\rwaiting for rank 1");  // a bar that goes on would mean: survived
    flood.rest();
    log.ended(at_seconds(200), RunEnded{1, std::nullopt, "exited with code 1"});
    CHECK(log.end().kind == EndKind::kGpuOom);
  }
}

TEST_CASE("RunLog: a flood within an escape string, or with escapes, is read as it is", "[logs]") {
  Flood flood;
  flood.bars(100'000);
  RunLog& log = flood.rest();
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "\x1b[2K\r\x1b[32mstep\x1b[0m " + std::to_string(i);
  flood.say(text + kFault);
  flood.rest();
  log.ended(at_seconds(200), RunEnded{1, std::nullopt, "exited with code 1"});
  CHECK(log.end().kind == EndKind::kGpuOom);
}

}  // namespace
}  // namespace gputop
