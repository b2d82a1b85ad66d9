// libFuzzer: any bytes as a job's output, on two streams and cut anywhere, at any pace; then the facts and what is said
// of them.
#include <cstddef>
#include <cstdint>

#include "everything_said.hpp"
#include "gputop/core/scan.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  FindingsBuilder builder;
  Instant at;
  builder.add({at, StreamStarted{}});
  builder.add({at, RunStarted{.id = "1", .name = "train.py", .argv = {"python", "train.py"}, .directory = "/"}});
  std::uint64_t offsets[2] = {};
  while (!bytes.empty()) {
    const auto head = static_cast<unsigned char>(first_char(bytes));
    skip_front(bytes, 1);
    const unsigned stream = head >> 7U;
    const auto piece = slice(bytes, 0, head & 0x7FU);
    skip_front(bytes, piece.size());
    at += std::chrono::milliseconds{1 + head * 20};
    builder.add({at, OutputWritten{stream, offsets[stream], std::string{piece}}});
    offsets[stream] += piece.size();
  }
  builder.add({at, RunEnded{.exit_code = 1}});
  fuzz::say_everything(builder, {reinterpret_cast<const char*>(data), size});
  return 0;
}
