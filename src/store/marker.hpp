// The marker before every frame: a zstd skippable frame, which `zstd -d` ignores. After damage a reader looks for the
// next one, and a player seeks with them without unpacking earlier frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gputop::store {

struct Marker {
  std::uint32_t frame = 0;        // counts from 0
  std::int64_t milliseconds = 0;  // of the frame's first event
};

inline constexpr std::size_t kMarkerBytes = 32;
// The fixed first bytes of every marker, to search for.
inline constexpr std::string_view kMarkerStart{"\x57\x2A\x4D\x18\x18\x00\x00\x00gputoprc", 16};

std::string to_bytes(const Marker& marker);
// nullopt: there is no marker here.
std::optional<Marker> to_marker(std::string_view bytes);

std::uint32_t read_little_endian_32(std::string_view bytes);

}  // namespace gputop::store
