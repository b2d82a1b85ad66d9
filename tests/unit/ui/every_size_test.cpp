// Any size, any model, any keys: no crash, every cell painted, SIMULATED never hidden.
#include <catch2/catch_test_macros.hpp>

#include <random>

#include <ftxui/screen/string.hpp>

#include "gputop/core/format.hpp"
#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

using Random = std::mt19937;

int below(Random& random, int limit) {
  return static_cast<int>(random() % static_cast<unsigned>(limit));
}

std::string noise(Random& random) {
  static const std::vector<std::string> kPieces{"python", " ",      "学習", "🚀", "e\u0301", "\x1b[2J",
                                                "\xff",   "\u202E", "x",    "/", "–",       "\t"};
  std::string text;
  for (int i = below(random, 12); i > 0; --i)
    text += kPieces[static_cast<std::size_t>(below(random, static_cast<int>(kPieces.size())))];
  return text;
}

// A reading with holes in it, and numbers no board has.
GpuReading wild_gpu(Random& random, unsigned index) {
  auto gpu = healthy_gpu(index, static_cast<double>(below(random, 100)));
  gpu.name = noise(random);
  gpu.error = below(random, 4) == 0 ? noise(random) : "";
  gpu.state = static_cast<GpuState>(below(random, 4));
  if (below(random, 2) == 0) gpu.utilization.reset();
  if (below(random, 3) == 0) gpu.memory_total = Bytes{0};
  if (below(random, 3) == 0) gpu.memory_used = Bytes{~std::uint64_t{0}};
  if (below(random, 4) == 0) gpu.power = Watts{1e300};
  if (below(random, 4) == 0) gpu.power_limit = Watts{-1};
  if (below(random, 4) == 0) gpu.pcie_rx = BytesPerSecond{1e30};
  if (below(random, 4) == 0) gpu.temperature = Celsius{-400};
  if (below(random, 4) == 0) gpu.throttle = ThrottleReasons{random()};
  if (below(random, 3) == 0) gpu.processes.reset();
  if (below(random, 4) == 0) gpu.ecc_uncorrected = ~std::uint64_t{0};
  return gpu;
}

Payload wild_event(Random& random) {
  switch (below(random, 7)) {
    case 0: return HostSampled{host_reading(static_cast<unsigned>(below(random, 300)), below(random, 9))};
    case 1: {
      std::vector<ProcessReading> processes;
      for (int i = below(random, 60); i > 0; --i) {
        processes.push_back(process(1 + below(random, 2000), below(random, 2000), noise(random), noise(random)));
      }
      return ProcessesSampled{processes};
    }
    case 2:
      return GpuHappened{static_cast<unsigned>(below(random, 70)), GpuHappened::Kind::kXid, random(), noise(random)};
    case 3: return Noted{static_cast<Noted::Severity>(below(random, 3)), noise(random)};
    case 4:
      return SourceStatus{"nvml", below(random, 3) == 0 ? SourceStatus::State::kUnavailable : SourceStatus::State::kOk,
                          noise(random), noise(random), false};
    default: {
      std::vector<GpuReading> gpus;
      const int count = below(random, 3) == 0 ? below(random, 70) : below(random, 4);
      for (int i = 0; i < count; ++i) gpus.push_back(wild_gpu(random, static_cast<unsigned>(i)));
      return GpusSampled{gpus};
    }
  }
}

ftxui::Event wild_input(Random& random) {
  if (below(random, 4) == 0) {
    ftxui::Mouse mouse;
    mouse.button = static_cast<ftxui::Mouse::Button>(below(random, 8));
    mouse.motion = static_cast<ftxui::Mouse::Motion>(below(random, 3));
    mouse.x = below(random, 260) - 5;
    mouse.y = below(random, 80) - 5;
    return ftxui::Event::Mouse("", mouse);
  }
  if (below(random, 5) == 0) return ftxui::Event::Character(static_cast<char>(33 + below(random, 94)));
  const auto entries = ui::key_entries();
  const auto names = ui::key_names(entries[static_cast<std::size_t>(below(random, static_cast<int>(entries.size())))]);
  return ui::key_event(names[static_cast<std::size_t>(below(random, static_cast<int>(names.size())))]);
}

}  // namespace

TEST_CASE("any size, model and keys: nothing breaks", "[fuzz]") {
  for (unsigned seed = 0; seed < 24; ++seed) {
    Random random{seed};
    INFO("seed " << seed);
    const auto glyphs = static_cast<ui::GlyphSet>(seed % 3);
    ui::Interface interface {
      Settings{}, Theme{}, term::ColorDepth::k256, glyphs, ui::Identity { .uid = 1000 }
    };
    interface.set_themes({"a", "b"});
    Stream stream{true};
    double at = 0;
    for (int step = 0; step < 60; ++step) {
      at += below(random, 5) == 0 ? below(random, 100000) : 0.5;
      stream.feed(at, wild_event(random));
      interface.handle(wild_input(random), stream.model);
      const bool huge = below(random, 60) == 0;
      const int width = huge ? 1000 : 1 + below(random, below(random, 3) == 0 ? 250 : 90);
      const int height = huge ? 500 : 1 + below(random, below(random, 3) == 0 ? 70 : 30);
      ftxui::Screen screen{width, height};
      interface.render(stream.model, screen);
      int columns = 0;
      std::string top;
      for (int x = 0; x < width; ++x) {
        // The right half of a wide character is empty; an empty cell elsewhere is a space.
        const int wide = ftxui::string_width(screen.PixelAt(x, 0).character);
        columns += wide == 0 && columns <= x ? 1 : wide;
        top += screen.PixelAt(x, 0).character;
      }
      CHECK(columns == width);
      INFO(width << "x" << height << ": " << top);
      CHECK(top.find(std::string{"SIMULATED"}.substr(0, static_cast<std::size_t>(std::min(width - 1, 9)))) !=
            std::string::npos);
    }
  }
}

TEST_CASE("every size from 1×1 to 60×20 can be painted", "[fuzz]") {
  const auto model = working_model(3, 20, true);
  ui::Interface interface {
    Settings{}, Theme{}, term::ColorDepth::k16, ui::GlyphSet::kBraille, ui::Identity {}
  };
  for (int height = 1; height <= 20; ++height) {
    for (int width = 1; width <= 60; ++width) {
      ftxui::Screen screen{width, height};
      CHECK(interface.render(model, screen));
    }
  }
}

TEST_CASE("from 40×12 up every size shows GPU lines", "[fuzz]") {
  const auto model = working_model(2, 20);
  ui::Interface interface {
    Settings{}, Theme{}, term::ColorDepth::k16, ui::GlyphSet::kBraille, ui::Identity {}
  };
  for (const auto& [width, height] :
       {std::pair{40, 12}, std::pair{60, 12}, std::pair{80, 24}, std::pair{200, 50}, std::pair{1000, 500}}) {
    const auto text = frame(interface, model, width, height);
    CHECK(text.find("  0 ") != std::string::npos);
    CHECK(text.find("  1 ") != std::string::npos);
  }
}

TEST_CASE("64 of 64 GPUs are readable at 200×50", "[grid]") {
  const auto model = working_model(64, 20);
  ui::Interface interface {
    Settings{}, Theme{}, term::ColorDepth::k16, ui::GlyphSet::kBraille, ui::Identity {}
  };
  const auto text = frame(interface, model, 200, 50);
  for (const auto& track : model.gpus) {
    const auto reading = format_reading(track.now.power, " W");
    INFO("GPU " << track.now.index << " " << reading);
    CHECK(text.find(reading) != std::string::npos);
  }
}
