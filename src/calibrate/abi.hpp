// Our own declaration of the binary interface of libcudart and libcublas: only what we call. cuda_abi_test.cpp compares
// it with NVIDIA's headers if they are available.
#pragma once

#include <cstddef>

namespace gputop::cuda {

using Stream = struct OpaqueStream*;
using Moment = struct OpaqueEvent*;  // cudaEvent_t
using Math = struct OpaqueMath*;     // cublasHandle_t

// Constants that are enumerations in NVIDIA's headers; all are passed as int.
inline constexpr int kSuccess = 0;
inline constexpr int kOutOfMemory = 2;
inline constexpr int kInsufficientDriver = 35;
inline constexpr int kNoDevice = 100;
inline constexpr int kToDevice = 1;
inline constexpr int kToHost = 2;
inline constexpr int kOnDevice = 3;
inline constexpr int kCapabilityMajor = 75;
inline constexpr unsigned kHostAllocDefault = 0;
inline constexpr int kNotTransposed = 0;
inline constexpr int kTransposed = 1;
inline constexpr int kTypeFloat = 0;
inline constexpr int kTypeHalf = 2;
inline constexpr int kTypeBfloat = 14;
inline constexpr int kComputeFloat = 68;
inline constexpr int kComputeTf32 = 77;
inline constexpr int kAnyAlgorithm = -1;

struct Api {
#define RUNTIME(symbol, ...) int (*symbol)(__VA_ARGS__) = nullptr;
#define MATH(symbol, ...) int (*symbol)(__VA_ARGS__) = nullptr;
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
  const char* (*cudaGetErrorString)(int) = nullptr;
};

// Each call by number, for the page that the helper shares with gputop.
enum class Call : int {
  kNone,
  kLoadRuntime,
  kLoadMath,
#define RUNTIME(symbol, ...) symbol,
#define MATH(symbol, ...) symbol,
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
  kCount,
};

// "cudaMalloc", "dlopen of libcudart"; "" for kNone.
const char* name_of(Call call);

}  // namespace gputop::cuda
