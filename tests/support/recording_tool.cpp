// recording_tool: what a recording holds, for tests.
//   recording_tool output FILE [STREAM]   the job's output; exit 3 where bytes are missing or there twice, which stderr names
//   recording_tool events FILE            every event that is not a sample or output, one JSON line each; problems at the end
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gputop/store/recording_reader.hpp"
#include "store/rare_lines.hpp"

namespace {

int print_output(gputop::RecordingReader& reader, unsigned stream) {
  std::uint64_t end = 0;
  int code = 0;
  while (const auto* event = reader.next()) {
    const auto* output = std::get_if<gputop::OutputWritten>(&event->payload);
    if (!output || output->stream != stream) continue;
    if (output->offset != end) {
      std::fprintf(stderr, "output goes on at %llu instead of %llu\n", static_cast<unsigned long long>(output->offset),
                   static_cast<unsigned long long>(end));
      code = 3;
    }
    end = output->offset + output->bytes.size();
    std::fwrite(output->bytes.data(), 1, output->bytes.size(), stdout);
  }
  return code;
}

bool is_plain(const gputop::Payload& payload) {
  const auto kind = gputop::store::kind_of(payload);
  return kind != "gpus" && kind != "host" && kind != "processes" && kind != "output";
}

int print_events(gputop::RecordingReader& reader) {
  while (const auto* event = reader.next()) {
    if (!is_plain(event->payload)) continue;
    std::printf("{\"kind\":\"%s\",\"event\":%s}\n", std::string{gputop::store::kind_of(event->payload)}.c_str(),
                gputop::store::rare_payload(event->payload).c_str());
  }
  for (const auto& problem : reader.problems()) std::fprintf(stderr, "%s\n", problem.c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  auto reader = gputop::RecordingReader::open(argv[2]);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().message.c_str());
    return 1;
  }
  if (std::string_view{argv[1]} == "events") return print_events(*reader);
  return print_output(*reader, argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 0U);
}
