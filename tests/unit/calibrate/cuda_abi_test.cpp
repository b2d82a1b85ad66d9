// Our declarations of libcudart and libcublas, compared with NVIDIA's headers where they can be had.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <type_traits>

#include "calibrate/abi.hpp"

#if __has_include(<cuda_runtime_api.h>) && __has_include(<cublas_api.h>)
#include <cublas_api.h>
#include <cuda_runtime_api.h>
#define GPUTOP_HAS_CUDA_HEADERS 1
#endif

namespace gputop::cuda {

#ifdef GPUTOP_HAS_CUDA_HEADERS
namespace {

// Two functions take the same: as many arguments, each as large, each a pointer where the other is one; and say an int.
template <class Ours, class Theirs>
struct SameShape : std::false_type {};
template <class... Ours, class Code, class... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct SameShape<int (*)(Ours...), Code (*)(Theirs...)>
    : std::bool_constant<(sizeof(Code) == sizeof(int)) &&
                         ((sizeof(Ours) == sizeof(Theirs) && std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>) && ...)> {
};

// The header has an overload of one of them, for old programs: the C function is meant.
struct Theirs {
  decltype(&::cublasCreate_v2) cublasCreate_v2;
  decltype(&::cublasSetStream_v2) cublasSetStream_v2;
  decltype(&::cublasDestroy_v2) cublasDestroy_v2;
  decltype(static_cast<cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                          const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                          cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t)>(
      &::cublasGemmEx)) cublasGemmEx;
};

}  // namespace

// C++ overloads of the header (templates of cuda_runtime.h) are not included: these are the C functions.
#define RUNTIME(symbol, ...) \
  static_assert(SameShape<int (*)(__VA_ARGS__), std::add_pointer_t<decltype(::symbol)>>::value, #symbol);
#define MATH(symbol, ...) static_assert(SameShape<int (*)(__VA_ARGS__), decltype(Theirs::symbol)>::value, #symbol);
#include "calibrate/functions.def"
#undef RUNTIME
#undef MATH
static_assert(std::is_same_v<decltype(::cudaGetErrorString(cudaSuccess)), const char*>);
static_assert(kSuccess == cudaSuccess && kSuccess == static_cast<int>(CUBLAS_STATUS_SUCCESS));
static_assert(kOutOfMemory == cudaErrorMemoryAllocation);
static_assert(kInsufficientDriver == cudaErrorInsufficientDriver);
static_assert(kNoDevice == cudaErrorNoDevice);
static_assert(kToDevice == cudaMemcpyHostToDevice && kToHost == cudaMemcpyDeviceToHost && kOnDevice == cudaMemcpyDeviceToDevice);
static_assert(kCapabilityMajor == cudaDevAttrComputeCapabilityMajor);
static_assert(kHostAllocDefault == cudaHostAllocDefault);
static_assert(kNotTransposed == static_cast<int>(CUBLAS_OP_N) && kTransposed == static_cast<int>(CUBLAS_OP_T));
static_assert(kTypeFloat == static_cast<int>(CUDA_R_32F) && kTypeHalf == static_cast<int>(CUDA_R_16F) &&
              kTypeBfloat == static_cast<int>(CUDA_R_16BF));
static_assert(kComputeFloat == static_cast<int>(CUBLAS_COMPUTE_32F) &&
              kComputeTf32 == static_cast<int>(CUBLAS_COMPUTE_32F_FAST_TF32));
static_assert(kAnyAlgorithm == static_cast<int>(CUBLAS_GEMM_DEFAULT));

TEST_CASE("our declarations of CUDA are NVIDIA's") {
  SUCCEED("compared at compile time, with the headers of CUDA " << CUDART_VERSION);
}
#else
TEST_CASE("our declarations of CUDA are NVIDIA's") {
  SKIP("cuda_runtime_api.h and cublas_api.h are not on this machine: install a CUDA toolkit to compare");
}
#endif

}  // namespace gputop::cuda
