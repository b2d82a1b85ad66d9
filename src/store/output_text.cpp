#include "store/output_text.hpp"

#include <charconv>
#include <string_view>

#include "gputop/core/plain_run.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/core/utf8.hpp"
#include "gputop/store/output_ends.hpp"
#include "store/json_text.hpp"
#include "store/line_time.hpp"

namespace gputop::store {
namespace {

void write_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '\\';
  switch (c) {
    case '\n': out += 'n'; return;
    case '\r': out += 'r'; return;
    case '\t': out += 't'; return;
    case '"':
    case '\\': out += c; return;
    default:
      out += "u00";
      out += char_at(kHex, static_cast<unsigned char>(c) >> 4U);
      out += char_at(kHex, static_cast<unsigned char>(c) & 0xFU);
  }
}

// False: not UTF-8; discard what was written so far.
bool write_text(std::string& out, std::string_view bytes, bool as_bytes) {
  while (!bytes.empty()) {
    const auto plain = plain_run<'"', '\\'>(bytes);
    out.append(slice(bytes, 0, plain));
    skip_front(bytes, plain);
    if (bytes.empty()) break;
    const char c = first_char(bytes);
    std::size_t length = 1;
    if (static_cast<unsigned char>(c) < 0x80) {
      write_escaped(out, c);
    } else if (as_bytes) {
      out += static_cast<char>(0xC0U | static_cast<unsigned char>(c) >> 6U);
      out += static_cast<char>(0x80U | (static_cast<unsigned char>(c) & 0x3FU));
    } else {
      length = decode_utf8(bytes).length;
      if (length == 0) return false;
      out.append(slice(bytes, 0, length));
    }
    skip_front(bytes, length);
  }
  return true;
}

}  // namespace

void write_output(std::string& out, const OutputWritten& output) {
  out += "{\"stream\":";
  write_unsigned(out, output.stream);
  out += ",\"offset\":";
  write_unsigned(out, output.offset);
  const std::size_t start = out.size();
  out += ",\"text\":\"";
  if (!write_text(out, output.bytes, false)) {
    out.resize(start);
    out += ",\"bytes\":\"";
    write_text(out, output.bytes, true);
  }
  out += output.unread ? "\",\"unread\":true}" : "\"}";
}

std::optional<std::size_t> output_stream_of(std::string_view line) {
  constexpr std::string_view kStart = "\"output\":{\"stream\":";
  constexpr std::size_t kFarthest = 64;  // only a time may precede it
  const auto at = slice(line, 0, kFarthest).find(kStart);
  if (at == std::string_view::npos || at + kStart.size() >= line.size()) return std::nullopt;
  const char digit = char_at(line, at + kStart.size());
  if (digit < '0' || digit >= '0' + static_cast<char>(OutputEnds{}.size())) return std::nullopt;
  return static_cast<std::size_t>(digit - '0');
}

std::optional<Instant> time_of(std::string_view line) {
  constexpr std::string_view kStart = "{\"t\":";
  std::int64_t milliseconds = 0;
  if (!line.starts_with(kStart)) return std::nullopt;
  const auto read = std::from_chars(line.data() + kStart.size(), line.data() + line.size(), milliseconds);
  return read.ec == std::errc{} ? std::optional{from_milliseconds(milliseconds)} : std::nullopt;
}

}  // namespace gputop::store
