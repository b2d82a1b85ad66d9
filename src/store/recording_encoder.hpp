// Encodes events as the bytes of a recording: markers, zstd frames, lines. Independent of files, clocks and threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"
#include "store/line_encoder.hpp"

struct ZSTD_CCtx_s;

namespace gputop::store {

// The time span of a frame; longer frames compress better, shorter ones lose less when damaged.
inline constexpr Duration kFrameSpan = std::chrono::minutes{10};
inline constexpr std::size_t kFrameText = std::size_t{2} << 20U;
// Readings stay far below this within a frame; beyond it, the encoder switches to fast compression.
inline constexpr std::size_t kQuietText = std::size_t{1} << 20U;
// The same limit for a job's output, in total or per piece: the job waits for us, and the strongest compression is
// slowest on similar lines.
inline constexpr std::size_t kQuietOutput = std::size_t{64} << 10U;
inline constexpr std::size_t kQuietPiece = std::size_t{4} << 10U;

class RecordingEncoder {
 public:
  static Result<std::unique_ptr<RecordingEncoder>> create();

  void append(const Event& event);
  // Moves everything appended so far into bytes(), readable from there.
  void flush();
  // The same with a check line after it: the data stays readable even if the frame is torn there and another follows.
  void seal();
  // Ends the frame.
  void finish();

  // How much of a job's output was recorded before this encoder's first event.
  void continue_output(const OutputEnds& ends);

  // Bytes of text that flush() has yet to compress.
  [[nodiscard]] std::size_t pending() const { return text_.size(); }
  // Bytes not written yet. The caller clears them.
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
  std::size_t frame_output_ = 0;  // bytes of job output in the frame
};

}  // namespace gputop::store
