#include "store/crc32.hpp"

#include <array>
#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include "gputop/core/scan.hpp"

#endif

namespace gputop::store {
namespace {

// Table k advances a byte that is k places before the end of a group of eight ("slicing by eight").
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t crc = tables[k - 1][byte];
      tables[k][byte] = (crc >> 8U) ^ tables[0][crc & 0xFFU];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

// `crc` is the raw remainder here, not inverted.
std::uint32_t by_tables(std::uint32_t crc, std::string_view bytes) {
  while (bytes.size() >= 8) {
    std::array<std::uint8_t, 8> b{};
    std::memcpy(b.data(), bytes.data(), b.size());
    crc = kTables[7][b[0] ^ (crc & 0xFFU)] ^ kTables[6][b[1] ^ (crc >> 8U & 0xFFU)] ^
          kTables[5][b[2] ^ (crc >> 16U & 0xFFU)] ^ kTables[4][b[3] ^ (crc >> 24U)] ^ kTables[3][b[4]] ^
          kTables[2][b[5]] ^ kTables[1][b[6]] ^ kTables[0][b[7]];
    skip_front(bytes, 8);
  }
  for (const char c : bytes) crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU];
  return crc;
}

#if defined(__x86_64__)

constexpr std::size_t kBlock = 16;
constexpr std::size_t kLanes = 4;

// x to the power of n, modulo the polynomial. Bits are reversed as everywhere here, and shifted up by one as in the
// product of two such values.
constexpr long long power_of_x(unsigned n) {
  std::uint32_t value = 0x80000000U;
  for (unsigned i = 0; i < n; ++i) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0xEDB88320U : 0U);
  return static_cast<long long>(std::uint64_t{value} << 1U);
}

// Moves a block by `kBits` bits and adds the data there: the sum has the same remainder as both.
template <unsigned kBits>
__attribute__((target("pclmul,sse4.1"))) __m128i moved(__m128i block, __m128i onto) {
  constexpr long long kFirstHalf = power_of_x(kBits + 32);
  constexpr long long kSecondHalf = power_of_x(kBits - 32);
  const __m128i factors = _mm_set_epi64x(kSecondHalf, kFirstHalf);
  return _mm_xor_si128(
      onto, _mm_xor_si128(_mm_clmulepi64_si128(block, factors, 0x00), _mm_clmulepi64_si128(block, factors, 0x11)));
}

// Requires at least kLanes blocks. The tables compute the remainder of the folded block.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t by_folding(std::uint32_t crc, std::string_view bytes) {
  const auto load = [&](std::size_t block) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + block * kBlock));
  };
  __m128i lanes[kLanes] = {_mm_xor_si128(load(0), _mm_cvtsi32_si128(static_cast<int>(crc))), load(1), load(2), load(3)};
  skip_front(bytes, kLanes * kBlock);
  for (; bytes.size() >= kLanes * kBlock; skip_front(bytes, kLanes * kBlock)) {
    for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = moved<kLanes * kBlock * 8>(lanes[i], load(i));
  }
  __m128i sum = lanes[0];
  for (std::size_t i = 1; i < kLanes; ++i) sum = moved<kBlock * 8>(sum, lanes[i]);
  for (; bytes.size() >= kBlock; skip_front(bytes, kBlock)) sum = moved<kBlock * 8>(sum, load(0));
  std::array<char, kBlock> folded{};
  _mm_storeu_si128(reinterpret_cast<__m128i*>(folded.data()), sum);
  return by_tables(by_tables(0, {folded.data(), folded.size()}), bytes);
}

bool can_fold(std::string_view bytes) {
  static const bool supported = [] {  // __builtin_cpu_supports needs a runtime library that zig lacks
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_PCLMUL) != 0 && (c & bit_SSE4_1) != 0;
  }();
  return supported && bytes.size() >= kLanes * kBlock;
}

#else

std::uint32_t by_folding(std::uint32_t crc, std::string_view bytes) {
  return by_tables(crc, bytes);
}
bool can_fold(std::string_view) {
  return false;
}

#endif

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  return ~(can_fold(bytes) ? by_folding(~crc, bytes) : by_tables(~crc, bytes));
}

}  // namespace gputop::store
