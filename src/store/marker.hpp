// The mark before every frame: a zstd skippable frame, which `zstd -d` steps over. After damage a reader looks for the
// next one, and a player finds the minute it wants without unpacking the minutes before.
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
// What every marker begins with: enough to look for one.
inline constexpr std::string_view kMarkerStart{"\x57\x2A\x4D\x18\x18\x00\x00\x00gputoprc", 16};

std::string to_bytes(const Marker& marker);
// nullopt: no marker begins here.
std::optional<Marker> to_marker(std::string_view bytes);

std::uint32_t read_little_endian_32(std::string_view bytes);

}  // namespace gputop::store
