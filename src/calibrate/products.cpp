// Matrix products by cuBLAS, square, in each precision the card computes in.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "calibrate/measures.hpp"

namespace gputop::calibrate {
namespace {

using cuda::Call;

struct Kind {
  const char* key;
  int type;
  int compute;
  std::size_t bytes;  // of one number
  int least_major;    // of the compute capability
  std::uint16_t pattern;  // sign and exponent of numbers between 0.5 and 2, in the upper half of a float
};
constexpr Kind kKinds[] = {
    {"fp32", cuda::kTypeFloat, cuda::kComputeFloat, 4, 0, 0x3F00},
    {"tf32", cuda::kTypeFloat, cuda::kComputeTf32, 4, 8, 0x3F00},
    {"fp16", cuda::kTypeHalf, cuda::kComputeFloat, 2, 5, 0x3800},
    {"bf16", cuda::kTypeBfloat, cuda::kComputeFloat, 2, 8, 0x3F00},
};

constexpr std::size_t kChunk = std::size_t{4} << 20U;

// Zeros would take less power than a model's numbers and give the card a higher clock.
int fill(Helper& helper, void* matrix, std::size_t bytes, const Kind& kind) {
  std::vector<std::uint16_t> numbers(std::min(bytes, kChunk) / 2);
  std::minstd_rand random{1};
  for (auto& number : numbers) {
    const auto bits = static_cast<std::uint16_t>(random() >> 8U);
    number = static_cast<std::uint16_t>((bits & 0x807FU) | kind.pattern);
  }
  auto* at = static_cast<char*>(matrix);
  for (std::size_t done = 0; done < bytes; done += kChunk) {
    const auto part = std::min(kChunk, bytes - done);
    if (const int code = GPUTOP_CUDA(helper, cudaMemcpyAsync, at + done, numbers.data(), part, cuda::kToDevice, helper.stream);
        code != cuda::kSuccess)
      return code;
  }
  return GPUTOP_CUDA(helper, cudaStreamSynchronize, helper.stream);
}

struct Matrices {
  void* memory = nullptr;
  int side = 0;  // of the largest that fit
};

std::optional<double> product_time(Helper& helper, cuda::Math math, const Matrices& matrices, const Kind& kind, int side) {
  const float one = 1;
  const float zero = 0;
  auto* const a = static_cast<char*>(matrices.memory);
  const auto step = static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * kind.bytes;
  auto* const b = a + step;
  auto* const c = b + step;
  return best_time(helper, std::string{kind.key}, [&] {
    return Outcome{Call::cublasGemmEx,
                   GPUTOP_CUDA(helper, cublasGemmEx, math, cuda::kNotTransposed, cuda::kTransposed, side, side, side, &one, a,
                               kind.type, side, b, kind.type, side, &zero, c, kind.type, side, kind.compute,
                               cuda::kAnyAlgorithm)};
  });
}

void measure_kind(Helper& helper, cuda::Math math, const Matrices& matrices, const Kind& kind) {
  constexpr int kSmallSide = 2048;
  constexpr double kLongest = 0.1;  // s, of one product
  const auto side_bytes = static_cast<std::size_t>(matrices.side) * static_cast<std::size_t>(matrices.side) * kind.bytes;
  if (const int code = fill(helper, matrices.memory, 2 * side_bytes, kind); code != cuda::kSuccess) {
    helper.say(cuda::kNote, std::string{kind.key} + " was not measured: " + helper.in_words(Call::cudaMemcpyAsync, code));
    return;
  }
  const auto rate = [](int side, double time) { return 2 * std::pow(side, 3) / time; };
  int side = std::min(kSmallSide, matrices.side);
  auto time = product_time(helper, math, matrices, kind, side);
  if (!time) return;
  double best = rate(side, *time);
  // Larger ones, as long as the user does not notice the time.
  while (side * 2 <= matrices.side && *time * 8 <= kLongest) {
    side *= 2;
    time = product_time(helper, math, matrices, kind, side);
    if (!time) break;
    best = std::max(best, rate(side, *time));
  }
  char text[64];
  std::snprintf(text, sizeof text, "%s %.9g", kind.key, best);
  helper.say(cuda::kValue, text);
}

}  // namespace

void measure_products(Helper& helper) {
  helper.say(cuda::kStage, "matrix products");
  constexpr int kCuda11 = 11000;
  if (helper.runtime < kCuda11) {
    helper.say(cuda::kNote, "matrix products were not measured: they need CUDA 11 or newer");
    return;
  }
  cuda::Math math = nullptr;
  if (const int code = GPUTOP_CUDA(helper, cublasCreate_v2, &math); code != cuda::kSuccess) {
    helper.say(cuda::kNote, "matrix products were not measured: " + helper.in_words(Call::cublasCreate_v2, code));
    return;
  }
  Matrices matrices;
  int code = GPUTOP_CUDA(helper, cublasSetStream_v2, math, helper.stream);
  auto failed = Call::cublasSetStream_v2;
  std::size_t free = 0;
  std::size_t total = 0;
  if (code == cuda::kSuccess) {
    failed = Call::cudaMemGetInfo;
    code = GPUTOP_CUDA(helper, cudaMemGetInfo, &free, &total);
  }
  if (code == cuda::kSuccess) {
    failed = Call::cudaMalloc;
    code = cuda::kOutOfMemory;
    for (int side = 8192; side >= 1024 && code == cuda::kOutOfMemory; side /= 2) {
      const auto bytes = 3 * sizeof(float) * static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
      if (bytes > free / 2) continue;
      code = GPUTOP_CUDA(helper, cudaMalloc, &matrices.memory, bytes);
      matrices.side = side;
    }
  }
  if (code != cuda::kSuccess) {
    helper.say(cuda::kNote, "matrix products were not measured: " + helper.in_words(failed, code));
  } else {
    for (const auto& kind : kKinds) {
      if (helper.major < kind.least_major) {
        helper.say(cuda::kNote, std::string{kind.key} + " was not measured: this card does not support it");
      } else {
        helper.say(cuda::kStage, std::string{"matrix products, "} + kind.key);
        measure_kind(helper, math, matrices, kind);
      }
    }
    GPUTOP_CUDA(helper, cudaFree, matrices.memory);
    helper.let_memory_be_read("context_with_math");
  }
  GPUTOP_CUDA(helper, cublasDestroy_v2, math);
}

}  // namespace gputop::calibrate
