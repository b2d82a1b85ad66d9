// libFuzzer: any lines from the socket that the lens has inside the job; what they say, as facts and in the recording.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "everything_said.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/lens/message.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view text{reinterpret_cast<const char*>(data), size};
  FindingsBuilder builder;
  Instant at;
  builder.add({at, StreamStarted{}});
  builder.add({at, RunStarted{.id = "1", .name = "train.py", .argv = {"python", "train.py"}, .directory = "/"}});
  while (!text.empty()) {
    const auto line = slice(text, 0, text.find('\n'));
    skip_front(text, line.size() + 1);
    at += std::chrono::milliseconds{500};
    auto message = parse_lens_message(line);
    if (!message) continue;
    // A recording keeps it as text: read back, it is the same.
    const auto fields = fields_of(*message);
    const auto again = read_lens_message(kind_of(*message), fields);
    if (!again || fields_of(*again) != fields) std::abort();
    builder.add({at, LensReported{42, *std::move(message)}});
  }
  fuzz::say_everything(builder, {reinterpret_cast<const char*>(data), size});
  return 0;
}
