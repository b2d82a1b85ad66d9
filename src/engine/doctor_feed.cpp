#include "engine/doctor_feed.hpp"

#include "gputop/config/environment.hpp"
#include "gputop/doctor/doctor.hpp"
#include "gputop/doctor/probe.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstReadings = 3s;  // by then the GPUs, the host and the run's files have been read

std::vector<std::string> bad_for_the_run(doctor::Machine machine, const std::vector<std::string>& command) {
  doctor::probe({.command = command, .environment = process_environment(), .quietly = true}, machine);
  std::vector<std::string> lines;
  const auto results = doctor::examine(machine);
  if (!results) return lines;
  for (const auto& [id, title, verdict] : *results) {
    // A GPU that does not answer has its own events.
    if (verdict.level != doctor::Level::kBad || id == "driver") continue;
    lines.push_back(std::string{title} + ": " + verdict.found + ": " + verdict.cost +
                    (verdict.fix.empty() ? "" : ". Fix: " + verdict.fix) + (verdict.needs_root ? " (as root)" : ""));
  }
  return lines;
}

}  // namespace

DoctorFeed::DoctorFeed(Loop& loop, Engine& engine)
    : loop_(loop), engine_(engine), timer_(loop.make_timer()), looking_(loop) {}

void DoctorFeed::heard(const Event& event) {
  if (const auto* read = std::get_if<SettingsRead>(&event.payload)) {
    for (const auto& setting : read->settings) settings_[setting.knob] = setting.value;
  }
  const auto* started = std::get_if<RunStarted>(&event.payload);
  if (!started || asked_) return;
  asked_ = true;
  command_ = started->argv;
  timer_->at(loop_.now() + kFirstReadings, [this] { look(); });
}

void DoctorFeed::look() {
  const auto& model = engine_.model();
  doctor::Machine machine;
  if (!model.gpu_source.simulated) {
    for (const auto& track : model.gpus) machine.gpus.push_back(track.now);
    machine.driver_version = model.gpu_source.driver_version;
  }
  if (model.host_known) machine.host = model.host;
  machine.settings = settings_;
  looking_.ask([machine, command = command_] { return bad_for_the_run(machine, command); },
               [this](std::vector<std::string> lines) {
                 for (auto& line : lines)
                   engine_.publish({loop_.now(), Noted{Noted::Severity::kWarning, std::move(line)}});
               });
}

}  // namespace gputop
