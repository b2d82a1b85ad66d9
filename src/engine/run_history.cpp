#include "engine/run_history.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <memory>

#include "gputop/store/recording_reader.hpp"

namespace gputop {
namespace {

constexpr int kNice = 10;  // the job's output has priority

}  // namespace

void add_recent(std::string& recent, std::string_view bytes) {
  recent += bytes;
  if (recent.size() > 2 * RunHistory::kMostOutput) recent.erase(0, recent.size() - RunHistory::kMostOutput);
}

RunHistory::RunHistory(Loop& loop, const std::string& path, std::uint64_t bytes, std::function<void(Past)> ready)
    : reader_([&loop, path, bytes, ready = std::move(ready)](const std::stop_token& stop) {
        ::setpriority(PRIO_PROCESS, 0, kNice);  // on Linux, only this thread
        auto past = std::make_shared<Past>();
        auto reader = RecordingReader::open_before(path, bytes);
        while (const auto* event = reader && !stop.stop_requested() ? reader->next() : nullptr) {
          update(past->model, *event);
          past->measure.heard(*event, past->model);
          if (std::holds_alternative<RunStarted>(event->payload)) ++past->starts;
          const auto* output = std::get_if<OutputWritten>(&event->payload);
          if (output && output->stream == 0 && !output->unread) add_recent(past->output, output->bytes);
        }
        loop.post([stop, past, ready] {
          if (!stop.stop_requested()) ready(std::move(*past));
        });
      }) {}

bool names_its_run(const std::string& path, std::uint64_t bytes) {
  auto reader = RecordingReader::open_before(path, bytes);
  if (!reader) return false;
  constexpr int kFirstEvents = 100;  // it is the second event, unless something was wrong from the start
  for (int i = 0; i < kFirstEvents; ++i) {
    const auto* event = reader->next();
    if (event == nullptr) return false;
    if (std::holds_alternative<RunStarted>(event->payload)) return true;
  }
  return false;
}

}  // namespace gputop
