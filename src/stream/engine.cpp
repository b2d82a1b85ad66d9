#include "gputop/stream/engine.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "gputop/app/advise.hpp"
#include "gputop/sources/host_source.hpp"

namespace gputop {
namespace {

// How far the wall clock may drift from the monotonic clock before the stream reports it.
constexpr std::chrono::seconds kWallTolerance{2};

constexpr Duration kSlowHost = std::chrono::seconds{2};

// CPU time of this thread, which a busy machine does not prolong.
Duration thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

WallTime wall_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

}  // namespace

Engine::Engine(Loop& loop, Duration interval, std::unique_ptr<Source> gpus, std::unique_ptr<HostSource> host)
    : loop_(loop), interval_(interval), gpus_(std::move(gpus)), host_(std::move(host)), timer_(loop.make_timer()) {
  model_.gpu_retention = GpuRetention::live();
  if (host_) model_.reader_clock = thread_cpu_time;  // a replay must be reproducible
}

Engine::~Engine() {
  *alive_ = false;
  if (gpus_) gpus_->stop();
  if (host_) host_->stop();
}

Engine::Subscription Engine::listen(Listener listener) {
  auto handle = std::make_shared<Listener>(std::move(listener));
  listeners_.push_back(handle);
  return handle;
}

Source::Sink Engine::sink() {
  return [this, alive = alive_](Event event) {
    if (std::this_thread::get_id() == thread_) {
      publish(std::move(event));
      return;
    }
    loop_.post([this, alive, event = std::move(event)]() mutable {
      if (*alive) publish(std::move(event));
    });
  };
}

void Engine::start() {
  const Instant now = loop_.now();
  if (host_) host_->start(now, sink());
  gpus_->start(now, sink());
  if (host_) watch_processes();  // of the restored run
  next_ = now;
  tick();
}

void Engine::set_interval(Duration interval) {
  interval_ = interval;
  next_ = loop_.now() + interval_;
  arm();
}

void Engine::tick() {
  const Instant now = loop_.now();
  follow_wall_clock();
  gpus_->tick(now);
  if (host_ && !host_off_) read_the_host(now);
  // Whole intervals from the first tick, so readings do not drift; missed ticks are skipped.
  next_ += interval_;
  if (next_ <= now) next_ += interval_ * ((now - next_) / interval_ + 1);
  arm();
}

void Engine::read_host() {
  if (host_) host_->tick_all(loop_.now());
}

void Engine::arm() {
  timer_->at(next_, [this] { tick(); });
}

void Engine::follow_wall_clock() {
  if (!host_) return;  // a replay uses its recording's clock
  const WallTime origin =
      wall_now() - std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now().time_since_epoch());
  const auto drift = origin - model_.stream.wall;
  if (std::chrono::abs(drift) > kWallTolerance) publish({loop_.now(), ClockAdjusted{origin}});
}

// The processes on the GPUs, and the whole tree of the run.
void Engine::watch_processes() {
  std::vector<std::int64_t> pids;
  for (const auto& track : model_.gpus) {
    if (!track.now.processes) continue;
    for (const auto& process : *track.now.processes) pids.push_back(process.pid);
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  std::vector<std::int64_t> roots;
  if (model_.run && !model_.run->end) roots.push_back(model_.run->started.pid);
  if (more_roots_) {
    for (const auto pid : more_roots_()) roots.push_back(pid);
  }
  host_->watch(std::move(pids), std::move(roots));
}

// A flood of output is not kept: only the screen's own copy matters, and the recording has it.
void Engine::keep(const Event& event) {
  constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
  const auto* output = std::get_if<OutputWritten>(&event.payload);
  if (output && since_->bytes > kMostBytes) return;
  since_->bytes += output ? output->bytes.size() : 0;
  since_->events.push_back(event);
}

void Engine::expect_past() {
  since_ = Since{};
}

void Engine::adopt(Model past) {
  if (!past.run && model_.run) {  // its writer was killed before writing it
    since_.reset();
    return;
  }
  past.revision = std::max(past.revision, model_.revision);
  past.advice = std::move(model_.advice);  // it has the user's limits
  past.gpu_retention = model_.gpu_retention;
  past.reader_clock = model_.reader_clock;
  if (past.run) past.run->log.set_clock(past.reader_clock);
  model_ = std::move(past);
  for (const auto& event : std::exchange(since_, {}).value_or(Since{}).events) update(model_, event);
  if (host_) watch_processes();
}

void Engine::switch_off(bool& off, const std::string& what, const std::string& why) {
  off = true;
  loop_.post([this, alive = alive_, text = what + " for this run: " + why] {
    if (*alive) publish({loop_.now(), Noted{Noted::Severity::kError, text}});
  });
}

// Updates the Model. A reader that fails takes down neither the engine nor the other readers.
void Engine::read(const Event& event) {
  const bool is_output = std::holds_alternative<OutputWritten>(event.payload);
  const bool is_lens = std::holds_alternative<LensReported>(event.payload);
  if ((is_output && output_off_) || (is_lens && lens_off_)) return;
  try {
    update(model_, event);
  } catch (const std::exception& failure) {
    if (!is_output && !is_lens) throw;
    is_output ? switch_off(output_off_, "the run's output is no longer parsed", failure.what())
              : switch_off(lens_off_, "lens messages are no longer read", failure.what());
  }
  if (advice_off_) return;
  try {
    advise(model_, event);
  } catch (const std::exception& failure) {
    switch_off(advice_off_, "the advisor is disabled", failure.what());
  }
}

void Engine::read_the_host(Instant now) {
  const Duration before = thread_cpu_time();
  try {
    host_->tick(now);
  } catch (const std::exception& failure) {
    return switch_off(host_off_, "host readings are disabled", failure.what());
  }
  slow_readings_ = thread_cpu_time() - before > kSlowHost ? slow_readings_ + 1 : 0;
  if (slow_readings_ >= 3) switch_off(host_off_, "host readings are disabled", "each takes more than 2 s of CPU time");
}

void Engine::publish(Event event) {
  read(event);
  if (since_) keep(event);
  const bool changes_processes = std::holds_alternative<GpusSampled>(event.payload) ||
                                 std::holds_alternative<RunStarted>(event.payload) ||
                                 std::holds_alternative<RunEnded>(event.payload);
  if (host_ && changes_processes) watch_processes();
  std::erase_if(listeners_, [](const auto& listener) { return listener.expired(); });
  const auto listeners = listeners_;  // a listener may add another one
  for (const auto& listener : listeners) {
    if (const auto call = listener.lock()) (*call)(event, model_);
  }
  announce_advice();
}

void Engine::announce_advice() {
  const auto& advice = model_.advice.now();
  if (!host_ || advice.revision == announced_revision_) return;  // a replay already has what was announced
  announced_revision_ = advice.revision;
  const auto news = advice_news(announced_, advice.findings);
  announced_ = advice.findings;
  for (const auto& advised : news) publish({model_.now, advised});
}

}  // namespace gputop
