#include "store/recording_encoder.hpp"

#include <zstd.h>

#include <algorithm>
#include <iterator>

#include "store/line_time.hpp"
#include "store/marker.hpp"

namespace gputop::store {

void RecordingEncoder::FreeContext::operator()(ZSTD_CCtx_s* context) const {
  ZSTD_freeCCtx(context);
}

Result<std::unique_ptr<RecordingEncoder>> RecordingEncoder::create() {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (context == nullptr) return Error{Error::Kind::kUnavailable, "recording: no memory for the compressor"};
  std::unique_ptr<RecordingEncoder> encoder{new RecordingEncoder(context)};
  if (!encoder->set_pace(false)) {
    return Error{Error::Kind::kMismatch, "recording: this zstd library refuses our settings"};
  }
  return encoder;
}

// Readings amount to half a kilobyte per second, so the strongest compression costs nothing. A job's output may be
// 40,000 times that, and the job waits for us. The strong level's tables are sized for one frame's text: the default
// size would take 80 MB.
bool RecordingEncoder::set_pace(bool hurried) {
  hurried_ = hurried;
  const std::pair<ZSTD_cParameter, int> parameters[] = {
      {ZSTD_c_compressionLevel, hurried ? 1 : 19},
      {ZSTD_c_windowLog, 19},
      {ZSTD_c_hashLog, hurried ? 0 : 17},
      {ZSTD_c_chainLog, hurried ? 0 : 19},
      {ZSTD_c_checksumFlag, 1},
      {ZSTD_c_strategy, hurried ? ZSTD_fast : ZSTD_btultra2},
  };  // the strategies are those of the levels; zstd_left_out.cpp relies on them
  return std::all_of(std::begin(parameters), std::end(parameters), [&](const auto& parameter) {
    return ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), parameter.first, parameter.second)) == 0U;
  });
}

// Depends on the contents, never on when it was flushed: recording it again must give the same frames.
bool RecordingEncoder::is_full(Instant at) const {
  const std::size_t most = hurried_ ? kFrameText : kQuietText;
  if (!hurried_ && frame_output_ >= kQuietOutput) return true;
  return at - frame_start_ >= kFrameSpan || frame_text_ + text_.size() >= most;
}

void RecordingEncoder::append(const Event& event) {
  // In whole milliseconds, like all times in a recording.
  const Instant at = from_milliseconds(to_milliseconds(event.at));
  const auto* output = std::get_if<OutputWritten>(&event.payload);
  const std::size_t output_bytes = output ? output->bytes.size() : 0;
  if (in_frame_ && is_full(at)) finish();
  if (!hurried_ && output_bytes >= kQuietPiece) {
    finish();
    static_cast<void>(set_pace(true));
  }
  if (!in_frame_) begin_frame(at);
  lines_.append(event, text_);
  frame_output_ += output_bytes;
}

void RecordingEncoder::begin_frame(Instant at) {
  bytes_ += to_bytes({frame_, to_milliseconds(at)});
  lines_.begin_frame(frame_, at, text_);
  ++frame_;
  in_frame_ = true;
  frame_start_ = at;
  frame_text_ = 0;
  frame_output_ = 0;
}

void RecordingEncoder::flush() {
  if (in_frame_ && !text_.empty()) compress(false);
}

void RecordingEncoder::continue_output(const OutputEnds& ends) {
  lines_.set_output_ends(ends);
  if (ends != OutputEnds{}) static_cast<void>(set_pace(true));  // much may be waiting
}

void RecordingEncoder::seal() {
  if (!in_frame_ || text_.empty()) return;
  lines_.check(text_);
  compress(false);
}

void RecordingEncoder::finish() {
  if (!in_frame_) return;
  lines_.check(text_);
  compress(true);
  in_frame_ = false;
  static_cast<void>(set_pace(frame_text_ >= kQuietText || frame_output_ >= kQuietOutput));
}

void RecordingEncoder::compress(bool end_of_frame) {
  ZSTD_inBuffer in{text_.data(), text_.size(), 0};
  const auto mode = end_of_frame ? ZSTD_e_end : ZSTD_e_flush;
  const std::size_t step = ZSTD_CStreamOutSize();
  std::size_t left = 1;
  while (left != 0) {
    const std::size_t start = bytes_.size();
    bytes_.resize(start + step);
    ZSTD_outBuffer out{bytes_.data() + start, step, 0};
    left = ZSTD_compressStream2(context_.get(), &out, &in, mode);
    bytes_.resize(start + out.pos);
    // Only running out of memory in the very first call can cause this; the frame is then cut off and the next one
    // starts over.
    if (ZSTD_isError(left) != 0U) {
      ZSTD_CCtx_reset(context_.get(), ZSTD_reset_session_only);
      in_frame_ = false;
      break;
    }
  }
  frame_text_ += text_.size();
  text_.clear();
}

}  // namespace gputop::store
