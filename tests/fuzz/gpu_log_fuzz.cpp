// libFuzzer: any bytes as a log of nvidia-smi, dmon or gpustat, and the report of it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "everything_said.hpp"
#include "gputop/report/early_spikes.hpp"
#include "gputop/sources/gpu_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  const auto text = plain_text(std::string{reinterpret_cast<const char*>(data), size});
  if (!text) return 0;
  auto log = parse_gpu_log(*text, "fuzz.csv");
  if (!log) return 0;
  FindingsBuilder builder;
  for (const auto& error : take_out_early_spikes(log->events)) builder.add_error(error);
  for (const auto& event : log->events) builder.add(event);
  fuzz::say_everything(builder, {reinterpret_cast<const char*>(data), size});
  return 0;
}
