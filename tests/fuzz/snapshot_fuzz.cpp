// libFuzzer: any bytes are a memory snapshot with a story whose figures agree, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/estimator/memory_snapshot.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  const auto snapshot = read_memory_snapshot({reinterpret_cast<const char*>(data), size});
  if (!snapshot) return 0;
  const auto story = explain(*snapshot);
  if (story.peak_allocated < story.before || story.peak_reserved < story.end.reserved || story.timeline.empty()) std::abort();
  return 0;
}
