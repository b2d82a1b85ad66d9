// Whole frames, kept as text: the good day, each pane on its own, and the bad days.
#include <catch2/catch_test_macros.hpp>

#include "support/frames.hpp"
#include "support/models.hpp"
#include "ui/keymap.hpp"

using namespace gputop;
using namespace gputop::test;

namespace {

ui::Interface make_interface(ui::GlyphSet glyphs = ui::GlyphSet::kBraille) {
  ui::Interface interface {
    Settings{}, Theme{}, term::ColorDepth::kMono, glyphs, ui::Identity { .uid = 1000 }
  };
  interface.set_themes({"default", "night"});
  return interface;
}

void press(ui::Interface& interface, const Model& model, std::initializer_list<const char*> keys) {
  auto screen = blank_screen(90, 26);  // another size than the frame that is kept, so that that one is painted
  interface.render(model, screen);
  for (const auto* key : keys) {
    interface.handle(ui::key_event(key), model);
    interface.render(model, screen);
  }
}

// At both sizes that are first-class.
void check_both(const std::string& name, const Model& model, std::initializer_list<const char*> keys = {}) {
  for (const auto& [width, height] : {std::pair{80, 24}, std::pair{200, 50}}) {
    auto interface = make_interface();
    press(interface, model, keys);
    check_golden(name + "_" + std::to_string(width) + "x" + std::to_string(height),
                 frame(interface, model, width, height));
  }
}

Model eventful_model() {
  Stream stream;
  stream.run(2, 0, 120);
  stream.feed(120, GpuHappened{1, GpuHappened::Kind::kXid, 79, "Xid 79: fallen off the bus"});
  stream.feed(121, Noted{Noted::Severity::kWarning, "recording paused: no space left on device"});
  stream.feed(122, Noted{Noted::Severity::kInfo, "SIGTERM to process 1000: sent"});
  stream.run(2, 123, 200);
  return stream.model;
}

Model with_gpu(GpuState state, std::string error) {
  Stream stream;
  stream.run(2, 0, 60);
  auto gpus = healthy_gpus(2, 6);
  GpuReading dead;
  dead.index = 1;
  dead.name = gpus[1].name;
  dead.state = state;
  dead.error = std::move(error);
  gpus[1] = dead;
  stream.feed(75, GpusSampled{gpus});
  return stream.model;
}

}  // namespace

TEST_CASE("golden: one GPU at work", "[golden]") {
  check_both("main_1_gpu", working_model(1));
}
TEST_CASE("golden: eight GPUs at work", "[golden]") {
  check_both("main_8_gpus", working_model(8));
}
TEST_CASE("golden: 64 GPUs", "[golden]") {
  check_both("main_64_gpus", working_model(64, 30));
}
TEST_CASE("golden: a simulation says so", "[golden]") {
  check_both("simulated", working_model(1, 30, true));
}
TEST_CASE("golden: processes as a tree on the whole screen", "[golden]") {
  check_both("processes", working_model(8, 30), {"t", "z"});
}
TEST_CASE("golden: charts on the whole screen, with a cursor", "[golden]") {
  check_both("charts", eventful_model(), {"Shift-Tab", "z", "Left", "Left"});
}
TEST_CASE("golden: GPUs on the whole screen", "[golden]") {
  check_both("gpus", working_model(8, 30), {"Shift-Tab", "Shift-Tab", "z"});
}
TEST_CASE("golden: host on the whole screen", "[golden]") {
  check_both("host", working_model(2, 30), {"Tab", "z"});
}
TEST_CASE("golden: events on the whole screen", "[golden]") {
  check_both("events", eventful_model(), {"z", "Tab", "Tab"});
}
TEST_CASE("golden: help", "[golden]") {
  check_both("help", working_model(1, 30), {"?"});
}
TEST_CASE("golden: setup", "[golden]") {
  check_both("setup", working_model(1, 30), {"F2", "Down"});
}
TEST_CASE("golden: the sort menu", "[golden]") {
  check_both("sort_menu", working_model(1, 30), {"F6"});
}
TEST_CASE("golden: the signal menu", "[golden]") {
  check_both("signal_menu", working_model(1, 30), {"F9"});
}
TEST_CASE("golden: the question before a signal", "[golden]") {
  check_both("confirm", working_model(1, 30), {"F9", "Down", "Enter"});
}

TEST_CASE("golden: no driver", "[golden]") {
  Stream stream;
  stream.feed(
      0, SourceStatus{"nvml", SourceStatus::State::kUnavailable,
                      "the NVIDIA driver is not loaded (nvmlInit: driver not loaded); try: nvidia-smi, modprobe nvidia",
                      "", false});
  stream.feed(1, HostSampled{host_reading()});
  check_both("no_driver", stream.model);
}

TEST_CASE("golden: before the first reading", "[golden]") {
  check_both("nothing_yet", Stream{}.model);
}

TEST_CASE("golden: a lost GPU", "[golden]") {
  check_both("gpu_lost", with_gpu(GpuState::kLost, "GPU is lost: it has fallen off the bus, a reboot is needed"));
}

TEST_CASE("golden: a GPU that does not answer", "[golden]") {
  check_both("gpu_not_answering", with_gpu(GpuState::kNotAnswering, ""));
}

TEST_CASE("golden: a troubled GPU comes first among many", "[golden]") {
  Stream stream;
  stream.run(64, 0, 10);
  auto gpus = healthy_gpus(64, 2);
  gpus[41].state = GpuState::kLost;
  gpus[41].error = "fallen off the bus";
  gpus[7].ecc_uncorrected = 3;
  gpus[20].throttle = ThrottleReasons{0x40};
  gpus[50].pcie.width = 8;
  stream.feed(12, GpusSampled{gpus});
  check_both("64_gpus_troubled", stream.model);
}

TEST_CASE("golden: nothing is known but the name", "[golden]") {
  Stream stream;
  GpuReading gpu;
  gpu.name = "NVIDIA Mystery";
  gpu.processes.emplace().push_back({.pid = 4242});
  HostReading host;
  host.hostname = "node7";
  host.cpu_count = 2;
  host.cores.resize(2);
  stream.feed(1, GpusSampled{{gpu}});
  stream.feed(1, HostSampled{host});
  check_both("unknown_readings", stream.model);
}

TEST_CASE("golden: faults in words: throttling, a narrow link, ECC, Xid, a sensor error", "[golden]") {
  Stream stream;
  auto gpus = healthy_gpus(2, 1);
  gpus[0].throttle = ThrottleReasons{0x40};
  gpus[0].pcie.width = 4;
  gpus[0].ecc_uncorrected = 2;
  gpus[1].power = 590_W;
  stream.feed(1, GpusSampled{gpus});
  stream.feed(2, GpuHappened{0, GpuHappened::Kind::kXid, 48, "Xid 48: double-bit ECC error"});
  check_both("gpu_faults", stream.model);
}

TEST_CASE("golden: ASCII and the plain console", "[golden]") {
  const auto model = working_model(2, 60);
  for (const auto& [name, glyphs] :
       {std::pair{"ascii", ui::GlyphSet::kAscii}, std::pair{"blocks", ui::GlyphSet::kBlocks}}) {
    auto interface = make_interface(glyphs);
    check_golden(std::string{name} + "_80x24", frame(interface, model, 80, 24));
  }
}

TEST_CASE("golden: 40 by 12 still shows the GPUs and SIMULATED", "[golden]") {
  auto interface = make_interface();
  check_golden("small_40x12", frame(interface, working_model(2, 30, true), 40, 12));
}
