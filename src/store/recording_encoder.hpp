// Events as the bytes of a recording: markers, zstd frames, lines. Knows nothing of files, clocks and threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"
#include "store/line_encoder.hpp"

struct ZSTD_CCtx_s;

namespace gputop::store {

// A frame spans this much; longer frames pack better, shorter ones lose less when damaged.
inline constexpr Duration kFrameSpan = std::chrono::minutes{10};
inline constexpr std::size_t kFrameText = std::size_t{2} << 20U;
// Readings stay far below this in a frame's span; what passes it is packed in a hurry from then on.
inline constexpr std::size_t kQuietText = std::size_t{1} << 20U;
// So is a job's output that passes this, or comes in such pieces: it waits for us, and the strongest search is at its
// slowest where lines resemble each other.
inline constexpr std::size_t kQuietOutput = std::size_t{64} << 10U;
inline constexpr std::size_t kQuietPiece = std::size_t{4} << 10U;

class RecordingEncoder {
 public:
  static Result<std::unique_ptr<RecordingEncoder>> create();

  void append(const Event& event);
  // Everything appended so far comes into bytes(), and can be read from there.
  void flush();
  // The same with a check behind it: it stays readable even if the frame is torn there and another follows.
  void seal();
  // Ends the frame.
  void finish();

  // What was recorded of a job's output before this encoder's first event.
  void continue_output(const OutputEnds& ends);

  // Text that flush() would still have to pack.
  [[nodiscard]] std::size_t pending() const { return text_.size(); }
  // What is not yet written anywhere. The caller clears it.
  [[nodiscard]] std::string& bytes() { return bytes_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  explicit RecordingEncoder(ZSTD_CCtx_s* context) : context_(context) {}
  bool set_pace(bool hurried);
  [[nodiscard]] bool is_full(Instant at) const;
  void begin_frame(Instant at);
  void compress(bool end_of_frame);

  std::unique_ptr<ZSTD_CCtx_s, FreeContext> context_;
  LineEncoder lines_;
  std::string text_;  // lines not yet compressed
  std::string bytes_;
  std::uint32_t frame_ = 0;
  bool in_frame_ = false;
  bool hurried_ = false;
  Instant frame_start_;
  std::size_t frame_text_ = 0;
  std::size_t frame_output_ = 0;  // bytes of a job's output in it
};

}  // namespace gputop::store
