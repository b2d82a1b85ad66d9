#include "gputop/stream/recorded_input.hpp"

#include <algorithm>
#include <optional>

#include "gputop/base/output.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/report/power_spikes.hpp"
#include "gputop/sources/gpu_log.hpp"
#include "gputop/store/recording_reader.hpp"
#include "gputop/stream/input_file.hpp"

namespace gputop {
namespace {

constexpr std::size_t kLargestText = std::size_t{512} << 20U;
constexpr Duration kLong = std::chrono::hours{2};  // shorter recordings are read in full
constexpr double kFarAway = 4e9;                   // seconds: after the end of any recording

struct Log {
  SmiLog log;
  std::vector<FoundSensorError> errors;  // removed from it
};

using Opened = std::variant<RecordingReader, Log>;

Result<Opened> open_input(const std::string& file, const std::vector<std::string>& columns) {
  auto reader = RecordingReader::open(file);
  if (reader) return Opened{*std::move(reader)};
  // No such file, not readable, a newer recording: trying another reader would only hide the cause.
  if (reader.error().kind != Error::Kind::kInvalid && reader.error().kind != Error::Kind::kCorrupt)
    return reader.error();
  const auto text = read_text_file(file, kLargestText);
  if (!text) return text.error();
  auto log = read_gpu_log(*text, file, columns);
  if (!log && log.error().kind == Error::Kind::kNotSupported)
    return Error{reader.error().kind, reader.error().message + "; " + std::string{kLogsThatAreRead}};
  if (!log) return log.error();
  Log opened{*std::move(log), {}};
  opened.errors = take_out_power_spikes(opened.log.events);
  opened.errors.insert(opened.errors.end(), opened.log.errors.begin(), opened.log.errors.end());
  std::stable_sort(opened.errors.begin(), opened.errors.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return Opened{std::move(opened)};
}

// The end of the recording, from its last frame.
Instant end_of(RecordingReader& reader) {
  Instant end;
  reader.seek(at_seconds(kFarAway));
  while (const auto* event = reader.next()) end = std::max(end, event->at);
  return end;
}

}  // namespace

Status read_readings(const std::string& input,
                     const std::vector<std::string>& columns,
                     const std::function<bool(const Event&)>& take) {
  const auto file = find_input(input);
  if (!file) return file.error();
  auto opened = open_input(file->path, columns);
  if (!opened) return opened.error();
  if (auto* log = std::get_if<Log>(&*opened)) {
    for (const auto& note : log->log.notes) complain(file->path + ": " + note);
    for (const auto& event : log->log.events) {
      if (!take(event)) break;
    }
    return success();
  }
  auto& reader = std::get<RecordingReader>(*opened);
  if (file->still_written) reader.expect_open();
  reader.leave_out_all_but_gpus();
  reader.read_ahead();
  while (const auto* event = reader.next()) {
    if (!take(*event)) break;
  }
  for (const auto& problem : reader.problems()) complain(file->path + ": " + problem);
  return success();
}

Result<Findings> read_findings(const std::string& input,
                               const std::vector<std::string>& columns,
                               const AdvisorSettings& advisor) {
  const auto file = find_input(input);
  if (!file) return file.error();
  auto opened = open_input(file->path, columns);
  if (!opened) return opened.error();
  std::vector<std::string> notes;
  RecordingState state = file->still_written ? RecordingState::kStillWritten : RecordingState::kWhole;
  std::optional<FindingsBuilder> builder;
  if (auto* log = std::get_if<Log>(&*opened)) {
    builder.emplace();
    for (const auto& error : log->errors) builder->add_error(error);
    for (const auto& event : log->log.events) builder->add(event);
    notes = log->log.notes;
  } else {
    const Instant end = end_of(std::get<RecordingReader>(*opened));
    auto reader = RecordingReader::open(file->path);
    if (!reader) return reader.error();
    if (file->still_written) reader->expect_open();
    const Instant full_from = end - Instant{} > kLong ? end - kAdvisedSpan : Instant{};
    reader->skim_before(full_from);
    reader->read_ahead();
    builder.emplace(full_from);
    while (const auto* event = reader->next()) {
      builder->add(*event);
      reader->skim_progress(!builder->counts_by_lens());
    }
    notes = reader->problems();
    if (!file->still_written && reader->cut_off()) state = RecordingState::kCutOff;
  }
  const auto facts = builder->facts();
  Advisor judge{advisor};
  judge.conclude(facts);
  auto findings = builder->finish(input, facts, judge.advice(), state);
  findings.notes = std::move(notes);
  return findings;
}

}  // namespace gputop
