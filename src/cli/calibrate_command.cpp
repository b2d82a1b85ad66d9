// gputop calibrate: measures each GPU in a helper process and stores the result.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/commands.hpp"
#include "gputop/calibrate/calibrate.hpp"
#include "gputop/core/format.hpp"
#include "gputop/doctor/probe.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"

namespace gputop::cli {
namespace {

struct Seen {
  std::vector<GpuReading> gpus;
  SourceStatus source;
  bool simulated = false;
};

Result<Seen> look(const Options& options) {
  auto source = make_gpu_source(options, Pace::kOnce);
  if (!source) return source.error();
  Seen seen;
  with_one_reading(*std::move(source), [&](const Model& model) {
    for (const auto& track : model.gpus) seen.gpus.push_back(track.now);
    seen.source = model.gpu_source;
    seen.simulated = model.simulated;
  });
  return seen;
}

std::vector<calibrate::CudaLibraries> libraries(const Options& options) {
  const auto environment = process_environment();
  doctor::Machine machine;
  doctor::probe_torch({.command = options.job, .environment = environment}, machine);
  return calibrate::find_cuda(
      {.python = machine.torch.python, .python_first = !options.job.empty(), .environment = environment});
}

// Why it should be left alone; "" if nobody uses it.
std::string in_use(const GpuReading& gpu) {
  if (gpu.processes) {
    for (const auto& process : *gpu.processes) {
      if (process.type == GpuProcessType::kGraphics) continue;
      return "process " + std::to_string(process.pid) + " computes on it" +
             (process.memory_used ? " and holds " + format_bytes(*process.memory_used) : "");
    }
  }
  constexpr Percent kIdle{5};
  if (gpu.utilization && *gpu.utilization > kIdle) return "it is " + format_reading(gpu.utilization, " %") + " busy";
  return {};
}

class Progress {
 public:
  explicit Progress(const GpuReading& gpu) : gpu_("GPU " + std::to_string(gpu.index)) {}
  void operator()(const std::string& stage) {
    if (terminal_) {
      std::fprintf(stderr, "\r\033[K%s: %s …", gpu_.c_str(), stage.c_str());
    } else {
      std::fprintf(stderr, "%s: %s\n", gpu_.c_str(), stage.c_str());
    }
  }
  void clear() const {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }

 private:
  std::string gpu_;
  bool terminal_ = ::isatty(STDERR_FILENO) != 0;
};

calibrate::MemorySeen memory_of(const Options& options, const std::string& uuid, pid_t helper) {
  calibrate::MemorySeen memory;
  const auto seen = look(options);
  if (!seen) return memory;
  for (const auto& gpu : seen->gpus) {
    if (gpu.uuid != uuid) continue;
    memory.all = gpu.memory_used;
    if (!gpu.processes) continue;
    for (const auto& process : *gpu.processes) {
      if (process.pid == helper) memory.helper = process.memory_used;
    }
  }
  return memory;
}

// Tries one library after the other until one works with the driver.
calibrate::Measured measure(const Options& options, const GpuReading& gpu,
                            const std::vector<calibrate::CudaLibraries>& candidates) {
  constexpr int kInsufficientDriver = 35;
  std::optional<calibrate::Measured> first;
  Progress progress{gpu};
  for (const auto& candidate : candidates) {
    calibrate::MeasureOptions how{.libraries = candidate, .uuid = gpu.uuid};
    how.patience = std::chrono::milliseconds{static_cast<std::int64_t>(options.calibrate.timeout_seconds * 1000)};
    how.progress = [&](const std::string& stage) { progress(stage); };
    how.memory_used = [&](pid_t helper) { return memory_of(options, gpu.uuid, helper); };
    auto measured = calibrate::measure(how);
    progress.clear();
    if (!measured.failure || measured.failure->code != kInsufficientDriver) return measured;
    if (!first) first = std::move(measured);
  }
  return *std::move(first);
}

int show_stored(const Options& options) {
  const auto folder = calibrate::store_folder(process_environment());
  const auto all = calibrate::all_stored(folder);
  if (options.json) return print(calibrate::as_json(all));
  if (all.empty()) {
    complain("no GPU has been calibrated yet (run gputop calibrate)");
    return 0;
  }
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : "\n") + calibrate::as_text(one);
  return print(text);
}

// NVML has no GPU: report what CUDA itself says.
int without_gpu(const SourceStatus& source, const std::vector<calibrate::CudaLibraries>& candidates) {
  complain("no GPU to calibrate" + (source.message.empty() ? "" : ": " + source.message));
  if (!candidates.empty()) {
    const auto measured = calibrate::measure({.libraries = candidates.front(), .patience = std::chrono::seconds{5}});
    if (measured.failure)
      complain(candidates.front().runtime.string() + " (" + candidates.front().origin + ") says: " + measured.failure->why);
  }
  return 1;
}

}  // namespace

int calibrate(const Options& options) {
  if (options.calibrate.show) return show_stored(options);
  const auto seen = look(options);
  if (!seen) return usage_error(seen.error());
  if (seen->simulated) return failed({Error::Kind::kInvalid, "a simulated GPU cannot be calibrated"});
  const auto candidates = libraries(options);
  if (seen->gpus.empty()) return without_gpu(seen->source, candidates);
  if (candidates.empty())
    return failed({Error::Kind::kNotFound,
                   "no libcudart was found in PyTorch, conda or a CUDA toolkit "
                   "(try: gputop calibrate -- python train.py, with the Python that has PyTorch)"});
  int code = 0;
  std::vector<Calibration> done;
  for (const auto& gpu : seen->gpus) {
    const std::string name = "GPU " + std::to_string(gpu.index) + " (" + gpu.name + ")";
    const auto refuse = [&](const std::string& why) {
      complain(name + " was not calibrated: " + why);
      code = 1;
    };
    if (gpu.state != GpuState::kOk) {
      refuse(gpu.error.empty() ? std::string{to_string(gpu.state)} : gpu.error);
      continue;
    }
    if (gpu.mig_enabled.value_or(false)) {
      refuse("MIG splits it, and an instance is not the whole card");
      continue;
    }
    if (const auto why = in_use(gpu); !why.empty() && !options.calibrate.yes) {
      refuse(why + "; both would slow down, and the figures would be wrong (--yes measures anyway)");
      continue;
    }
    auto measured = measure(options, gpu, candidates);
    if (measured.failure) {
      refuse(measured.failure->why);
      continue;
    }
    measured.values.name = gpu.name;
    measured.values.driver = seen->source.driver_version;
    measured.values.measured_at =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    if (const auto kept = calibrate::store(calibrate::store_folder(process_environment()), measured.values); !kept) {
      complain("the figures could not be saved: " + kept.error().message);
      code = 1;
    }
    if (!options.json) code = std::max(code, print(calibrate::as_text(measured.values)));
    done.push_back(std::move(measured.values));
  }
  return options.json ? std::max(code, print(calibrate::as_json(done))) : code;
}

}  // namespace gputop::cli
