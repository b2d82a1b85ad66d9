#include "gputop/store/recording_tail.hpp"

#include <array>

#include "store/output_text.hpp"
#include "store/event_json.hpp"
#include "store/verified_text.hpp"

namespace gputop {
namespace {

// Reads from the text's current frame to the end of the file. False: not even that frame's header is reliable.
bool read_ends(store::VerifiedText& text, OutputEnds& ends) {
  bool found = false;
  std::array<std::string, OutputEnds{}.size()> last;
  for (auto got = text.next(); got != store::VerifiedText::Got::kEnd; got = text.next()) {
    if (got != store::VerifiedText::Got::kLine) continue;
    const auto line = text.line();
    if (line.starts_with("{\"schema\"")) {
      const auto header = store::read_header(line);
      if (!header) continue;
      found = true;
      ends = header->output;
      last.fill({});
    } else if (const auto stream = store::output_stream_of(line)) {
      last[*stream] = line;
    }
  }
  for (std::size_t stream = 0; stream < last.size(); ++stream) {
    const auto event = last[stream].empty() ? std::nullopt : store::read_rare_line(last[stream], Instant{});
    const auto* output = event ? std::get_if<OutputWritten>(&event->payload) : nullptr;
    if (output) ends[stream] = output->offset + output->bytes.size();
  }
  return found;
}

}  // namespace

Result<RecordingTail> read_recording_tail(const std::string& path) {
  RecordingTail tail;
  auto file = store::FrameReader::open(path);
  if (!file) return file.error();
  tail.bytes = (*file)->size();
  auto frames = store::FrameReader::open(path, tail.bytes);
  if (!frames) return frames.error();
  store::VerifiedText text{*std::move(frames), true};
  for (auto before = tail.bytes; text.seek_last(before); before = text.frame_offset()) {
    if (read_ends(text, tail.output)) break;
  }
  return tail;
}

}  // namespace gputop
