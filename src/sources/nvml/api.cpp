#include "sources/nvml/api.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

namespace gputop::nvml {
namespace {

template <class... Args>
void resolve(void* library,
             const std::vector<std::string>& avoid,
             const char* name,
             Function<Args...>& function) {
  function.name = name;
  if (std::find(avoid.begin(), avoid.end(), name) != avoid.end()) return;
  function.pointer = reinterpret_cast<Code (*)(Args...)>(::dlsym(library, name));
}

}  // namespace

Result<Api> load_api(const std::string& library, const std::vector<std::string>& avoid) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* said = ::dlerror();
    const std::string_view reason = said != nullptr ? said : "no reason given";
    // A short message for the common case: glibc's would repeat the library's name.
    const bool absent = reason.starts_with(library) && reason.ends_with("No such file or directory");
    return Error{Error::Kind::kUnavailable,
                 "the NVIDIA driver's library " + library +
                     (absent ? " is not here" : " could not be loaded (" + std::string{reason} + ")") +
                     ": install the NVIDIA driver, or in a container pass the GPUs through (--gpus all)"};
  }
  Api api;
#define FUNCTION(symbol, ...) resolve(handle, avoid, #symbol, api.symbol);
#include "sources/nvml/functions.def"
#undef FUNCTION
  api.maybe_large_process_info = ::dlsym(handle, "nvmlDeviceGetConfComputeMemSizeInfo") != nullptr &&
                                 ::dlsym(handle, "nvmlDeviceGetRunningProcessDetailList") == nullptr;
  if (!api.nvmlInit_v2 && !api.nvmlInit) {
    return Error{Error::Kind::kUnavailable, library + " has no nvmlInit: it is not NVIDIA's management library"};
  }
  return api;
}

}  // namespace gputop::nvml
