// Turns the bytes of a recording into text: skips markers, unpacks frames piece by piece, and finds the next frame
// after damage.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputop/base/descriptor.hpp"
#include "gputop/core/result.hpp"
#include "store/marker.hpp"

struct ZSTD_DCtx_s;

namespace gputop::store {

class FrameReader {
 public:
  enum class Step {
    kText,      // more text, possibly empty
    kMarker,    // marker() precedes the next frame
    kFrameEnd,  // the frame ended and its checksum matched
    kDamaged,   // the data at offset() is damaged or not a recording; call resynchronise()
    kCutOff,    // the file ends within a frame
    kEnd,       // the file ends after a frame
  };
  struct Mark {
    std::uint64_t offset = 0;
    Marker marker;
  };

  // Ignores everything after `most` bytes, where another process may be writing.
  static Result<std::unique_ptr<FrameReader>> open(const std::string& path,
                                                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  // Appends the unpacked text to `text`.
  Step next(std::string& text);
  [[nodiscard]] const Marker& marker() const { return marker_; }
  // Offset of the first unused byte.
  [[nodiscard]] std::uint64_t offset() const { return buffer_offset_ + used_; }

  // Seeks to the first marker after the damaged frame. nullopt: there is none, and the file is at its end.
  std::optional<Marker> resynchronise();
  // Scans the file for all markers.
  std::vector<Mark> marks();
  // The first one that begins in [from, to). After 256 MiB searched in vain there is none.
  std::optional<Mark> find_marker(std::uint64_t from, std::uint64_t to = std::numeric_limits<std::uint64_t>::max());
  // The last one that begins before this offset.
  std::optional<Mark> last_mark(std::uint64_t before);
  // Bytes in the file, capped at `most`.
  [[nodiscard]] std::uint64_t size() const;
  // The next step reads at this offset.
  void go_to(std::uint64_t offset);

 private:
  FrameReader(Descriptor file, ZSTD_DCtx_s* context, std::uint64_t most);
  Step between_frames();
  Step step_over();
  Step within_frame(std::string& text);
  // Makes at least `count` bytes available if the file has them; returns how many there are.
  std::size_t available(std::size_t count);

  Descriptor file_;
  ZSTD_DCtx_s* context_;
  std::uint64_t most_;
  std::string buffer_;
  std::uint64_t buffer_offset_ = 0;  // of buffer_'s first byte in the file
  std::size_t used_ = 0;
  std::uint64_t frame_offset_ = 0;
  std::uint64_t searched_ = 0;  // bytes, by find_marker() in vain
  bool in_frame_ = false;
  std::size_t wanted_ = 0;  // bytes to give to the decompressor next
  std::string unpacked_;
  Marker marker_;
};

}  // namespace gputop::store
