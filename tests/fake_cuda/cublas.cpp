// libcublas.so.13 with NVIDIA's binary interface: a product takes the card as long as the scenario says.
#include <dlfcn.h>

#include <type_traits>

#include "calibrate/abi.hpp"
#include "fake_cuda/fake.hpp"

using namespace gputop::cuda;

#define ENTER(name) \
  if (const int code = fake_cuda::enter(name); code != 0) return code

FAKE_CUDA_EXPORT int cublasCreate_v2(Math* math) {
  ENTER("cublasCreate_v2");
  *math = reinterpret_cast<Math>(new char);
  return 0;
}
FAKE_CUDA_EXPORT int cublasSetStream_v2(Math, Stream) {
  ENTER("cublasSetStream_v2");
  return 0;
}
FAKE_CUDA_EXPORT int cublasGemmEx(Math, int, int, int m, int n, int k, const void*, const void*, int type, int, const void*, int,
                                  int, const void*, void*, int, int, int compute, int) {
  ENTER("cublasGemmEx");
  const char* const kind = type == kTypeHalf ? "fp16" : type == kTypeBfloat ? "bf16" : compute == kComputeTf32 ? "tf32" : "fp32";
  if (const int code = fake_cuda::enter(kind); code != 0) return code;
  const double rate = fake_cuda::scenario().number(kind, 50e12);
  static const auto spend = reinterpret_cast<void (*)(double)>(::dlsym(RTLD_DEFAULT, "fakeCudaSpend"));
  if (spend != nullptr) spend(2.0 * m * n * k / rate);
  return 0;
}
FAKE_CUDA_EXPORT int cublasDestroy_v2(Math math) {
  ENTER("cublasDestroy_v2");
  delete reinterpret_cast<char*>(math);
  return 0;
}

#define RUNTIME(symbol, ...)
#define MATH(symbol, ...) static_assert(std::is_same_v<decltype(&symbol), decltype(Api::symbol)>);
#include "calibrate/functions.def"
