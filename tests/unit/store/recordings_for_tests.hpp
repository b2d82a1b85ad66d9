// Recordings made and read in one call.
#pragma once

#include <zstd.h>

#include <string>
#include <vector>

#include "gputop/store/recording_reader.hpp"
#include "store/recording_encoder.hpp"

#include "file_bytes.hpp"
#include "support/temporary_directory.hpp"

namespace gputop::testing {

// flush_every: events between flushes, as the 2 s of a writer.
inline std::string recording_of(const std::vector<Event>& events, std::size_t flush_every = 6) {
  auto encoder = *store::RecordingEncoder::create();
  for (std::size_t i = 0; i < events.size(); ++i) {
    encoder->append(events[i]);
    if (i % flush_every == flush_every - 1) encoder->flush();
  }
  encoder->finish();
  return encoder->bytes();
}

struct ReadBack {
  bool opened = false;
  std::string error;
  std::vector<Event> events;
  std::vector<std::string> problems;
};

inline ReadBack read_recording(const std::string& path) {
  ReadBack result;
  auto reader = RecordingReader::open(path);
  result.opened = reader.ok();
  if (!reader) {
    result.error = reader.error().message;
    return result;
  }
  while (const Event* event = reader->next()) result.events.push_back(*event);
  result.problems = reader->problems();
  return result;
}

inline ReadBack read_bytes_as_recording(const std::string& bytes) {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), bytes);
  return read_recording(folder.file("r.gputop"));
}

// What `zstd -dc` prints.
inline std::string text_of(const std::string& bytes) {
  std::string text;
  ZSTD_DCtx* context = ZSTD_createDCtx();
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  while (in.pos < in.size) {
    std::string piece(std::size_t{1} << 16U, '\0');
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    if (ZSTD_isError(ZSTD_decompressStream(context, &out, &in)) != 0U) break;
    text.append(piece, 0, out.pos);
  }
  ZSTD_freeDCtx(context);
  return text;
}

// One zstd frame of this text, without a marker: what somebody else's tools would make.
inline std::string packed(const std::string& text) {
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  bytes.resize(ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 3));
  return bytes;
}

}  // namespace gputop::testing
