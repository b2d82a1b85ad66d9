// The lines of a recording that are known to be right: a line is given out once the check line behind it was met, or
// the frame's own checksum, or the end of a file that was cut off.
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
  // checked_only: lines that nothing vouches for but the end of a file are not given out, as they would not be if
  // another frame stood behind them.
  explicit VerifiedText(std::unique_ptr<FrameReader> frames, bool checked_only = false)
      : frames_(std::move(frames)), checked_only_(checked_only) {}

  enum class Got {
    kLine,
    kLoss,  // something is damaged or missing here: loss() says what; lines go on behind it if there are any
    kEnd,
  };
  struct Loss {
    enum class Kind {
      kDamaged,
      kMissing,
      kCutOff,
      kTornOff,  // the writer was killed here, and another has gone on
    } kind = Kind::kDamaged;
    std::uint64_t offset = 0;
    std::optional<Marker> next;  // where reading goes on
  };

  Got next();
  // Without its newline; valid until the next call.
  [[nodiscard]] std::string_view line() const { return line_; }
  // After kLine: all lines behind this one that are known to be right by now, with their newlines. They count as given
  // out.
  std::string_view take_ready();
  [[nodiscard]] const Loss& loss() const { return loss_; }

  // Goes to the last frame that begins at or before this time.
  void seek(std::int64_t milliseconds);
  // Goes to the last frame that begins before this offset; false: there is none.
  bool seek_last(std::uint64_t before);
  // Goes to the first frame that begins at this offset or behind it; false: there is none.
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
  std::size_t next_ = 0;     // the next line to give out
  std::size_t ready_ = 0;    // lines before this are right
  std::size_t scanned_ = 0;  // lines before this were looked at for a check
  bool check_failed_ = false;
  bool frame_ended_ = false;  // the last text was the end of a frame that was right
  bool cut_ = false;          // the file ends within a frame; loss_ is still to be told
  bool ended_ = false;
  std::optional<std::uint32_t> expected_frame_;
  std::string_view line_;
  Loss loss_;
  std::vector<FrameReader::Mark> marks_;
};

}  // namespace gputop::store
