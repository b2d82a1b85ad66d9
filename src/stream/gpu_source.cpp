#include "gputop/stream/gpu_source.hpp"

#include <array>
#include <string_view>

#include "gputop/core/closest_word.hpp"
#include "gputop/sources/chosen_gpus.hpp"
#include "gputop/sources/nvml_source.hpp"
#include "gputop/sources/sim_source.hpp"

namespace gputop {
namespace {

// A snapshot has only one reading, so it waits for slow queries; PCIe throughput of 64 GPUs takes this long.
constexpr std::chrono::milliseconds kSnapshotPatience{1500};

constexpr std::array<std::string_view, 3> kSources{"auto", "nvml", "sim"};

}  // namespace

Result<std::unique_ptr<Source>> make_gpu_source(const WatchOptions& options, Pace pace) {
  const std::string_view source = options.source;
  if (source == "auto" || source == "nvml") {
    NvmlOptions nvml;
    nvml.gpus = options.gpus;
    if (pace == Pace::kOnce) nvml.first_reading_waits = kSnapshotPatience;
    if (options.nvml_crash) return make_nvml_helper_source(std::move(nvml), *options.nvml_crash);
    return make_nvml_source(std::move(nvml));
  }
  const auto colon = source.find(':');
  if (source.substr(0, colon) == "sim") {
    auto simulated = make_sim_source(colon == std::string_view::npos ? "" : source.substr(colon + 1));
    if (!simulated) return simulated;
    return make_chosen_gpus(*std::move(simulated), options.gpus);
  }
  std::string message = "--source: \"" + std::string{source} + "\" is not a source";
  if (const auto closest = closest_word(source, kSources)) message += " (did you mean " + std::string{*closest} + "?)";
  return Error{Error::Kind::kInvalid, message + "; it is one of auto, nvml, sim[:SCENARIO], replay:FILE"};
}

}  // namespace gputop
