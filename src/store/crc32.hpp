// CRC-32 as in zlib, so any tool can verify a recording's check lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace gputop::store {

// Continues from `crc` (0 at the start).
std::uint32_t crc32(std::uint32_t crc, std::string_view bytes);

}  // namespace gputop::store
