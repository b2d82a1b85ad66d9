// libcudart.so.13 with NVIDIA's binary interface and a card that a scenario describes.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <type_traits>

#include "calibrate/abi.hpp"
#include "fake_cuda/fake.hpp"

namespace {

using namespace gputop::cuda;
using fake_cuda::enter;
using fake_cuda::scenario;

constexpr double kGiB = 1073741824.0;

struct Card {
  double clock = 0;  // seconds of work so far
  bool context = false;
  double allocated = 0;
  std::map<void*, std::size_t> on_gpu;
  std::map<void*, std::size_t> pinned;
};
Card& card() {
  static auto& one = *new Card;
  return one;
}

void tell_memory() {
  const auto& path = scenario().memory_file;
  if (path.empty()) return;
  const double used = scenario().number("used_before", kGiB) +
                      (card().context ? scenario().number("context", 400.0 * 1048576) : 0) + card().allocated;
  if (std::FILE* file = std::fopen(path.c_str(), "w")) {
    std::fprintf(file, "%.0f\n", used);
    std::fclose(file);
  }
}

bool is_within(const std::map<void*, std::size_t>& all, const void* at) {
  for (const auto& [begin, size] : all) {
    if (at >= begin && at < static_cast<char*>(begin) + size) return true;
  }
  return false;
}

}  // namespace

FAKE_CUDA_EXPORT void fakeCudaSpend(double seconds) {
  card().clock += seconds;
}

#define ENTER(name) \
  if (const int code = enter(name); code != 0) return code

FAKE_CUDA_EXPORT const char* cudaGetErrorString(int code) {
  return code == 2 ? "out of memory" : code == 35 ? "CUDA driver version is insufficient for CUDA runtime version"
                                   : code == 100 ? "no CUDA-capable device is detected" : "unspecified launch failure";
}
FAKE_CUDA_EXPORT int cudaRuntimeGetVersion(int* version) {
  ENTER("cudaRuntimeGetVersion");
  *version = static_cast<int>(scenario().number("runtime", 13000));
  return 0;
}
FAKE_CUDA_EXPORT int cudaDriverGetVersion(int* version) {
  ENTER("cudaDriverGetVersion");
  *version = static_cast<int>(scenario().number("driver", 13000));
  return 0;
}
FAKE_CUDA_EXPORT int cudaGetDeviceCount(int* count) {
  ENTER("cudaGetDeviceCount");
  *count = static_cast<int>(scenario().number("devices", 1));
  return *count > 0 ? 0 : kNoDevice;
}
FAKE_CUDA_EXPORT int cudaSetDevice(int) {
  ENTER("cudaSetDevice");
  return 0;
}
FAKE_CUDA_EXPORT int cudaDeviceGetAttribute(int* value, int, int) {
  ENTER("cudaDeviceGetAttribute");
  *value = static_cast<int>(scenario().number("capability", 9));
  return 0;
}
FAKE_CUDA_EXPORT int cudaFree(void* memory) {
  ENTER("cudaFree");
  if (memory == nullptr) {
    card().context = true;
  } else {
    card().allocated -= static_cast<double>(card().on_gpu[memory]);
    card().on_gpu.erase(memory);
    std::free(memory);
  }
  tell_memory();
  return 0;
}
FAKE_CUDA_EXPORT int cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  ENTER("cudaMemGetInfo");
  *total = static_cast<std::size_t>(scenario().number("memory", 24 * kGiB));
  *free = static_cast<std::size_t>(scenario().number("free", 20 * kGiB) - card().allocated);
  return 0;
}
FAKE_CUDA_EXPORT int cudaMalloc(void** memory, std::size_t bytes) {
  ENTER("cudaMalloc");
  if (static_cast<double>(bytes) + card().allocated > scenario().number("free", 20 * kGiB)) return kOutOfMemory;
  *memory = std::malloc(bytes);  // never touched: costs no memory
  card().on_gpu[*memory] = bytes;
  card().allocated += static_cast<double>(bytes);
  tell_memory();
  return 0;
}
FAKE_CUDA_EXPORT int cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  ENTER("cudaHostAlloc");
  if (static_cast<double>(bytes) > scenario().number("lockable", kGiB)) return kOutOfMemory;
  *memory = std::malloc(bytes);
  card().pinned[*memory] = bytes;
  return 0;
}
FAKE_CUDA_EXPORT int cudaFreeHost(void* memory) {
  ENTER("cudaFreeHost");
  card().pinned.erase(memory);
  std::free(memory);
  return 0;
}
FAKE_CUDA_EXPORT int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream) {
  ENTER("cudaMemcpyAsync");
  const bool pinned = is_within(card().pinned, kind == kToHost ? to : from);
  const double rate = kind == kOnDevice  ? scenario().number("gpu_memory", 2e12) / 2
                      : kind == kToHost ? scenario().number(pinned ? "to_host_pinned" : "to_host_pageable", 20e9)
                                        : scenario().number(pinned ? "to_gpu_pinned" : "to_gpu_pageable", 24e9);
  card().clock += static_cast<double>(bytes) / rate;
  return 0;
}
FAKE_CUDA_EXPORT int cudaMemsetAsync(void*, int, std::size_t, Stream) {
  ENTER("cudaMemsetAsync");
  return 0;
}
FAKE_CUDA_EXPORT int cudaStreamCreate(Stream* stream) {
  ENTER("cudaStreamCreate");
  *stream = reinterpret_cast<Stream>(new char);
  return 0;
}
FAKE_CUDA_EXPORT int cudaStreamSynchronize(Stream) {
  ENTER("cudaStreamSynchronize");
  return 0;
}
FAKE_CUDA_EXPORT int cudaStreamDestroy(Stream stream) {
  ENTER("cudaStreamDestroy");
  delete reinterpret_cast<char*>(stream);
  return 0;
}
FAKE_CUDA_EXPORT int cudaEventCreate(Moment* moment) {
  ENTER("cudaEventCreate");
  *moment = reinterpret_cast<Moment>(new double{0});
  return 0;
}
FAKE_CUDA_EXPORT int cudaEventRecord(Moment moment, Stream) {
  ENTER("cudaEventRecord");
  *reinterpret_cast<double*>(moment) = card().clock;
  return 0;
}
FAKE_CUDA_EXPORT int cudaEventSynchronize(Moment) {
  ENTER("cudaEventSynchronize");
  return 0;
}
FAKE_CUDA_EXPORT int cudaEventElapsedTime(float* milliseconds, Moment from, Moment to) {
  ENTER("cudaEventElapsedTime");
  *milliseconds = static_cast<float>((*reinterpret_cast<double*>(to) - *reinterpret_cast<double*>(from)) * 1e3);
  return 0;
}
FAKE_CUDA_EXPORT int cudaEventDestroy(Moment moment) {
  ENTER("cudaEventDestroy");
  delete reinterpret_cast<double*>(moment);
  return 0;
}

// What gputop calls is what stands here.
#define RUNTIME(symbol, ...) static_assert(std::is_same_v<decltype(&symbol), decltype(Api::symbol)>);
#define MATH(symbol, ...)
#include "calibrate/functions.def"
