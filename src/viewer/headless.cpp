#include "gputop/viewer/headless.hpp"

#include <csignal>
#include <cstdio>
#include <utility>

#include "gputop/base/output.hpp"
#include "gputop/core/format.hpp"
#include "gputop/report/advice.hpp"
#include "gputop/report/gpu_csv.hpp"
#include "gputop/report/headless_lines.hpp"
#include "gputop/report/snapshot.hpp"

namespace gputop {
namespace {

// A reading is complete when the GPUs have answered; if they cannot, the host's is all there is.
bool completes_reading(const Event& event, const Model& model) {
  if (std::holds_alternative<GpusSampled>(event.payload)) return true;
  const bool no_gpus = model.gpu_source.state == SourceStatus::State::kUnavailable;
  return no_gpus && std::holds_alternative<HostSampled>(event.payload);
}

// Information that does not fit into CSV.
void say_source(const Event& event) {
  const auto* status = std::get_if<SourceStatus>(&event.payload);
  if (status == nullptr || status->source == "host" || status->source == "lens") return;
  if (status->simulated) complain("SIMULATED: these GPUs do not exist");
  if (status->state == SourceStatus::State::kUnavailable) complain("no GPU: " + printable(status->message));
}

// Says once, on stderr, what can be done without a GPU.
void say_what_works(const Event& event, bool& said) {
  const auto* status = std::get_if<SourceStatus>(&event.payload);
  if (status == nullptr || status->state != SourceStatus::State::kUnavailable || status->source != "nvml") return;
  if (!std::exchange(said, true)) complain(kWithoutGpu);
}

}  // namespace

void say_news(const Event& event) {
  if (const auto* change = std::get_if<ChangeReported>(&event.payload)) complain("change: " + printable(change->text));
  const auto* advised = std::get_if<Advised>(&event.payload);
  if (advised != nullptr && advised->kind != Advised::Kind::kWithdrawn) complain("advice: " + advice_line(*advised));
}

int run_headless(Loop& loop, Engine& engine, const WatchOptions& options) {
  int code = 0;
  bool said_what_works = false;
  std::string said_why;  // why there is no GPU, as printed last
  const auto subscription = engine.listen([&](const Event& event, const Model& model) {
    if (std::holds_alternative<StreamEnded>(event.payload)) loop.stop();
    say_news(event);
    if (options.csv) say_source(event);
    say_what_works(event, said_what_works);
    if (!completes_reading(event, model)) return;
    const auto written = write_out(options.csv ? snapshot_csv_lines(model) : headless_lines(model, said_why), stdout);
    said_why = model.gpus.empty() ? model.gpu_source.message : std::string{};
    if (written == WriteResult::kOk) return;
    code = written == WriteResult::kFailed ? 1 : 0;
    loop.stop();
  });
  loop.on_signals({SIGINT, SIGTERM, SIGHUP}, [&](int) { loop.stop(); });
  auto timer = loop.make_timer();
  if (options.duration) timer->at(Instant{} + *options.duration, [&] { loop.stop(); });
  if (options.csv) {
    // At once: a reader then knows that it has begun, and what the columns are.
    const auto written = write_out(gpu_csv_header(), stdout);
    if (written != WriteResult::kOk) return written == WriteResult::kFailed ? 1 : 0;
  }
  engine.start();
  loop.run();
  return code;
}

}  // namespace gputop
