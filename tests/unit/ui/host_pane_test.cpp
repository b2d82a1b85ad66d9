// The host's pane: what a run adds to it.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

std::string screen_of(const Model& model) {
  ui::Interface interface {
    Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille, ui::Identity { .uid = 1000 }
  };
  return frame(interface, model, 200, 50);
}

// A rank and its loader's workers, each with so much CPU; the first `in_disk` of them wait for a disk.
std::vector<ProcessReading> loading(unsigned workers, Reading<Percent> cpu, unsigned in_disk) {
  std::vector<ProcessReading> processes{process(1000, 1, "ada", "python train.py")};
  for (unsigned i = 0; i < workers; ++i) {
    auto& worker = processes.emplace_back(process(2000 + i, 1000, "ada", "python train.py"));
    worker.cpu = cpu;
    worker.state = i < in_disk ? 'D' : 'R';
  }
  return processes;
}

Stream started() {
  Stream stream;
  stream.run(1, 0, 3);
  stream.feed(3, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  return stream;
}

}  // namespace

TEST_CASE("host: the loader's workers are counted, with what they do", "[ui]") {
  auto stream = started();
  stream.feed(4, ProcessesSampled{loading(4, 50_percent, 1)});
  CHECK(screen_of(stream.model).find("data  4 workers, 0.50 cores each, idle 25 %, disk 25 %") != std::string::npos);
  stream.feed(5, ProcessesSampled{loading(1, 92_percent, 0)});
  CHECK(screen_of(stream.model).find("data  1 worker, 0.92 cores, idle 8 %, disk 0 %") != std::string::npos);
}

TEST_CASE("host: what is not known of the workers is not said", "[ui]") {
  auto stream = started();
  CHECK(screen_of(stream.model).find("│ data ") == std::string::npos);
  stream.feed(4, ProcessesSampled{loading(2, 50_percent, 0)});
  stream.feed(7, ProcessesSampled{loading(2, std::nullopt, 0)});
  CHECK(screen_of(stream.model).find("data  2 workers, disk 0 %") != std::string::npos);
  stream.feed(8, RunEnded{});
  CHECK(screen_of(stream.model).find("│ data ") == std::string::npos);
}
