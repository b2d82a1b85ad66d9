// What the run says about itself, on the screen: the header's figures and the throughput's chart.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

Model training_model(int seconds = 120) {
  Stream stream;
  stream.feed(0, RunStarted{"r1", "train.py", {"python", "train.py"}, "/home/ada", 1000, true});
  std::uint64_t offset = 0;
  for (int t = 0; t < seconds; ++t) {
    const std::string line = "\rTrain: 3 [ " + std::to_string(t * 4) + "/1251 ( 4%)]  Loss: 6.9  Time: 0.250s, " +
                             std::to_string(900 + t) + ".0/s  LR: 1e-3  Data: 0.100 (0.012)\n";
    stream.feed(t, OutputWritten{0, offset, line});
    offset += line.size();
    stream.run(1, t, t + 1);
  }
  return stream.model;
}

}  // namespace

TEST_CASE("run: the header and a chart say how it gets on", "[ui]") {
  const auto model = training_model();
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}}) {
    ui::Interface interface {
      Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille, { .uid = 1000 }
    };
    const auto text = frame(interface, model, width, height);
    CHECK(text.find("samples/s") != std::string::npos);
    CHECK((text.find("waits for data 40 %") != std::string::npos) == (width == 200));
    CHECK(text.find("epoch 3") != std::string::npos);
    CHECK((text.find("speed 1") != std::string::npos) == (width == 200));
  }
}

TEST_CASE("run: the header has MFU, energy and cost where there is room and they are known", "[ui]") {
  auto model = training_model();
  const auto known = [](double value) { return Fact<double>{value, FactSource::kObserved, {}}; };
  const auto shown = [&](int width, int height) {
    ui::Interface interface {
      Settings{}, Theme{}, term::ColorDepth::kMono, ui::GlyphSet::kBraille, { .uid = 1000 }
    };
    return frame(interface, model, width, height);
  };
  CHECK(shown(200, 50).find("MFU") == std::string::npos);
  auto& efficiency = model.advice.facts.efficiency;
  efficiency.mfu = known(0.41);
  efficiency.cost = known(1.5);
  CHECK(shown(200, 50).find("MFU 41 %") != std::string::npos);
  CHECK(shown(200, 50).find("cost 1.50") != std::string::npos);
  CHECK(shown(80, 24).find("cost 1.50") == std::string::npos);  // speed, progress and loss come first
}
