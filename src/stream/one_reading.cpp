#include "gputop/stream/one_reading.hpp"

#include "gputop/base/output.hpp"
#include "gputop/sources/host_source.hpp"
#include "gputop/sources/nvml_guard.hpp"
#include "gputop/stream/stream_started.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr auto kHostWindow = 150ms;  // CPU shares need two readings this far apart
constexpr auto kPatience = 5s;       // for a driver that does not answer at all

// Done when the GPUs have answered (or reported that they cannot) and the host was read twice, the second time with the
// processes on the GPUs.
class Snapshot {
 public:
  Snapshot(Loop& loop, std::unique_ptr<Source> gpus)
      : loop_(loop), engine_(loop, kHostWindow, std::move(gpus), make_host_source()), patience_(loop.make_timer()) {
    subscription_ = engine_.listen([this](const Event& event, const Model&) { heard(event); });
  }

  const Model& take() {
    engine_.publish(stream_started(kHostWindow));
    if (const auto joined = job_joined({}, engine_.model())) engine_.publish(*joined);
    engine_.start();
    patience_->at(loop_.now() + kPatience, [this] { loop_.stop(); });
    loop_.run();
    return engine_.model();
  }

 private:
  void heard(const Event& event) {
    if (const auto* status = std::get_if<SourceStatus>(&event.payload)) {
      gpus_answered_ = status->state == SourceStatus::State::kUnavailable && !status->waited_for;
    }
    if (std::holds_alternative<GpusSampled>(event.payload)) gpus_answered_ = true;
    if (const auto* noted = std::get_if<Noted>(&event.payload); noted && noted->severity != Noted::Severity::kInfo) {
      complain(noted->text);
    }
    if (std::holds_alternative<ProcessesSampled>(event.payload)) {
      const bool knew_processes = gpus_answered_;
      if (++host_readings_ >= 2 && knew_processes) loop_.stop();
    }
  }

  Loop& loop_;
  Engine engine_;
  Engine::Subscription subscription_;
  std::unique_ptr<Loop::Timer> patience_;
  bool gpus_answered_ = false;
  int host_readings_ = 0;
};

}  // namespace

void with_one_reading(std::unique_ptr<Source> gpus, const std::function<void(const Model&)>& use) {
  Loop loop;
  Snapshot reading{loop, std::move(gpus)};
  const Model& model = reading.take();
  main_loop_turns = 1;  // still watched: it has the reading, and must be able to say it
  use(model);
  main_loop_turns = 0;
}

}  // namespace gputop
