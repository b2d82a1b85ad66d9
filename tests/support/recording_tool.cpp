// recording_tool: what a recording holds, for tests.
//   recording_tool output FILE [STREAM]   the job's output; exit 3 where bytes are missing or there twice, which stderr
//   names recording_tool events FILE            every event that is not a sample or output, one JSON line each;
//   problems at the end recording_tool write FILE             makes a recording of the JSON lines on stdin: as `events`
//   and docs/recording-format.md have
//                                         them, {"t":MS,"run":{…}}; samples in plain words, see written_samples.hpp
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "gputop/store/recording_reader.hpp"
#include "gputop/store/recording_writer.hpp"
#include "store/event_json.hpp"
#include "written_samples.hpp"

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
  const auto* output = std::get_if<gputop::OutputWritten>(&payload);
  if (output != nullptr && output->unread) return true;
  const auto kind = gputop::store::kind_of(payload);
  return kind != "gpus" && kind != "host" && kind != "processes" && kind != "output";
}

int print_events(gputop::RecordingReader& reader) {
  while (const auto* event = reader.next()) {
    if (!is_plain(event->payload)) continue;
    std::printf("{\"kind\":\"%s\",\"seconds\":%.3f,\"event\":%s}\n",
                std::string{gputop::store::kind_of(event->payload)}.c_str(), gputop::to_seconds(event->at),
                gputop::store::rare_payload(event->payload).c_str());
  }
  for (const auto& problem : reader.problems()) std::fprintf(stderr, "%s\n", problem.c_str());
  return 0;
}

int write_recording(const std::string& path) {
  auto writer = gputop::RecordingWriter::create(path);
  if (!writer) {
    std::fprintf(stderr, "%s\n", writer.error().message.c_str());
    return 1;
  }
  gputop::Instant before{};
  for (std::string line; std::getline(std::cin, line);) {
    auto event = gputop::written_sample(line);
    if (!event) event = gputop::store::read_rare_line(line, before);
    if (!event) {
      std::fprintf(stderr, "not an event: %s\n", line.c_str());
      return 1;
    }
    before = event->at;
    while (!writer->state().has_room) writer->flush(std::chrono::seconds{1});
    writer->append(*std::move(event));
  }
  return writer->close() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (std::string_view{argv[1]} == "write") return write_recording(argv[2]);
  auto reader = gputop::RecordingReader::open(argv[2]);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().message.c_str());
    return 1;
  }
  if (std::string_view{argv[1]} == "events") return print_events(*reader);
  return print_output(*reader, argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 0U);
}
