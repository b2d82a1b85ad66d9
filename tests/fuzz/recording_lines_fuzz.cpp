// libFuzzer: any lines of a recording → events → Model and findings → every report of them.
#include <cstddef>
#include <cstdint>

#include "everything_said.hpp"
#include "gputop/core/scan.hpp"
#include "store/line_decoder.hpp"
#include "store/event_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view text{reinterpret_cast<const char*>(data), size};
  FindingsBuilder builder;
  store::LineDecoder decoder;
  decoder.begin_frame(Instant{});
  while (!text.empty()) {
    const auto line = slice(text, 0, text.find('\n'));
    skip_front(text, line.size() + 1);
    if (line.starts_with("{\"schema\"")) {
      if (const auto header = store::read_header(line)) decoder.begin_frame(header->at);
    } else if (decoder.decode(line) == store::LineDecoder::Outcome::kEvent) {
      builder.add(decoder.event());
    }
  }
  fuzz::say_everything(builder, {reinterpret_cast<const char*>(data), size});
  return 0;
}
