#include "gputop/store/recording_reader.hpp"

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "store/line_decoder.hpp"
#include "store/line_encoder.hpp"
#include "store/line_time.hpp"
#include "store/event_json.hpp"
#include "store/recording_encoder.hpp"
#include "store/text_ahead.hpp"
#include "store/verified_text.hpp"

namespace gputop {
namespace {

using store::LineDecoder;
using store::VerifiedText;

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kMostUnknownKinds = 20;
constexpr std::size_t kMostKnown = 64;
constexpr Duration kUnwantedSpacing = std::chrono::seconds{30};

// "gputop.recording/1" → 1; 0 for anything else.
unsigned major_version(std::string_view schema) {
  const std::string_view name = slice(store::kSchema, 0, store::kSchema.size() - 1);
  unsigned version = 0;
  if (schema.starts_with(name)) std::from_chars(schema.data() + name.size(), schema.data() + schema.size(), version);
  return version;
}

std::string clock(Instant at) {
  return format_duration(at.time_since_epoch());
}

// What a later frame repeats for readers that start there.
bool is_context(const Payload& payload) {
  return std::holds_alternative<StreamStarted>(payload) || std::holds_alternative<ClockAdjusted>(payload) ||
         std::holds_alternative<SourceStatus>(payload);
}

}  // namespace

class RecordingReader::Impl {
 public:
  Impl(VerifiedText text, std::uint64_t file_bytes) : text_(std::move(text)), file_bytes_(file_bytes) {
    decoder_.set_budget(file_bytes_);
  }

  // Seeks to the first header, past any damage before it.
  Status begin(const std::string& path);
  const Event* next();
  void seek(Instant at);
  void skim_before(Instant until) { skim_before_ = until; }
  void read_ahead() { wants_ahead_ = true; }
  void leave_out_all_but_gpus() { decoder_.leave_out_all_but_gpus(); }
  void skim_progress(bool wanted) { decoder_.set_output_spacing(wanted ? store::kOutputSpacing : kUnwantedSpacing); }
  void expect_open() { expect_open_ = true; }
  [[nodiscard]] bool cut_off() const { return cut_off_; }
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  const Event* deliver(const Event& event);
  VerifiedText::Got next_line();
  [[nodiscard]] std::string_view line() const { return ahead_ ? ahead_->line() : text_.line(); }
  [[nodiscard]] const VerifiedText::Loss& loss() const { return ahead_ ? ahead_->loss() : text_.loss(); }
  // What came instead of an event.
  void take_header(const store::FrameHeader& header);
  void note_loss(const VerifiedText::Loss& loss);
  void note(std::string problem);
  bool take_line(std::string_view line);

  VerifiedText text_;
  std::uint64_t file_bytes_;
  bool wants_ahead_ = false;
  std::optional<store::TextAhead> ahead_;  // owns text_ while it exists
  LineDecoder decoder_;
  std::deque<Event> waiting_;  // context of a frame whose predecessors were not read
  Event current_;
  std::vector<Event> known_;  // context already returned
  std::optional<Instant> last_;
  bool has_line_ = false;  // begin() read the first line; next() returns it
  bool refused_ = false;
  bool began_ = false;  // a frame has begun
  Instant skim_before_;
  bool expect_open_ = false;
  bool cut_off_ = false;
  std::vector<std::string> problems_;
  std::map<std::string, std::uint64_t> unknown_kinds_;
  std::uint64_t not_understood_ = 0;
};

Status RecordingReader::Impl::begin(const std::string& path) {
  while (true) {
    switch (text_.next()) {
      case VerifiedText::Got::kLoss: note_loss(text_.loss()); break;
      case VerifiedText::Got::kEnd: {
        const std::string why = problems_.empty() ? "it is empty" : problems_.front();
        return Error{Error::Kind::kCorrupt, path + ": not a gputop recording, or nothing in it is readable: " + why};
      }
      case VerifiedText::Got::kLine: {
        const auto header = store::read_header(text_.line());
        const unsigned version = header ? major_version(header->schema) : 0;
        if (version == 0) return Error{Error::Kind::kInvalid, path + ": zstd, but not a gputop recording"};
        if (version > major_version(store::kSchema)) {
          return Error{Error::Kind::kMismatch, path + ": recorded by a newer gputop (" + printable(header->schema) +
                                                   "; this one reads " + std::string{store::kSchema} +
                                                   "): update gputop to read it"};
        }
        has_line_ = true;
        return success();
      }
    }
  }
}

const Event* RecordingReader::Impl::next() {
  while (!refused_) {
    if (!waiting_.empty()) {
      current_ = std::move(waiting_.front());
      waiting_.pop_front();
      return deliver(current_);
    }
    const auto got = next_line();
    if (got == VerifiedText::Got::kEnd) return nullptr;
    if (got == VerifiedText::Got::kLoss) {
      note_loss(loss());
    } else if (take_line(line())) {
      return deliver(decoder_.event());
    }
  }
  return nullptr;
}

VerifiedText::Got RecordingReader::Impl::next_line() {
  if (std::exchange(has_line_, false)) return VerifiedText::Got::kLine;
  if (wants_ahead_ && !ahead_) ahead_.emplace(text_);
  return ahead_ ? ahead_->next() : text_.next();
}

bool RecordingReader::Impl::take_line(std::string_view line) {
  if (line.starts_with("{\"check\"")) return false;
  if (line.starts_with("{\"schema\"")) {
    if (const auto header = store::read_header(line)) {
      take_header(*header);
    } else {
      ++not_understood_;
    }
    return false;
  }
  switch (decoder_.decode(line)) {
    case LineDecoder::Outcome::kEvent: return true;
    case LineDecoder::Outcome::kLeftOut: return false;
    case LineDecoder::Outcome::kNotUnderstood: ++not_understood_; return false;
    case LineDecoder::Outcome::kTooMuch:
      note("it expands to more than a recording of its size can hold: everything " +
           (last_ ? "after " + clock(*last_) : std::string{"at its start"}) + " is left out");
      refused_ = true;
      return false;
    case LineDecoder::Outcome::kUnknownKind: {
      const std::string kind = slice(printable(decoder_.unknown_kind()), 0, 60);
      if (unknown_kinds_.size() < kMostUnknownKinds || unknown_kinds_.count(kind) > 0) ++unknown_kinds_[kind];
      return false;
    }
  }
  return false;
}

const Event* RecordingReader::Impl::deliver(const Event& event) {
  last_ = event.at;
  if (is_context(event.payload) && std::find(known_.begin(), known_.end(), event) == known_.end()) {
    if (known_.size() == kMostKnown) known_.erase(known_.begin());
    known_.push_back(event);
  }
  return &event;
}

void RecordingReader::Impl::take_header(const store::FrameHeader& header) {
  if (major_version(header.schema) > major_version(store::kSchema)) {
    note("from " + clock(header.at) + " on it was recorded by a newer gputop, which this one cannot read");
    refused_ = true;
    return;
  }
  const bool first = !std::exchange(began_, true);
  decoder_.begin_frame(header.at, !first && header.at + store::kFrameSpan < skim_before_);
  for (const auto& line : header.context) {
    auto event = store::read_rare_line(line, header.at);
    if (event && is_context(event->payload) && std::find(known_.begin(), known_.end(), *event) == known_.end()) {
      waiting_.push_back(std::move(*event));
    }
  }
}

void RecordingReader::Impl::note_loss(const VerifiedText::Loss& loss) {
  if (loss.kind == VerifiedText::Loss::Kind::kTornOff) return;  // the stream itself reports that it was restarted
  const std::string where = " at byte " + std::to_string(loss.offset);
  if (loss.kind == VerifiedText::Loss::Kind::kCutOff) {
    cut_off_ = true;
    if (expect_open_) return;
    note("cut off" + where + (last_ ? ", " + clock(*last_) + " into the recording" : "") +
         ": it was not closed, so its last 2 s may be missing");
    return;
  }
  const std::string what = (loss.kind == VerifiedText::Loss::Kind::kDamaged ? "damaged" : "frames are missing") + where;
  if (!loss.next) {
    note(what + ": " + (last_ ? "what came after " + clock(*last_) + " is lost" : "nothing after it can be read"));
    return;
  }
  const Instant next = store::from_milliseconds(loss.next->milliseconds);
  if (!last_) {
    note(what + ": what came before " + clock(next) + " is lost");
  } else {
    note(what + ": lost " + format_duration(next - *last_) + " between " + clock(*last_) + " and " + clock(next));
  }
}

void RecordingReader::Impl::note(std::string problem) {
  // Do not report the same damage twice after seeking over it again.
  if (std::find(problems_.begin(), problems_.end(), problem) != problems_.end()) return;
  if (problems_.size() == kMostProblems) problem = "and more";
  if (problems_.size() <= kMostProblems) problems_.push_back(std::move(problem));
}

void RecordingReader::Impl::seek(Instant at) {
  ahead_.reset();
  text_.seek(store::to_milliseconds(at));
  has_line_ = false;
  refused_ = false;
  decoder_.set_budget(file_bytes_);
  waiting_.clear();
  known_.clear();
  last_.reset();
}

std::vector<std::string> RecordingReader::Impl::problems() const {
  auto result = problems_;
  for (const auto& [kind, count] : unknown_kinds_) {
    result.push_back(std::to_string(count) + " events of the unknown kind “" + kind +
                     "”, from a newer version, were skipped");
  }
  if (not_understood_ > 0) {
    result.push_back(std::to_string(not_understood_) + " invalid lines were skipped");
  }
  return result;
}

Result<RecordingReader> RecordingReader::open(const std::string& path) {
  auto frames = store::FrameReader::open(path);
  if (!frames) return frames.error();
  const auto size = (*frames)->size();
  auto impl = std::make_unique<Impl>(VerifiedText{*std::move(frames)}, size);
  if (const auto begun = impl->begin(path); !begun) return begun.error();
  return RecordingReader{std::move(impl)};
}

Result<RecordingReader> RecordingReader::open_before(const std::string& path, std::uint64_t bytes) {
  auto frames = store::FrameReader::open(path, bytes);
  if (!frames) return frames.error();
  const auto size = (*frames)->size();
  auto impl = std::make_unique<Impl>(VerifiedText{*std::move(frames), true}, size);
  if (const auto begun = impl->begin(path); !begun) return begun.error();
  return RecordingReader{std::move(impl)};
}

RecordingReader::RecordingReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

const Event* RecordingReader::next() {
  return impl_->next();
}
void RecordingReader::seek(Instant at) {
  impl_->seek(at);
}
void RecordingReader::skim_before(Instant until) {
  impl_->skim_before(until);
}
void RecordingReader::skim_progress(bool wanted) {
  impl_->skim_progress(wanted);
}
void RecordingReader::leave_out_all_but_gpus() {
  impl_->leave_out_all_but_gpus();
}
void RecordingReader::read_ahead() {
  impl_->read_ahead();
}
void RecordingReader::expect_open() {
  impl_->expect_open();
}
bool RecordingReader::cut_off() const {
  return impl_->cut_off();
}
std::vector<std::string> RecordingReader::problems() const {
  return impl_->problems();
}

}  // namespace gputop
