// gputop calibrate: what this card can do, measured with NVIDIA's own libraries in a helper process. gputop itself
// never has a CUDA context, and a driver that hangs or crashes takes down only the helper.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gputop/config/environment.hpp"
#include "gputop/core/calibration.hpp"
#include "gputop/core/result.hpp"
#include "gputop/core/units.hpp"

namespace gputop::calibrate {

struct CudaLibraries {
  std::filesystem::path runtime;  // libcudart
  std::filesystem::path math;     // libcublas of the same major version; "" if none was found
  std::string origin;             // "PyTorch's", "conda's": for the user
};

struct SearchOptions {
  std::filesystem::path root = "/";  // replaces the whole file system in tests
  std::filesystem::path python;      // whose packages may have them; "" for none
  bool python_first = false;         // the run's own
  Environment environment;
};

// Newest first within each place, without repetition.
std::vector<CudaLibraries> find_cuda(const SearchOptions& options);

struct MemorySeen {
  Reading<Bytes> all;     // in use on the GPU
  Reading<Bytes> helper;  // by this process; nullopt if the driver does not report it
};

struct MeasureOptions {
  CudaLibraries libraries;
  std::string uuid;                           // of the GPU; "": any
  std::chrono::milliseconds patience{20000};  // for one call
  std::function<void(const std::string& stage)> progress;
  std::function<MemorySeen(pid_t helper)> memory_used;  // as NVML says it now
};

struct Failure {
  int code = 0;       // CUDA's own; 0: there was no code
  std::string why;    // for people
  std::string call;   // that hung or crashed; "" if none did
};

struct Measured {
  Calibration values;  // what was measured before it failed
  std::optional<Failure> failure;
};

// Takes seconds. Leaves no helper behind, unless it is stuck in the kernel, which `why` then says.
Measured measure(const MeasureOptions& options);

// main() of the helper; nullopt: these arguments do not start one.
std::optional<int> run_helper(int argc, char** argv);

// $XDG_STATE_HOME/gputop/calibration, or ~/.local/state/gputop/calibration; "" if neither is set.
std::filesystem::path store_folder(const Environment& environment);
Status store(const std::filesystem::path& folder, const Calibration& calibration);
// Of this card with this driver; nullopt: not calibrated.
std::optional<Calibration> stored(const std::filesystem::path& folder, const std::string& uuid, const std::string& driver);
std::vector<Calibration> all_stored(const std::filesystem::path& folder);  // by name, then UUID

std::string as_text(const Calibration& calibration);
std::string as_json(const std::vector<Calibration>& calibrations);  // schema gputop.calibration/1
std::string in_words(double value, std::string_view unit);          // "24.6 GB/s", "312 TFLOP/s", "4.1 µs", "436 MiB"

}  // namespace gputop::calibrate
