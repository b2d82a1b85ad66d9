#include "store/recording_session.hpp"

#include <algorithm>

#include "gputop/base/files.hpp"

namespace gputop::store {

bool is_sample(const Event& event) {
  return std::holds_alternative<GpusSampled>(event.payload) || std::holds_alternative<HostSampled>(event.payload) ||
         std::holds_alternative<ProcessesSampled>(event.payload);
}

std::size_t weight_of(const Event& event) {
  const auto* output = std::get_if<OutputWritten>(&event.payload);
  return sizeof event + (output ? output->bytes.size() : 1024);
}

void Gap::extend(std::optional<Gap>& gap, Instant at, const std::string& reason) {
  if (!gap) gap = Gap{at, at, reason};
  gap->from = std::min(gap->from, at);
  gap->to = std::max(gap->to, at);
}

RecordingSession::RecordingSession(std::string path,
                                   std::unique_ptr<OutputFile> file,
                                   std::unique_ptr<RecordingEncoder> encoder)
    : path_(std::move(path)), file_(std::move(file)), encoder_(std::move(encoder)) {}

// While paused, readings become a gap; one-time events are kept up to a limit, because nothing else can reproduce them.
void RecordingSession::append(const Event& event, Time now) {
  if (paused()) {
    if (is_sample(event) || held_.size() == kMostHeld || held_bytes_ >= kMostHeldBytes) {
      Gap::extend(gap_, event.at, reason_);
    } else {
      held_.push_back(event);
      held_bytes_ += weight_of(event);
    }
    return;
  }
  encode(event);
  // The age of the oldest unflushed event decides when to flush: at most kFlushAfter is lost to kill -9.
  if (!unflushed_since_) unflushed_since_ = now;
  if (encoder_->pending() >= kFlushText) flush(now);
}

void RecordingSession::add_gap(const Gap& gap) {
  Gap::extend(gap_, gap.from, gap.reason);
  Gap::extend(gap_, gap.to, gap.reason);
}

// A gap is written where it ends, so time in the file goes forward.
void RecordingSession::encode(const Event& event) {
  if (gap_ && event.at > gap_->to) {
    encoder_->append({gap_->to, RecordingGap{gap_->from, gap_->to, gap_->reason}});
    gap_.reset();
  }
  encoder_->append(event);
}

// A pause ends with a successful write; there is no other signal that the disk has room again.
void RecordingSession::tick(Time now) {
  if (paused() && now >= retry_at_) write_out(now);
  if (!paused() && unflushed_since_ && now - *unflushed_since_ >= kFlushAfter) flush(now);
}

// Sealing adds the check line, so a reader and the next writer agree on what counts (docs/adr/0005).
void RecordingSession::flush(Time now) {
  if (!paused()) encoder_->seal();
  unflushed_since_.reset();
  write_out(now);
}

// Keeps the compressed bytes until all of them are on the disk and rewrites them at the same offset, so a full disk
// leaves neither a hole in the zstd stream nor half a block.
void RecordingSession::write_out(Time now) {
  if (const int error = file_->write(size_, encoder_->bytes()); error != 0) {
    file_->truncate(size_);
    reason_ = io_error("cannot write " + path_, error).message;
    retry_at_ = now + kRetryAfter;
    return;
  }
  size_ += encoder_->bytes().size();
  encoder_->bytes().clear();
  reason_.clear();
  for (const auto& event : held_) encode(event);
  if (!held_.empty() && !unflushed_since_) unflushed_since_ = now;
  held_.clear();
  held_bytes_ = 0;
}

// Even a paused recording gets a last attempt; the error then names what is missing.
Status RecordingSession::finish(Time now) {
  flush(now);  // the last attempt while paused
  if (!paused()) {
    if (gap_) encoder_->append({gap_->to, RecordingGap{gap_->from, gap_->to, gap_->reason}});
    encoder_->finish();
    write_out(now);
  }
  if (paused()) return Error{Error::Kind::kIo, "the end of the recording is missing: " + reason_};
  return success();
}

std::optional<RecordingSession::Time> RecordingSession::due() const {
  if (paused()) return retry_at_;
  if (unflushed_since_) return *unflushed_since_ + kFlushAfter;
  return std::nullopt;
}

}  // namespace gputop::store
