// libFuzzer: any bytes as any log of GPUs that gputop reads, and the report of it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "everything_said.hpp"
#include "gputop/sources/gpu_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  auto log = read_gpu_log({reinterpret_cast<const char*>(data), size}, "fuzz.csv");
  if (!log) return 0;
  FindingsBuilder builder;
  for (const auto& error : log->errors) builder.add_error(error);
  for (const auto& event : log->events) builder.add(event);
  fuzz::say_everything(builder, {reinterpret_cast<const char*>(data), size});
  return 0;
}
