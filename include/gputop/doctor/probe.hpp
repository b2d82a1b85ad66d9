// Examines this machine. Reads only; everything is bounded in time and size.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gputop/doctor/machine.hpp"

namespace gputop::doctor {

struct ProbeOptions {
  std::filesystem::path root = "/";  // replaces the whole file system in tests
  std::vector<std::string> command;  // after "--"; empty: none
  std::filesystem::path data;        // the folder the run reads from; empty: the one in the command, or the current one
  std::function<std::optional<std::string>(std::string_view)> environment;
  bool quietly = false;  // during a run: start no Python, read no data
};

// Everything except GPUs and host readings, which come from their sources; machine.gpus must already be set.
void probe(const ProbeOptions& options, Machine& machine);

// Only machine.torch: which Python the command uses, and its PyTorch.
void probe_torch(const ProbeOptions& options, Machine& machine);

// Asks the command's Python for its torch's architectures. Imports torch: takes seconds, at most 30.
void ask_torch(Machine& machine);

}  // namespace gputop::doctor
