// The loaded NVML library. Each symbol is looked up separately, so a missing one costs only its own reading.
#pragma once

#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "sources/nvml/abi.hpp"

namespace gputop::nvml {

// One symbol, possibly absent. It carries its name because the watchdog reports it.
template <class... Args>
struct Function {
  const char* name = "";
  Code (*pointer)(Args...) = nullptr;

  explicit operator bool() const { return pointer != nullptr; }
};

// Members have the same names as the symbols, so they can be looked up in NVIDIA's documentation.
struct Api {
#define FUNCTION(symbol, ...) Function<__VA_ARGS__> symbol;
#include "sources/nvml/functions.def"
#undef FUNCTION

  // Only drivers 535.43 … 535.86 have this combination of two symbols.
  bool maybe_large_process_info = false;
};

// Loads the library and never unloads it: a hanging call may still be inside. Functions to avoid are treated as absent.
Result<Api> load_api(const std::string& library, const std::vector<std::string>& avoid = {});

}  // namespace gputop::nvml
