// The bytes of a recording as text: steps over markers, unpacks frames piece by piece, and finds the next frame after
// damage.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gputop/core/result.hpp"
#include "store/marker.hpp"

struct ZSTD_DCtx_s;

namespace gputop::store {

class FrameReader {
 public:
  enum class Step {
    kText,      // some more text, perhaps none
    kMarker,    // marker() is the one before the next frame
    kFrameEnd,  // the frame ended and its checksum was right
    kDamaged,   // what is at offset() is no recording, or damaged; resynchronise()
    kCutOff,    // the file ends within a frame
    kEnd,       // the file ends after a frame
  };
  struct Mark {
    std::uint64_t offset = 0;
    Marker marker;
  };

  // What stands behind `most` bytes is not looked at: somebody may be writing there.
  static Result<std::unique_ptr<FrameReader>> open(const std::string& path,
                                                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  // Appends what it unpacks to text.
  Step next(std::string& text);
  [[nodiscard]] const Marker& marker() const { return marker_; }
  // Where the bytes not yet used begin.
  [[nodiscard]] std::uint64_t offset() const { return buffer_offset_ + used_; }

  // Goes to the first marker behind the frame that was damaged. nullopt: there is none, and the file is at its end.
  std::optional<Marker> resynchronise();
  // All markers in the file, by looking for them.
  std::vector<Mark> marks();
  // The first one that begins in [from, to).
  std::optional<Mark> find_marker(std::uint64_t from, std::uint64_t to = std::numeric_limits<std::uint64_t>::max());
  // The last one that begins before this offset.
  std::optional<Mark> last_mark(std::uint64_t before);
  // Bytes in the file, up to the most that was asked for.
  [[nodiscard]] std::uint64_t size() const;
  // The next step reads at this offset.
  void go_to(std::uint64_t offset);

 private:
  FrameReader(int file, ZSTD_DCtx_s* context, std::uint64_t most);
  Step between_frames();
  Step step_over();
  Step within_frame(std::string& text);
  // Makes at least `count` bytes available if the file has them; says how many there are.
  std::size_t available(std::size_t count);

  int file_;
  ZSTD_DCtx_s* context_;
  std::uint64_t most_;
  std::string buffer_;
  std::uint64_t buffer_offset_ = 0;  // of buffer_'s first byte in the file
  std::size_t used_ = 0;
  std::uint64_t frame_offset_ = 0;
  bool in_frame_ = false;
  std::size_t wanted_ = 0;  // what the decompressor is given next
  std::string unpacked_;
  Marker marker_;
};

}  // namespace gputop::store
