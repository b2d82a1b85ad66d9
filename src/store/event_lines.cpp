#include "gputop/store/event_lines.hpp"

#include "store/line_decoder.hpp"
#include "store/event_json.hpp"

namespace gputop {

class EventLines::Impl {
 public:
  const Event* read(std::string_view line) {
    if (line.starts_with("{\"check\"")) return nullptr;
    if (line.starts_with("{\"schema\"")) {
      if (const auto header = store::read_header(line)) decoder_.begin_frame(header->at);
      return nullptr;
    }
    return decoder_.decode(line) == store::LineDecoder::Outcome::kEvent ? &decoder_.event() : nullptr;
  }

 private:
  store::LineDecoder decoder_;
};

EventLines::EventLines() : impl_(std::make_unique<Impl>()) {}
EventLines::~EventLines() = default;
EventLines::EventLines(EventLines&&) noexcept = default;
EventLines& EventLines::operator=(EventLines&&) noexcept = default;

const Event* EventLines::read(std::string_view line) {
  return impl_->read(line);
}

}  // namespace gputop
