#include "store/crc32.hpp"

#include <array>
#include <cstring>

namespace gputop::store {
namespace {

// Table k advances a byte that stands k places before the end of a group of sixteen ("slicing by sixteen").
constexpr std::size_t kGroup = 16;
using Tables = std::array<std::array<std::uint32_t, 256>, kGroup>;

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

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  while (bytes.size() >= kGroup) {
    std::array<std::uint8_t, kGroup> b{};
    std::memcpy(b.data(), bytes.data(), b.size());
    for (std::size_t i = 0; i < 4; ++i) b[i] ^= static_cast<std::uint8_t>(crc >> (8 * i));
    crc = 0;
    for (std::size_t i = 0; i < kGroup; ++i) crc ^= kTables[kGroup - 1 - i][b[i]];
    bytes.remove_prefix(kGroup);
  }
  for (const char c : bytes) crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU];
  return ~crc;
}

}  // namespace gputop::store
