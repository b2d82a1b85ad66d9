#include "gputop/stream/ended_runs.hpp"

#include <algorithm>
#include <filesystem>

#include "gputop/store/recording_reader.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLooked = 500;  // events of a recording's first frame: its run is among the first
constexpr Duration kBehindAll = std::chrono::hours{24 * 365 * 10};

// nullopt for a recording without a run, or one that cannot be read.
std::optional<EndedRun> read_ended(const std::string& path) {
  auto reader = RecordingReader::open(path);
  if (!reader) return std::nullopt;
  EndedRun found{.run = {}, .began = {}, .lasted = {}, .how = {}, .recording = path};
  bool is_run = false;
  for (int i = 0; i < kMostLooked && !is_run; ++i) {
    const auto* event = reader->next();
    if (event == nullptr) return std::nullopt;
    if (const auto* stream = std::get_if<StreamStarted>(&event->payload)) found.began = stream->wall;
    if (const auto* run = std::get_if<RunStarted>(&event->payload)) {
      found.run = *run;
      is_run = true;
    }
  }
  if (!is_run) return std::nullopt;
  reader->seek(Instant{kBehindAll});
  while (const auto* event = reader->next()) {
    found.lasted = event->at.time_since_epoch();
    if (const auto* end = std::get_if<RunEnded>(&event->payload)) found.how = end->text;
  }
  return found;
}

}  // namespace

std::vector<EndedRun> ended_runs(std::size_t most) {
  std::vector<EndedRun> runs;
  for (const auto& file : recordings()) {
    if (runs.size() == most) break;
    if (file.still_written) continue;
    if (auto found = read_ended(file.path)) runs.push_back(*std::move(found));
  }
  std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.began > b.began; });
  return runs;
}

}  // namespace gputop
