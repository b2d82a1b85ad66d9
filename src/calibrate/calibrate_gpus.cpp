#include "gputop/calibrate/calibrate_gpus.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <utility>

#include "gputop/base/output.hpp"
#include "gputop/calibrate/calibrate.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/core/format.hpp"
#include "gputop/doctor/probe.hpp"
#include "gputop/stream/gpu_source.hpp"
#include "gputop/stream/one_reading.hpp"

namespace gputop::calibrate {
namespace {

struct SeenGpus {
  std::vector<GpuReading> gpus;
  SourceStatus source;
  bool simulated = false;
};

Result<SeenGpus> look_at_gpus(const CalibrateOptions& options) {
  auto source = make_gpu_source(options.watch, Pace::kOnce);
  if (!source) return source.error();
  SeenGpus seen;
  with_one_reading(*std::move(source), [&](const Model& model) {
    for (const auto& track : model.gpus) seen.gpus.push_back(track.now);
    seen.source = model.gpu_source;
    seen.simulated = model.simulated;
  });
  return seen;
}

std::vector<CudaLibraries> found_libraries(const CalibrateOptions& options) {
  const auto environment = process_environment();
  gputop::doctor::Machine machine;
  gputop::doctor::probe_torch({.command = options.job, .environment = environment}, machine);
  return find_cuda({.python = machine.torch.python, .python_first = !options.job.empty(), .environment = environment});
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

class ProgressLine {
 public:
  explicit ProgressLine(const GpuReading& gpu) : gpu_("GPU " + std::to_string(gpu.index)) {}
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

MemorySeen memory_of(const CalibrateOptions& options, const std::string& uuid, pid_t helper) {
  MemorySeen memory;
  const auto seen = look_at_gpus(options);
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
Measured measure_gpu(const CalibrateOptions& options,
                     const GpuReading& gpu,
                     const std::vector<CudaLibraries>& candidates) {
  constexpr int kInsufficientDriver = 35;
  std::optional<Measured> first;
  ProgressLine progress{gpu};
  for (const auto& candidate : candidates) {
    MeasureOptions how{.libraries = candidate, .uuid = gpu.uuid};
    how.patience = std::chrono::milliseconds{static_cast<std::int64_t>(options.timeout_seconds * 1000)};
    how.progress = [&](const std::string& stage) { progress(stage); };
    how.memory_used = [&](pid_t helper) { return memory_of(options, gpu.uuid, helper); };
    auto measured = measure(how);
    progress.clear();
    if (!measured.failure || measured.failure->code != kInsufficientDriver) return measured;
    if (!first) first = std::move(measured);
  }
  return *std::move(first);
}

int show_stored(const CalibrateOptions& options) {
  const auto folder = store_folder(process_environment());
  const auto all = all_stored(folder);
  if (options.json) return print(as_json(all));
  if (all.empty()) {
    complain("no GPU has been calibrated yet (run gputop calibrate)");
    return 0;
  }
  std::string text;
  for (const auto& one : all) text += (text.empty() ? "" : "\n") + as_text(one);
  return print(text);
}

// NVML has no GPU: report what CUDA itself says.
int without_gpu(const SourceStatus& source, const std::vector<CudaLibraries>& candidates) {
  complain("no GPU to calibrate" + (source.message.empty() ? "" : ": " + source.message));
  if (!candidates.empty()) {
    const auto measured = measure({.libraries = candidates.front(), .patience = std::chrono::seconds{5}});
    if (measured.failure)
      complain(candidates.front().runtime.string() + " (" + candidates.front().origin + ") says: " + measured.failure->why);
  }
  return 1;
}

}  // namespace

int calibrate_gpus(const CalibrateOptions& options) {
  if (options.show) return show_stored(options);
  const auto seen = look_at_gpus(options);
  if (!seen) return usage_error(seen.error());
  if (seen->simulated) return failed({Error::Kind::kInvalid, "a simulated GPU cannot be calibrated"});
  const auto candidates = found_libraries(options);
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
    if (const auto why = in_use(gpu); !why.empty() && !options.yes) {
      refuse(why + "; both would slow down, and the figures would be wrong (--yes measures anyway)");
      continue;
    }
    auto measured = measure_gpu(options, gpu, candidates);
    if (measured.failure) {
      refuse(measured.failure->why);
      continue;
    }
    measured.values.name = gpu.name;
    measured.values.driver = seen->source.driver_version;
    measured.values.measured_at =
        std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
    if (const auto kept = store(store_folder(process_environment()), measured.values); !kept) {
      complain("the figures could not be saved: " + kept.error().message);
      code = 1;
    }
    if (!options.json) code = std::max(code, print(as_text(measured.values)));
    done.push_back(std::move(measured.values));
  }
  return options.json ? std::max(code, print(as_json(done))) : code;
}

}  // namespace gputop::calibrate
