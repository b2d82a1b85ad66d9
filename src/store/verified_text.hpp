// The verified lines of a recording: a line is returned once the check line after it, the frame's own checksum, or the
// end of a truncated file confirms it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/frame_reader.hpp"

namespace gputop::store {

class VerifiedText {
 public:
  // checked_only: does not return lines confirmed only by the end of the file, just as if another frame followed them.
  explicit VerifiedText(std::unique_ptr<FrameReader> frames, bool checked_only = false)
      : frames_(std::move(frames)), checked_only_(checked_only) {}

  enum class Got {
    kLine,
    kLoss,  // damaged or missing data here: loss() describes it; lines may follow
    kEnd,
  };
  struct Loss {
    enum class Kind {
      kDamaged,
      kMissing,
      kCutOff,
      kTornOff,  // the writer was killed here, and another one continued
    } kind = Kind::kDamaged;
    std::uint64_t offset = 0;
    std::optional<Marker> next;  // where reading continues
  };

  Got next();
  // Without its newline; valid until the next call.
  [[nodiscard]] std::string_view line() const { return line_; }
  // After kLine: all further lines verified so far, with their newlines. They count as returned.
  std::string_view take_ready();
  [[nodiscard]] const Loss& loss() const { return loss_; }

  // Seeks to the last frame that begins at or before this time.
  void seek(std::int64_t milliseconds);
  // Seeks to the last frame that begins before this offset; false: there is none.
  bool seek_last(std::uint64_t before);
  // Seeks to the first frame that begins at or after this offset; false: there is none.
  bool seek_first(std::uint64_t from);
  [[nodiscard]] std::uint64_t frame_offset() const { return sought_; }

 private:
  Got load();
  bool find_check();
  Got lose_damaged();
  Got lose_the_rest();
  void go_on_behind_loss();
  void start_at(std::uint64_t offset);
  void drop_text();

  std::unique_ptr<FrameReader> frames_;
  bool checked_only_;
  std::uint64_t sought_ = 0;
  std::string text_;
  std::size_t next_ = 0;     // the next line to return
  std::size_t ready_ = 0;    // lines before this are verified
  std::size_t scanned_ = 0;  // lines before this were scanned for a check
  bool check_failed_ = false;
  bool frame_ended_ = false;  // the last text ended a valid frame
  bool cut_ = false;          // the file ends within a frame; loss_ is still to be reported
  bool ended_ = false;
  std::optional<std::uint32_t> expected_frame_;
  std::string_view line_;
  Loss loss_;
  std::vector<FrameReader::Mark> marks_;
};

}  // namespace gputop::store
