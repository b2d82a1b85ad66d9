#include "store/crc32.hpp"

#include <array>
#include <cstring>

namespace gputop::store {
namespace {

// Table k advances a byte that stands k places before the end of a group of eight ("slicing by eight").
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

}  // namespace

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  crc = ~crc;
  while (bytes.size() >= 8) {
    std::array<std::uint8_t, 8> b{};
    std::memcpy(b.data(), bytes.data(), b.size());
    crc = kTables[7][b[0] ^ (crc & 0xFFU)] ^ kTables[6][b[1] ^ (crc >> 8U & 0xFFU)] ^
          kTables[5][b[2] ^ (crc >> 16U & 0xFFU)] ^ kTables[4][b[3] ^ (crc >> 24U)] ^ kTables[3][b[4]] ^
          kTables[2][b[5]] ^ kTables[1][b[6]] ^ kTables[0][b[7]];
    bytes.remove_prefix(8);
  }
  for (const char c : bytes) crc = (crc >> 8U) ^ kTables[0][(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU];
  return ~crc;
}

}  // namespace gputop::store
