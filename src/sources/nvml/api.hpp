// The NVML library as loaded: every symbol on its own, so that a missing one costs one reading and nothing else.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "sources/nvml/abi.hpp"

namespace gputop::nvml {

// One symbol: absent when the library does not have it. The name goes with it because the watchdog reports it.
template <class... Args>
struct Function {
  const char* name = "";
  Code (*pointer)(Args...) = nullptr;

  explicit operator bool() const { return pointer != nullptr; }
};

// Members are named as the symbols are, so that they can be looked up in NVIDIA's documentation.
struct Api {
#define FUNCTION(symbol, ...) Function<__VA_ARGS__> symbol;
#include "sources/nvml/functions.def"
#undef FUNCTION

  // Drivers 535.43 … 535.86 are told by two symbols that only they have in this combination.
  bool maybe_large_process_info = false;
};

// Loads the library and keeps it for the life of the process: a call that hangs may still be inside it, so it is never
// unloaded. Functions to avoid are as good as absent.
Result<Api> load_api(const std::string& library, const std::vector<std::string>& avoid = {});

}  // namespace gputop::nvml
