// The helper process: loads CUDA, calls it, reports the results. See calibrate.hpp.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>

#include "calibrate/measures.hpp"
#include "gputop/calibrate/calibrate.hpp"

namespace gputop::calibrate {
namespace {

using cuda::Call;

bool read_number(const char* text, int& number) {
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, number);
  return error == std::errc{} && stopped == end && number >= 0;
}

void* load(Helper& helper, Call call, const std::string& library) {
  const Inside inside{helper, call};
  if (call == Call::kLoadMath) {  // found in its own folder, whatever the loader was told
    auto companion = library;
    const auto at = companion.rfind("libcublas.so");
    if (at != std::string::npos) ::dlopen(companion.replace(at, 12, "libcublasLt.so").c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
  return ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

std::string load_runtime(Helper& helper, const std::string& path) {
  void* const library = load(helper, Call::kLoadRuntime, path);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return "it cannot be loaded (" + std::string{reason != nullptr ? reason : "no reason given"} + ")";
  }
  std::string missing;
#define RUNTIME(symbol, ...) \
  if (!resolve(library, #symbol, helper.api.symbol)) missing = #symbol;
#define MATH(symbol, ...)
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
  resolve(library, "cudaGetErrorString", helper.api.cudaGetErrorString);
  return missing.empty() ? missing : "it has no " + missing;
}

std::string load_math(Helper& helper, const std::string& path) {
  if (path.empty()) return "no libcublas of the same version was found";
  void* const library = load(helper, Call::kLoadMath, path);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    return "libcublas cannot be loaded (" + std::string{reason != nullptr ? reason : "no reason given"} + ")";
  }
  std::string missing;
#define RUNTIME(symbol, ...)
#define MATH(symbol, ...) \
  if (!resolve(library, #symbol, helper.api.symbol)) missing = #symbol;
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
  return missing.empty() ? missing : "libcublas has no " + missing;
}

}  // namespace

std::optional<int> run_helper(int argc, char** argv) {
  const std::span<char*> words{argv, static_cast<std::size_t>(argc)};
  int socket = -1;
  int page = -1;
  if (argc != 6 || std::strcmp(words[1], cuda::kHelperMode) != 0 || !read_number(words[2], socket) ||
      !read_number(words[3], page)) {
    return std::nullopt;
  }
  ::setsid();
  ::prctl(PR_SET_NAME, "gputop-cuda");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  void* const shared = ::mmap(nullptr, sizeof(cuda::SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, page, 0);
  if (shared == MAP_FAILED) return 1;
  Helper helper{socket, *static_cast<cuda::SharedPage*>(shared), {}, {}};
  if (const auto why = load_runtime(helper, words[4]); !why.empty()) {
    helper.say(cuda::kFailure, "0 " + why);
    return 1;
  }
  if (!begin(helper)) return 1;
  measure_copies(helper);
  if (const auto why = load_math(helper, words[5]); why.empty()) {
    measure_products(helper);
  } else {
    helper.say(cuda::kNote, "matrix products were not measured: " + why);
  }
  finish(helper);
  helper.say(cuda::kEnd, "");
  ::_exit(0);  // the driver's exit handlers may wait forever
}

}  // namespace gputop::calibrate
