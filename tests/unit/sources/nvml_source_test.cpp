// The source on bad days: no library, no driver, hangs, lost GPUs, Xids. Time is the scenario's own and stands still.
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <string>

#include "nvml_fixture.hpp"

using namespace gputop;
using namespace gputop::literals;
using test::Collector;
using test::FakeNvml;
using test::Running;
using Happened = GpuHappened::Kind;

namespace {

SourceStatus status_of(const std::string& scenario) {
  const FakeNvml fake{scenario};
  Running running{fake};
  return running.events.next<SourceStatus>();
}

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("nvml: says which driver it talks to, then answers each tick at the tick's time", "[nvml]") {
  const FakeNvml fake{"gpus 2\ndriver 550.54.14\ngpu * utilization 5\n"};
  Running running{fake};
  const auto status = running.events.next<SourceStatus>();
  CHECK(status == SourceStatus{"nvml", SourceStatus::State::kOk, "", "550.54.14", false});
  CHECK(running.read().gpus.size() == 2);
  CHECK(running.read().gpus.size() == 2);
}

TEST_CASE("nvml: an absent library is said with its name and what to do", "[nvml]") {
  NvmlOptions options;
  options.library = "libno-such-nvml.so.1";
  Running running{options};
  const auto status = running.events.next<SourceStatus>();
  CHECK(status.state == SourceStatus::State::kUnavailable);
  CHECK(contains(status.message, "libno-such-nvml.so.1"));
  CHECK(contains(status.message, "install the NVIDIA driver"));
}

TEST_CASE("nvml: a library that is not NVML is said to be none", "[nvml]") {
  CHECK(contains(status_of("without nvml*").message, "not NVIDIA's management library"));
}

TEST_CASE("nvml: why NVML does not start is said exactly", "[nvml]") {
  CHECK(contains(status_of("error nvmlInit* 9").message, "driver is not loaded (nvmlInit_v2: driver not loaded (9))"));
  CHECK(contains(status_of("error nvmlInit* 18").message, "different versions"));
  CHECK(contains(status_of("error nvmlInit* 4").message, "no permission"));
  CHECK(contains(status_of("error nvmlInit* 999").message, "unknown error (999)"));
  CHECK(contains(status_of("error nvmlInit* 77").message, "error 77"));
  CHECK(contains(status_of("gpus 0\ndriver 535.1").message, "535.1 is loaded but reports no GPU"));
  CHECK(contains(status_of("without nvmlDevice*").message, "nvmlDeviceGetCount_v2: function not found (13)"));
  CHECK(contains(status_of("error nvmlDeviceGetCount* 999").message, "nvmlDeviceGetCount_v2"));
}

TEST_CASE("nvml: a driver that is loaded later is found, and initialised once", "[nvml]") {
  const FakeNvml fake{"error nvmlInit* 9 until 5\ngpu 0 utilization 50\n"};
  Running running{fake};
  CHECK(running.events.next<SourceStatus>().state == SourceStatus::State::kUnavailable);
  fake.set_time(6);
  running.tick();
  CHECK(running.events.next<SourceStatus>().state == SourceStatus::State::kOk);
  CHECK(running.read().gpus.at(0).utilization == 50_percent);
  const auto inits = fake.calls("nvmlInit*");
  for (int i = 0; i < 3; ++i) running.read();
  CHECK(fake.calls("nvmlInit*") == inits);
}

TEST_CASE("nvml: a version mismatch is not tried again", "[nvml]") {
  const FakeNvml fake{"error nvmlInit_v2 18\nwithout nvmlInit\n"};
  Running running{fake};
  running.events.next<SourceStatus>();
  for (int i = 0; i < 3; ++i) running.tick();
  Running other{fake};  // by the time a second source has failed the first would have tried again
  other.events.next<SourceStatus>();
  CHECK(fake.calls("nvmlInit_v2") == 2);
}

TEST_CASE("nvml: GPUs asked for that are not there are named", "[nvml]") {
  const FakeNvml fake{"gpus 2\n"};
  auto options = fake.options();
  options.gpus = {7};
  Running none{options};
  CHECK(contains(none.events.next<SourceStatus>().message, "there is no GPU 7: this machine has 2"));
  options.gpus = {1, 7};
  Running some{options};
  CHECK(contains(some.events.next<Noted>().text, "there is no GPU 7"));
  CHECK(some.read().gpus.size() == 1);
}

TEST_CASE("nvml: a GPU that hangs is not answering while the others go on, and comes back", "[nvml]") {
  const FakeNvml fake{"gpus 3\ngpu * utilization 40+1i\ngpu 1 hang nvmlDeviceGetPowerUsage at 5 for 10\n"};
  Running running{fake.impatient()};
  for (const auto& gpu : running.read().gpus) CHECK(gpu.state == GpuState::kOk);

  fake.set_time(6);
  const auto during = running.read().gpus;
  CHECK(during.at(1).state == GpuState::kNotAnswering);
  CHECK(contains(during[1].error, "not answering for "));
  CHECK(contains(during[1].error, "(nvmlDeviceGetPowerUsage)"));
  CHECK_FALSE(during[1].utilization);
  CHECK_FALSE(during[1].name.empty());
  CHECK(during.at(0).utilization == 40_percent);
  CHECK(during.at(2).utilization == 42_percent);
  for (int i = 0; i < 5; ++i) CHECK(running.read().gpus.at(2).utilization == 42_percent);

  fake.set_time(16);
  CHECK(running.events.next_happening(Happened::kAnswering).index == 1);
  const auto after = running.read().gpus;
  CHECK(after.at(1).state == GpuState::kOk);
  CHECK(after.at(1).utilization == 41_percent);
  CHECK(after.at(1).error.empty());
}

TEST_CASE("nvml: it is said once that a GPU does not answer", "[nvml]") {
  const FakeNvml fake{"gpus 2\ngpu 1 hang nvmlDeviceGet[P-U]* at 5 for ever\n"};
  Running running{fake.impatient()};
  running.read();
  fake.set_time(6);
  running.tick();
  CHECK(running.events.next_happening(Happened::kNotAnswering).index == 1);
  running.read();
  running.stop();
  const auto total = running.events.total();
  fake.set_time(1e9);
  CHECK(running.events.total() == total);
}

TEST_CASE("nvml: a call of the slow lane that hangs is told, too, and the fast readings go on", "[nvml]") {
  const FakeNvml fake{
      "gpus 10\ngpu * utilization steps 0:10 6:60\ngpu * power_limit 300\n"
      "gpu 9 hang nvmlDeviceGetPcieThroughput at 5 for 10\n"};
  Running running{fake.impatient()};
  running.read();
  fake.set_time(6);
  running.tick();
  CHECK(running.events.next_happening(Happened::kNotAnswering).index == 9);
  const auto during = running.read().gpus;
  CHECK(during.at(9).state == GpuState::kNotAnswering);
  CHECK(contains(during[9].error, "nvmlDeviceGetPcieThroughput"));
  CHECK(during[9].utilization == 60_percent);
  CHECK_FALSE(during[9].power_limit);
  CHECK(during.at(1).state == GpuState::kOk);  // shares the lane of GPU 9
  CHECK(during[1].power_limit == 300_W);
  fake.set_time(16);
  CHECK(running.events.next_happening(Happened::kAnswering).index == 9);
  CHECK(running.read().gpus.at(9).state == GpuState::kOk);
}

TEST_CASE("nvml: a GPU that hangs while it is looked up does not keep the others", "[nvml]") {
  const FakeNvml fake{"gpus 3\ngpu * utilization 40\ngpu 0 hang nvmlDeviceGetHandleByIndex_v2 at 0 for 5\n"};
  Running running{fake.impatient()};
  const auto during = running.read().gpus;
  CHECK(during.at(0).state == GpuState::kNotAnswering);
  CHECK(during.at(1).utilization == 40_percent);
  fake.set_time(6);
  running.events.next_happening(Happened::kAnswering);
  CHECK(running.read().gpus.at(0).utilization == 40_percent);
}

TEST_CASE("nvml: when the whole driver hangs all GPUs say so, with a bounded number of threads, and all come back",
          "[nvml]") {
  const FakeNvml fake{"gpus 8\ngpu * utilization 40\nhang nvmlDeviceGetUtilizationRates at 5 for 10\n"};
  auto options = fake.impatient();
  options.most_abandoned_threads = 3;
  Running running{options};
  running.read();
  const auto calls = fake.calls("nvmlDeviceGetUtilizationRates");
  fake.set_time(6);
  for (const auto& gpu : running.read().gpus) CHECK(gpu.state == GpuState::kNotAnswering);
  for (const auto& gpu : running.read().gpus) CHECK(gpu.state == GpuState::kNotAnswering);
  CHECK(fake.calls("nvmlDeviceGetUtilizationRates") - calls == 4);  // three left behind, one waits
  fake.set_time(16);
  running.read_until([](const GpusSampled& sampled) {
    return std::all_of(sampled.gpus.begin(), sampled.gpus.end(),
                       [](const auto& gpu) { return gpu.utilization == 40_percent; });
  });
}

TEST_CASE("nvml: when nvmlInit hangs that is said, and waited for", "[nvml]") {
  const FakeNvml fake{"gpu 0 utilization 9\nhang nvmlInit_v2 at 0 for 5\n"};
  Running running{fake.impatient()};
  running.tick();
  const auto status = running.events.next<SourceStatus>();
  CHECK(status.state == SourceStatus::State::kUnavailable);
  CHECK(contains(status.message, "NVML is not answering (nvmlInit_v2)"));
  fake.set_time(6);
  CHECK(running.events.next<SourceStatus>().state == SourceStatus::State::kOk);
  CHECK(running.read().gpus.at(0).utilization == 9_percent);
}

TEST_CASE("nvml: stopping does not wait for a call that hangs, and nothing is emitted afterwards", "[nvml]") {
  for (const std::string call :
       {"nvmlInit_v2", "nvmlDeviceGetPowerUsage", "nvmlDeviceGetPcieThroughput", "nvmlEventSetWait_v2"}) {
    const FakeNvml fake{"hang " + call + " at 0 for ever\n"};
    Running running{fake};
    running.tick();
    while (fake.calls(call.c_str()) == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    running.stop();
    const auto total = running.events.total();
    running.tick();
    fake.set_time(1e9);
    CHECK(running.events.total() == total);
  }
}

TEST_CASE("nvml: a lost GPU is marked, its handle not used again, and it is found when it returns", "[nvml]") {
  const FakeNvml fake{"gpus 2\ngpu * utilization 40+1i\ngpu 1 lost from 5 until 10\n"};
  Running running{fake};
  running.read();
  fake.set_time(6);
  running.tick();
  const auto lost = running.events.next_happening(Happened::kLost);
  CHECK(lost.index == 1);
  for (int i = 0; i < 3; ++i) {
    const auto gpus = running.read().gpus;
    CHECK(gpus.at(0).utilization == 40_percent);
    CHECK(gpus.at(1).state == GpuState::kLost);
    CHECK(contains(gpus[1].error, "lost"));
    CHECK_FALSE(gpus[1].utilization);
    CHECK_FALSE(gpus[1].processes);
    CHECK(gpus[1].name == "Fake GPU");
  }
  CHECK(fake.dead_uses() == 0);
  CHECK(fake.calls("nvmlInit_v2") == 1);  // the other GPU's handle must go on

  fake.set_time(11);
  running.tick();
  CHECK(running.events.next_happening(Happened::kReturned).index == 1);
  CHECK(running.read().gpus.at(1).utilization == 41_percent);
  CHECK(running.read().gpus.at(1).processes);
  CHECK(fake.dead_uses() == 0);
}

TEST_CASE("nvml: when all GPUs are lost NVML is initialised again", "[nvml]") {
  const FakeNvml fake{"gpus 2\ngpu * utilization 40\ngpu * lost from 5 until 10\n"};
  Running running{fake};
  running.read();
  fake.set_time(6);
  for (int i = 0; i < 3; ++i) CHECK(running.read().gpus.at(1).state == GpuState::kLost);
  CHECK(fake.calls("nvmlInit_v2") > 1);
  fake.set_time(11);
  running.read_until([](const GpusSampled& sampled) {
    return sampled.gpus.at(0).utilization == 40_percent && sampled.gpus.at(1).utilization == 40_percent;
  });
}

TEST_CASE("nvml: a GPU we may not open has failed, with the reason, and is tried again", "[nvml]") {
  const FakeNvml fake{"gpus 2\ngpu * utilization 40\ngpu 1 error nvmlDeviceGetHandleByIndex* no_permission until 5\n"};
  Running running{fake};
  const auto gpus = running.read().gpus;
  CHECK(gpus.at(0).utilization == 40_percent);
  CHECK(gpus.at(1).state == GpuState::kFailed);
  CHECK(gpus.at(1).error == "no handle: no permission (4)");
  fake.set_time(6);
  running.read();
  CHECK(running.read().gpus.at(1).utilization == 40_percent);
}

TEST_CASE("nvml: Xids and uncorrected ECC errors are told in words", "[nvml]") {
  const FakeNvml fake{"gpus 2\ngpu 1 xid 79 at 5\ngpu 0 ecc_error at 6\ngpu 0 xid 12345 at 7\n"};
  Running running{fake};
  running.read();
  fake.set_time(5);
  auto happened = running.events.next_happening(Happened::kXid);
  CHECK(happened.index == 1);
  CHECK(happened.code == 79);
  CHECK(happened.text == "Xid 79: GPU has fallen off the bus");
  fake.set_time(6);
  CHECK(running.events.next_happening(Happened::kEccUncorrected).index == 0);
  fake.set_time(7);
  CHECK(running.events.next_happening(Happened::kXid).text == "Xid 12345");
}

TEST_CASE("nvml: without the newer event call the older one is used, without any there are no events but all else",
          "[nvml]") {
  const FakeNvml older{"gpu 0 xid 48 at 5\nwithout nvmlEventSetWait_v2\n"};
  Running running{older};
  running.read();
  older.set_time(5);
  CHECK(running.events.next_happening(Happened::kXid).text == "Xid 48: double-bit ECC error");
  CHECK(test::read_once("gpu 0 utilization 3\nwithout nvmlEvent*\n").at(0).utilization == 3_percent);
}

TEST_CASE("nvml: a first reading that does not wait comes without what is slow, the next has it", "[nvml]") {
  const FakeNvml fake{"gpu 0 utilization 3\ngpu 0 pcie_rx 5\nhang nvmlDeviceGetPcieThroughput at 0 for 5\n"};
  auto options = fake.options();
  options.first_reading_waits = std::chrono::milliseconds{0};
  Running running{options};
  const auto first = running.read().gpus.at(0);
  CHECK(first.utilization == 3_percent);
  CHECK_FALSE(first.pcie_rx);
  fake.set_time(6);
  CHECK(running.read_until([](const auto& sampled) { return sampled.gpus.at(0).pcie_rx.has_value(); })
            .gpus.at(0)
            .pcie_rx == BytesPerSecond{5120});
}
