#include "gputop/store/recorded_output.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "gputop/store/output_ends.hpp"
#include "store/output_text.hpp"
#include "store/event_json.hpp"
#include "store/verified_text.hpp"

namespace gputop {
namespace {

using store::VerifiedText;

std::uint64_t total(const OutputEnds& ends) {
  std::uint64_t sum = 0;
  for (const auto end : ends) sum += end;
  return sum;
}

}  // namespace

Instant OutputFrame::at(std::size_t byte) const {
  Instant when;
  for (const auto& moment : moments) {
    if (moment.from > byte) break;
    when = moment.at;
  }
  return when;
}

class RecordedOutput::Impl {
 public:
  explicit Impl(std::unique_ptr<store::FrameReader> frames) : frames_(*frames), text_(std::move(frames)) {}

  [[nodiscard]] std::uint64_t size() const { return frames_.size(); }
  std::optional<OutputFrame> before(std::uint64_t offset, std::uint64_t until) {
    if (!text_.seek_last(offset)) return std::nullopt;
    return read(until);
  }
  std::optional<OutputFrame> from(std::uint64_t offset) {
    if (!text_.seek_first(offset)) return std::nullopt;
    return read(std::numeric_limits<std::uint64_t>::max());
  }

 private:
  // Reads the frame at the text's position. It ends at damage, at a torn end, or where the next frame begins.
  OutputFrame read(std::uint64_t until) {
    OutputFrame frame{.offset = text_.frame_offset(), .begin = 0, .bytes = {}, .moments = {}};
    bool began = false;
    Instant now;
    while (text_.next() == VerifiedText::Got::kLine) {
      const auto line = text_.line();
      if (line.starts_with("{\"schema\"")) {
        const auto header = store::read_header(line);
        if (began || !header) break;
        began = true;
        frame.begin = total(header->output);
        now = header->at;
        if (frame.begin >= until) break;
      } else if (began && frame.bytes.size() < kMostBytes) {
        take(line, now, frame);
      }
    }
    return frame;
  }

  static void take(std::string_view line, Instant& now, OutputFrame& frame) {
    now = store::time_of(line).value_or(now);
    if (!store::output_stream_of(line)) return;
    const auto event = store::read_rare_line(line, now);
    const auto* output = event ? std::get_if<OutputWritten>(&event->payload) : nullptr;
    if (!output) return;
    frame.moments.push_back({frame.bytes.size(), event->at});
    frame.bytes += output->unread ? std::string(output->bytes.size(), ' ') : output->bytes;  // keeps the offsets right
  }

  store::FrameReader& frames_;  // owned by text_
  VerifiedText text_;
};

Result<RecordedOutput> RecordedOutput::open(const std::string& path) {
  auto frames = store::FrameReader::open(path);
  if (!frames) return frames.error();
  return RecordedOutput{std::make_unique<Impl>(*std::move(frames))};
}

RecordedOutput::RecordedOutput(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordedOutput::RecordedOutput(RecordedOutput&&) noexcept = default;
RecordedOutput& RecordedOutput::operator=(RecordedOutput&&) noexcept = default;
RecordedOutput::~RecordedOutput() = default;

std::uint64_t RecordedOutput::size() const {
  return impl_->size();
}
std::optional<OutputFrame> RecordedOutput::before(std::uint64_t offset, std::uint64_t until) {
  return impl_->before(offset, until);
}
std::optional<OutputFrame> RecordedOutput::from(std::uint64_t offset) {
  return impl_->from(offset);
}

}  // namespace gputop
