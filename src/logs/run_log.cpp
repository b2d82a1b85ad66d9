#include "gputop/logs/run_log.hpp"

#include <algorithm>
#include <utility>

#include "gputop/core/scan.hpp"
#include "gputop/logs/fault.hpp"
#include "logs/checkpoint_line.hpp"
#include "logs/glued.hpp"
#include "logs/label.hpp"
#include "logs/meaning.hpp"
#include "logs/prefix.hpp"
#include "logs/text.hpp"
#include "logs/words.hpp"

namespace gputop {
namespace {

// Lines whose progress is read: many at once, so that a transcript is read to its end, but not many for long. Who
// prints more lines a second says the same again and again.
constexpr double kMostAtOnce = 4096;
constexpr double kPerSecond = 1500;
constexpr double kVain = 0.25;  // what a line costs that says nothing

// With so few lines left to be read, a piece of output as large as this is not taken apart but at its end.
constexpr double kScarce = 64;
constexpr std::size_t kFlood = 16384;
constexpr std::size_t kNewest = 4096;
constexpr std::string_view kLineEnds = "\r\n";

// "Epoch 2 finished. Validation WER: 0.14": the epoch of a line that has nothing else but metrics.
Reading<double> epoch_in(std::string_view text) {
  logs::FieldReader reader{logs::without_prefix(text).text};
  while (const auto field = reader.next()) {
    const auto understood = logs::understand(*field);
    if (understood.meaning == logs::Meaning::kEpoch) return understood.value;
  }
  return std::nullopt;
}

// "Starting pitch extraction on cuda:0 using rmvpe...": the bar below it, which has no name, is of that.
bool announces_other_work(std::string_view text) {
  const auto line = logs::without_prefix(text).text;
  const logs::Words words{line};
  return logs::is_any(words[0], "start", "starting", "begin", "beginning") && logs::phase_of(line) == Phase::kOther;
}

}  // namespace

std::string RunLog::output(Instant at, const OutputWritten& output) {
  if (output.stream >= streams_.size()) return {};
  auto& stream = streams_[output.stream];
  if (output.offset != stream.expected) stream.splitter.drop();  // bytes were lost in between
  stream.expected = output.offset + output.bytes.size();
  budget_ = std::min(kMostAtOnce, budget_ + kPerSecond * to_seconds(std::max(Duration{}, at - budget_at_)));
  budget_at_ = std::max(at, budget_at_);
  readers_.piece([&] { read(at, stream, output); });
  if (auto off = readers_.take_news(); !off.empty()) news_ = news_.empty() ? std::move(off) : news_ + "; " + off;
  return std::exchange(news_, {});
}

void RunLog::read(Instant at, Stream& stream, const OutputWritten& output) {
  const LineSplitter::Sink sink = [&](const LineSplitter::Line& each) { line(each.at, output.stream, each.text); };
  std::string_view bytes = output.bytes;
  if (budget_ < kScarce && bytes.size() >= kFlood) {
    const auto for_the_newest = std::exchange(budget_, 0);
    bytes = feed_suspects(at, bytes, stream.splitter, sink);
    budget_ = for_the_newest;
  }
  stream.splitter.feed(at, bytes, sink);
  // The newest state of a bar has no end until the next one comes, but it is known by its last bracket.
  if (const auto open = logs::trimmed(stream.splitter.open_line());
      open.ends_with(']') && (logs::contains(open, "%") || logs::contains(open, "/s"))) {
    read_progress_of(at, output.stream, open);
  }
}

// Of a flood: the lines that may tell of a fault. Progress would not be read of the others, so they are left out, but
// for the newest, which are given back.
std::string_view RunLog::feed_suspects(Instant at,
                                       std::string_view bytes,
                                       LineSplitter& splitter,
                                       const LineSplitter::Sink& sink) {
  const auto feed_line = [&] {
    const auto line = slice(bytes, 0, bytes.find_first_of(kLineEnds));
    splitter.feed(at, slice(bytes, 0, line.size() + 1), sink);
    skip_front(bytes, line.size() + 1);
  };
  if (bytes.find('\x1b') != std::string_view::npos) return bytes;
  feed_line();  // the end of one that is known in part
  while (bytes.size() > kNewest && splitter.is_in_text() && !causes_.expects_more()) {
    const auto end = bytes.find_first_of(kLineEnds, bytes.size() - kNewest);
    if (end == std::string_view::npos) break;
    const auto suspect = logs::find_possible_fault(slice(bytes, 0, end));
    const auto line = bytes.find_last_of(kLineEnds, std::min(suspect, end));
    skip_front(bytes, line + 1);  // none: 0
    if (suspect == std::string_view::npos) break;
    feed_line();
  }
  return bytes;
}

void RunLog::ended(Instant at, const RunEnded& ended) {
  for (unsigned stream = 0; stream < streams_.size(); ++stream) {
    streams_[stream].splitter.finish([&](const LineSplitter::Line& each) { line(each.at, stream, each.text); });
  }
  causes_.ended(at, ended);
}

void RunLog::line(Instant at, unsigned stream, std::string_view text) {
  if (const auto glued = logs::glued_at(text); glued != std::string_view::npos) {
    read_progress_of(at, stream, slice(text, 0, glued));
    skip_front(text, glued);
    // What was printed beside a bar of validation is of validation.
    if (tracker_.now().phase == Phase::kValidation) {
      readers_.run("faults", [&] { return causes_.line(at, stream, text); });
      return;
    }
  }
  const bool fault = readers_.run("faults", [&] { return causes_.line(at, stream, text); });
  if (!fault) read_progress_of(at, stream, text);
}

void RunLog::read_progress_of(Instant at, unsigned stream, std::string_view text) {
  if (budget_ < 1) return;
  tracker_.line(at);
  if (const auto saving = readers_.run("checkpoint lines", [&] { return read_checkpoint_line(text); });
      saving != CheckpointLine::kNone) {
    checkpoint_ = at;
    tracker_.checkpoint(at, saving == CheckpointLine::kDone);
  }
  auto progress = read_progress(text, &readers_);
  if (!progress) announced_ = announces_other_work(text);
  const bool nameless = progress && progress->bar && progress->label.empty() && !progress->loss;
  if (nameless && announced_ && tracker_.now().advances == 0) progress->phase = Phase::kOther;
  // A row may look like anything; what is known by its own format is that, though it stands below names of columns.
  auto row = readers_.run("tables", [&] { return streams_[stream].columns.read(text); });
  const bool by_row = row && (!progress || progress->format == "generic" || progress->format == "table");
  if (by_row) progress = std::move(row);
  const auto section = streams_[stream].section.of(text);
  if (section != TreeSection::Data::kUnknown && progress && progress->format == "generic") {
    if (section == TreeSection::Data::kHeldOut) progress.reset();  // its figures are metrics
  }
  const bool validating = section != TreeSection::Data::kUnknown ? section == TreeSection::Data::kHeldOut
                          : progress                             ? progress->phase == Phase::kValidation
                                                                 : tracker_.now().phase == Phase::kValidation;
  auto metrics = by_row ? streams_[stream].columns.metrics() : readers_.run("metrics", [&] { return read_metrics(text, validating); });
  // Where nothing else counts.
  if (const auto& now = tracker_.now();
      !progress && (now.format.empty() || now.format == "recurring") && section != TreeSection::Data::kHeldOut)
    progress = readers_.run("recurring lines", [&] { return streams_[stream].recurrence.read(text); });
  if (!progress) {
    if (std::any_of(metrics.begin(), metrics.end(), [](const Metric& each) { return each.held_out; }))
      tracker_.validated(at, epoch_in(text));
    take_metrics(at, metrics);
    budget_ -= kVain;
    return;
  }
  budget_ -= 1;
  const auto before = tracker_.now().advances;
  readers_.run("progress", [&] { tracker_.add(at, stream, *progress); });
  take_metrics(at, metrics);
  if (tracker_.now().advances == before) return;
  if (auto survived = causes_.went_on(); !survived.empty()) news_ = std::move(survived);
}

void RunLog::take_metrics(Instant at, const std::vector<Metric>& metrics) {
  if (!metrics.empty()) tracker_.confirm_epoch();
  const auto& now = tracker_.now();
  for (const auto& metric : metrics) metrics_.add(at, metric, now.epoch, now.step);
}

}  // namespace gputop
