// Prints what the allocator makes of traces: NAME ALLOCATED RESERVED (MiB) of each .trace file in a folder. bench/rehearsal/compare.py
// puts them beside the measurements.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gputop/estimator/rehearsal.hpp"

int main(int argc, char** argv) {
  using namespace gputop;
  constexpr double kMiB = 1024.0 * 1024;
  if (argc < 2) return 2;
  AllocatorOptions options;
  if (argc > 2) options = parse_allocator_options(argv[2]);
  for (const auto& entry : std::filesystem::directory_iterator{argv[1]}) {
    if (entry.path().extension() != ".trace") continue;
    std::ifstream file{entry.path()};
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    const auto trace = read_rehearsal(text);
    if (!trace) {
      std::fprintf(stderr, "%s: %s\n", entry.path().c_str(), trace.error().message.c_str());
      continue;
    }
    const auto memory = replay(*trace, options);
    std::printf("%s\t%.1f\t%.1f\t%s\n", entry.path().stem().c_str(), static_cast<double>(memory.peak_allocated.value()) / kMiB,
                static_cast<double>(memory.peak_reserved.value()) / kMiB, std::string{to_string(memory.peak.phase)}.c_str());
  }
}
