#include "gputop/sources/sim_source.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gputop/core/closest_word.hpp"
#include "gputop/core/format.hpp"
#include "gputop/sources/sim_bus.hpp"
#include "sources/sim/gpu.hpp"
#include "sources/sim/scenarios.hpp"

namespace gputop {
namespace {

// What both simulations share: the status, the sink, and silence after stop().
class SimSource : public Source {
 public:
  explicit SimSource(std::string name) : name_(std::move(name)) {}

  [[nodiscard]] std::string_view name() const override { return name_; }

  void start(Instant now, Sink sink) override {
    sink_ = std::move(sink);
    started_ = now;
    emit(now, SourceStatus{.source = name_, .message = "", .driver_version = "simulated", .simulated = true});
  }
  void tick(Instant now) override {
    if (sink_) emit(now, GpusSampled{read(now)});
  }
  void stop() override { sink_ = nullptr; }

 protected:
  // Emits what happened since the last reading, then returns the new one.
  virtual std::vector<GpuReading> read(Instant now) = 0;

  void emit(Instant now, Payload payload) { sink_(Event{now, std::move(payload)}); }
  void warn(Instant now, std::string text) { emit(now, Noted{Noted::Severity::kWarning, std::move(text)}); }
  [[nodiscard]] Instant started() const { return started_; }

 private:
  std::string name_;
  Sink sink_;
  Instant started_;
};

class ScenarioSource final : public SimSource {
 public:
  explicit ScenarioSource(const SimScenario& scenario) : SimSource("sim:" + std::string{scenario.name}) {
    for (const auto& story : scenario.gpus) {
      const SimGpuSetup setup{.card = story.card,
                              .index = static_cast<unsigned>(gpus_.size()),
                              .power_limit = story.power_limit,
                              .cooling = story.cooling};
      gpus_.push_back({story, SimGpu{setup, scenario.name}, {}});
    }
  }

 private:
  struct Actor {
    SimStory story;
    SimGpu gpu;
    SimMoment before;
  };

  std::vector<GpuReading> read(Instant now) override {
    std::vector<GpuReading> readings;
    for (auto& actor : gpus_) {
      const auto moment = moment_of(actor.story, to_seconds(now - started()));
      tell(now, actor, moment);
      actor.before = moment;
      std::vector<SimProcess> processes;
      if (moment.task) processes.push_back({::getpid(), *moment.task});
      readings.push_back(moment.lost ? actor.gpu.read_lost() : actor.gpu.read(now, processes));
    }
    return readings;
  }

  void tell(Instant now, const Actor& actor, const SimMoment& moment) {
    const unsigned index = actor.gpu.index();
    if (moment.lost && !actor.before.lost) {
      constexpr std::uint64_t kFallenOffTheBus = 79;
      emit(now, GpuHappened{index, GpuHappened::Kind::kXid, kFallenOffTheBus, "Xid 79: GPU has fallen off the bus"});
      emit(now, GpuHappened{index, GpuHappened::Kind::kLost, 0, "GPU is lost (simulated)"});
    } else if (!moment.lost && actor.before.lost) {
      emit(now, GpuHappened{index, GpuHappened::Kind::kReturned, 0, "GPU answers again (simulated)"});
    } else if (actor.story.fills_in > 0 && actor.before.task && !moment.task) {
      warn(now, "GPU " + std::to_string(index) + ": the simulated run ended, out of memory (" +
                    format_bytes(actor.story.card.usable()) + " used)");
    }
  }

  std::vector<Actor> gpus_;
};

// The card that the runs on the bus use, or used last.
class BusSource final : public SimSource {
 public:
  BusSource() : SimSource("sim"), directory_(sim_bus_directory()) { gpus_.push_back(gpu(default_sim_card(), 0)); }

 private:
  static SimGpu gpu(const SimCard& card, std::size_t index) {
    const SimGpuSetup setup{
        .card = card, .index = static_cast<unsigned>(index), .power_limit = card.power_limit, .cooling = 1};
    return {setup, "sim"};
  }

  std::vector<GpuReading> read(Instant now) override {
    const auto runs = read_sim_bus(directory_);
    if (!runs && !warned_) warn(now, runs.error().message);
    warned_ = !runs;
    if (runs) fit_cards(*runs);
    std::vector<GpuReading> readings;
    for (auto& gpu : gpus_) {
      std::vector<SimProcess> processes;
      for (const auto& run : runs ? *runs : std::vector<SimRun>{}) {
        if (run.card == gpu.card().name) processes.push_back({run.pid, run.task});
      }
      readings.push_back(gpu.read(now, processes));
    }
    return readings;
  }

  // One GPU per card that the runs ask for, in the order of the runs; without runs the last ones stay and cool down.
  void fit_cards(const std::vector<SimRun>& runs) {
    std::vector<SimCard> wanted;
    for (const auto& run : runs) {
      const auto card = find_sim_card(run.card);
      if (!card) continue;
      const auto same = [&](const SimCard& other) { return other.name == card->name; };
      if (std::none_of(wanted.begin(), wanted.end(), same)) wanted.push_back(*card);
    }
    if (wanted.empty()) return;
    const auto same = [](const SimGpu& a, const SimCard& b) { return a.card().name == b.name; };
    if (std::equal(gpus_.begin(), gpus_.end(), wanted.begin(), wanted.end(), same)) return;
    gpus_.clear();
    for (const auto& card : wanted) gpus_.push_back(gpu(card, gpus_.size()));
  }

  std::string directory_;
  std::vector<SimGpu> gpus_;
  bool warned_ = false;
};

}  // namespace

Result<std::unique_ptr<Source>> make_sim_source(std::string_view scenario) {
  if (scenario.empty()) return std::unique_ptr<Source>{std::make_unique<BusSource>()};
  if (const auto found = find_scenario(scenario)) {
    return std::unique_ptr<Source>{std::make_unique<ScenarioSource>(*found)};
  }
  std::string message = "sim:" + printable(scenario) + ": no such scenario";
  if (const auto meant = closest_word(scenario, sim_scenarios()))
    message += "; did you mean sim:" + std::string{*meant} + "?";
  message += " (known:";
  for (const auto name : sim_scenarios()) message += " " + std::string{name};
  return Error{Error::Kind::kNotFound, message + ")"};
}

}  // namespace gputop
