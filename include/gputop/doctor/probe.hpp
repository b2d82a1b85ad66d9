// Looks at this machine. Reads only; everything is bounded in time and size.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gputop/doctor/machine.hpp"

namespace gputop::doctor {

struct ProbeOptions {
  std::filesystem::path root = "/";  // a folder that stands for the whole file system, in tests
  std::vector<std::string> command;  // behind "--"; empty: none
  std::filesystem::path data;  // the folder the run reads from; empty: the one in the command, else the current one
  std::function<std::optional<std::string>(std::string_view)> environment;
  bool quietly = false;  // beside a run: start no Python, read no data
};

// Everything but GPUs and the host's readings, which come from their sources; `machine.gpus` must be there already.
void probe(const ProbeOptions& options, Machine& machine);

// Only machine.torch: which Python the command runs, and which PyTorch that has.
void probe_torch(const ProbeOptions& options, Machine& machine);

// Asks the command's Python for its torch's architectures. Imports torch: takes seconds, 30 at most.
void ask_torch(Machine& machine);

}  // namespace gputop::doctor
