#include "store/marker.hpp"

#include "gputop/core/scan.hpp"
#include "store/crc32.hpp"

namespace gputop::store {
namespace {

void write_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::uint64_t read_little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(char_at(bytes, i));
  return value;
}

}  // namespace

std::uint32_t read_little_endian_32(std::string_view bytes) {
  return static_cast<std::uint32_t>(read_little_endian(slice(bytes, 0, 4)));
}

std::string to_bytes(const Marker& marker) {
  std::string bytes{kMarkerStart};
  write_little_endian(bytes, marker.frame, 4);
  write_little_endian(bytes, static_cast<std::uint64_t>(marker.milliseconds), 8);
  write_little_endian(bytes, crc32(0, bytes), 4);
  return bytes;
}

std::optional<Marker> to_marker(std::string_view bytes) {
  if (bytes.size() < kMarkerBytes || !bytes.starts_with(kMarkerStart)) return std::nullopt;
  if (read_little_endian_32(slice(bytes, 28)) != crc32(0, slice(bytes, 0, 28))) return std::nullopt;
  return Marker{read_little_endian_32(slice(bytes, 16)),
                static_cast<std::int64_t>(read_little_endian(slice(bytes, 20, 8)))};
}

}  // namespace gputop::store
