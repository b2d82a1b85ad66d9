// gputop doctor: what on this machine slows training down, and how to fix it.
#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/doctor/doctor.hpp"
#include "gputop/doctor/probe.hpp"
#include "gputop/patch/settings_written.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"

namespace gputop::cli {
namespace {

void take_readings(const Model& model, doctor::Machine& machine) {
  for (const auto& track : model.gpus) machine.gpus.push_back(track.now);
  machine.driver_version = model.gpu_source.driver_version;
  if (model.gpus.empty()) machine.gpus_unavailable = model.gpu_source.message;
  if (model.host_known) machine.host = model.host;
}

}  // namespace

int doctor(const Options& options) {
  auto gpus = make_gpu_source(options, Pace::kOnce);
  if (!gpus) return usage_error(gpus.error());
  doctor::Machine machine;
  with_one_reading(*std::move(gpus), [&](const Model& model) { take_readings(model, machine); });
  const doctor::ProbeOptions where{.command = options.job, .data = options.data, .environment = process_environment()};
  doctor::probe(where, machine);
  if (!options.job.empty()) {
    std::error_code error;
    const auto here = std::filesystem::current_path(error).string();
    for (const auto& setting : patch::settings_written({.argv = options.job, .directory = here}).settings) {
      machine.settings[setting.knob] = setting.value;
    }
    const bool wanted = options.only.empty() || std::find(options.only.begin(), options.only.end(), "gpu_architecture") != options.only.end();
    if (wanted && !machine.gpus.empty()) doctor::ask_torch(machine);
  }
  const auto results = doctor::examine(machine, options.only);
  if (!results) return usage_error(results.error());
  const int printed = print(options.json ? doctor::as_json(*results) : doctor::as_text(*results));
  const bool bad = std::any_of(results->begin(), results->end(),
                               [](const auto& one) { return one.verdict.level == doctor::Level::kBad; });
  return printed != 0 || bad ? 1 : 0;
}

}  // namespace gputop::cli
