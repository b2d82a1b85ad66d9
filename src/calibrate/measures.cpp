// Copies and latencies, and the basis of every measurement. Times are the GPU's own, between two events.
#include "calibrate/measures.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace gputop::cuda {

const char* name_of(Call call) {
  switch (call) {
    case Call::kNone:
    case Call::kCount: return "";
    case Call::kLoadRuntime: return "dlopen of libcudart";
    case Call::kLoadMath: return "dlopen of libcublas";
#define RUNTIME(symbol, ...) \
  case Call::symbol: return #symbol;
#define MATH(symbol, ...) \
  case Call::symbol: return #symbol;
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
  }
  return "";
}

}  // namespace gputop::cuda

namespace gputop::calibrate {
namespace {

using cuda::Call;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

constexpr std::size_t kOnGpu = std::size_t{256} << 20U;
constexpr std::size_t kOnHost = std::size_t{64} << 20U;
constexpr std::size_t kLeast = std::size_t{8} << 20U;

void say_value(const Helper& helper, const char* key, double value) {
  char text[96];
  std::snprintf(text, sizeof text, "%s %.9g", key, value);
  helper.say(cuda::kValue, text);
}

// Tries half as much, then half of that …, until an allocation succeeds.
template <class Allocate>
std::size_t most_of(void*& memory, std::size_t wanted, const Allocate& allocate, int& code) {
  for (std::size_t size = wanted; size >= kLeast; size /= 2) {
    code = allocate(&memory, size);
    if (code == cuda::kSuccess) return size;
    if (code != cuda::kOutOfMemory) break;
  }
  memory = nullptr;
  return 0;
}

void measure_copy(Helper& helper, const char* key, const char* title, void* to, const void* from, std::size_t bytes,
                  int kind, double counted) {
  const auto time = best_time(helper, title, [&] {
    return Outcome{Call::cudaMemcpyAsync, GPUTOP_CUDA(helper, cudaMemcpyAsync, to, from, bytes, kind, helper.stream)};
  });
  if (time) say_value(helper, key, counted * static_cast<double>(bytes) / *time);
}

// The median of many, by the host's clock.
void measure_latency(Helper& helper, const char* key, const std::string& what, int each,
                     const std::function<Outcome()>& work) {
  constexpr int kRounds = 21;
  std::vector<double> times;
  const auto began = Clock::now();
  for (int round = 0; round < kRounds && (times.size() < 3 || seconds_since(began) < 0.5); ++round) {
    const auto begin = Clock::now();
    Outcome done{Call::kNone, cuda::kSuccess};
    for (int i = 0; i < each && done.code == cuda::kSuccess; ++i) done = work();
    if (done.code == cuda::kSuccess)
      done = {Call::cudaStreamSynchronize, GPUTOP_CUDA(helper, cudaStreamSynchronize, helper.stream)};
    if (done.code != cuda::kSuccess) {
      helper.say(cuda::kNote, what + " was not measured: " + helper.in_words(done.call, done.code));
      return;
    }
    times.push_back(seconds_since(begin) / each);
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  say_value(helper, key, times[times.size() / 2]);
}

void measure_latencies(Helper& helper, void* on_gpu, const void* pinned) {
  helper.say(cuda::kStage, "latencies");
  constexpr int kInARow = 100;
  measure_latency(helper, "launch_time", "the time of a launch", kInARow, [&] {
    return Outcome{Call::cudaMemsetAsync, GPUTOP_CUDA(helper, cudaMemsetAsync, on_gpu, 0, 4, helper.stream)};
  });
  if (pinned == nullptr) return;
  measure_latency(helper, "copy_time", "the time of a small copy", 1, [&] {
    return Outcome{Call::cudaMemcpyAsync,
                   GPUTOP_CUDA(helper, cudaMemcpyAsync, on_gpu, pinned, 4, cuda::kToDevice, helper.stream)};
  });
}

}  // namespace

void Helper::say(char kind, const std::string& text) const {
  std::string line{kind, ' '};
  for (const char c : text) line += c == '\n' ? ' ' : c;
  line += '\n';
  for (std::string_view rest = line; !rest.empty();) {
    const auto sent = ::send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent <= 0) ::_exit(1);  // the parent is gone
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string Helper::in_words(Call call, int code) const {
  const bool math = std::strncmp(cuda::name_of(call), "cublas", 6) == 0;
  const char* const words = math || api.cudaGetErrorString == nullptr ? nullptr : api.cudaGetErrorString(code);
  return std::string{cuda::name_of(call)} + ": " + (words != nullptr ? words : math ? "cuBLAS error" : "CUDA error") + " (" +
         std::to_string(code) + ")";
}

void Helper::let_memory_be_read(const char* key) const {
  say(cuda::kMemory, key);
  char answer = 0;
  if (::recv(socket, &answer, 1, 0) <= 0) ::_exit(1);
}

std::optional<double> best_time(Helper& helper, const std::string& what, const std::function<Outcome()>& work) {
  constexpr double kEnough = 0.2;
  constexpr int kLeast = 4;  // the first one warms up
  double best = 0;
  double all = 0;
  const auto began = Clock::now();
  for (int i = 0; i < kLeast || (all < kEnough && seconds_since(began) < kEnough); ++i) {
    Outcome done{Call::cudaEventRecord, GPUTOP_CUDA(helper, cudaEventRecord, helper.from, helper.stream)};
    if (done.code == cuda::kSuccess) done = work();
    if (done.code == cuda::kSuccess)
      done = {Call::cudaEventRecord, GPUTOP_CUDA(helper, cudaEventRecord, helper.to, helper.stream)};
    if (done.code == cuda::kSuccess)
      done = {Call::cudaEventSynchronize, GPUTOP_CUDA(helper, cudaEventSynchronize, helper.to)};
    float milliseconds = 0;
    if (done.code == cuda::kSuccess)
      done = {Call::cudaEventElapsedTime,
              GPUTOP_CUDA(helper, cudaEventElapsedTime, &milliseconds, helper.from, helper.to)};
    if (done.code != cuda::kSuccess) {
      helper.say(cuda::kNote, what + " was not measured: " + helper.in_words(done.call, done.code));
      return std::nullopt;
    }
    const double time = static_cast<double>(milliseconds) / 1e3;
    all += time;
    if (i > 0 && time > 0 && (best == 0 || time < best)) best = time;
    if (i + 1 >= kLeast && seconds_since(began) > 2) break;
  }
  if (best > 0) return best;
  helper.say(cuda::kNote, what + " was not measured: CUDA's clock stood still");
  return std::nullopt;
}

bool begin(Helper& helper) {
  const auto give_up = [&](Call call, int code) {
    helper.say(cuda::kFailure, std::to_string(code) + " " + helper.in_words(call, code));
    return false;
  };
  helper.say(cuda::kStage, "CUDA context");
  if (const int code = GPUTOP_CUDA(helper, cudaRuntimeGetVersion, &helper.runtime); code != cuda::kSuccess)
    return give_up(Call::cudaRuntimeGetVersion, code);
  helper.say(cuda::kRuntime, std::to_string(helper.runtime / 1000) + "." + std::to_string(helper.runtime % 1000 / 10));
  int driver = 0;
  if (const int code = GPUTOP_CUDA(helper, cudaDriverGetVersion, &driver); code != cuda::kSuccess)
    return give_up(Call::cudaDriverGetVersion, code);
  if (driver == 0) {
    helper.say(cuda::kFailure, std::to_string(cuda::kInsufficientDriver) + " CUDA finds no driver on this machine");
    return false;
  }
  int count = 0;
  if (const int code = GPUTOP_CUDA(helper, cudaGetDeviceCount, &count); code != cuda::kSuccess)
    return give_up(Call::cudaGetDeviceCount, code);
  if (count == 0) return give_up(Call::cudaGetDeviceCount, cuda::kNoDevice);
  if (const int code = GPUTOP_CUDA(helper, cudaSetDevice, 0); code != cuda::kSuccess)
    return give_up(Call::cudaSetDevice, code);
  if (const int code = GPUTOP_CUDA(helper, cudaFree, nullptr); code != cuda::kSuccess)  // creates the context
    return give_up(Call::cudaFree, code);
  if (const int code = GPUTOP_CUDA(helper, cudaDeviceGetAttribute, &helper.major, cuda::kCapabilityMajor, 0);
      code != cuda::kSuccess)
    return give_up(Call::cudaDeviceGetAttribute, code);
  helper.let_memory_be_read("context");
  if (const int code = GPUTOP_CUDA(helper, cudaStreamCreate, &helper.stream); code != cuda::kSuccess)
    return give_up(Call::cudaStreamCreate, code);
  for (auto* moment : {&helper.from, &helper.to}) {
    if (const int code = GPUTOP_CUDA(helper, cudaEventCreate, moment); code != cuda::kSuccess)
      return give_up(Call::cudaEventCreate, code);
  }
  return true;
}

void measure_copies(Helper& helper) {
  helper.say(cuda::kStage, "copies");
  void* on_gpu = nullptr;
  int code = cuda::kSuccess;
  const auto size = most_of(on_gpu, kOnGpu, [&](void** at, std::size_t bytes) { return GPUTOP_CUDA(helper, cudaMalloc, at, bytes); }, code);
  if (on_gpu == nullptr) {
    helper.say(cuda::kNote, "copies were not measured: " + helper.in_words(Call::cudaMalloc, code));
    return;
  }
  void* pinned = nullptr;
  const auto locked = most_of(
      pinned, kOnHost, [&](void** at, std::size_t bytes) { return GPUTOP_CUDA(helper, cudaHostAlloc, at, bytes, cuda::kHostAllocDefault); }, code);
  if (pinned == nullptr) {
    helper.say(cuda::kNote, "pinned copies were not measured: " + helper.in_words(Call::cudaHostAlloc, code));
  } else {
    const auto bytes = std::min(size, locked);
    std::memset(pinned, 1, bytes);
    measure_copy(helper, "to_gpu_pinned", "pinned copies to the GPU", on_gpu, pinned, bytes, cuda::kToDevice, 1);
    measure_copy(helper, "to_host_pinned", "pinned copies to the host", pinned, on_gpu, bytes, cuda::kToHost, 1);
  }
  {
    const auto bytes = std::min(size, kOnHost);
    std::vector<char> pageable(bytes, 1);
    measure_copy(helper, "to_gpu_pageable", "pageable copies to the GPU", on_gpu, pageable.data(), bytes, cuda::kToDevice, 1);
    measure_copy(helper, "to_host_pageable", "pageable copies to the host", pageable.data(), on_gpu, bytes, cuda::kToHost, 1);
  }
  auto* const half = static_cast<char*>(on_gpu) + size / 2;
  measure_copy(helper, "gpu_memory", "GPU memory", half, on_gpu, size / 2, cuda::kOnDevice, 2);
  measure_latencies(helper, on_gpu, pinned);
  if (pinned != nullptr) GPUTOP_CUDA(helper, cudaFreeHost, pinned);
  GPUTOP_CUDA(helper, cudaFree, on_gpu);
}

void finish(Helper& helper) {
  for (auto* moment : {helper.from, helper.to}) GPUTOP_CUDA(helper, cudaEventDestroy, moment);
  GPUTOP_CUDA(helper, cudaStreamDestroy, helper.stream);
}

}  // namespace gputop::calibrate
