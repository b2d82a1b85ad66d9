#include "gputop/app/run_now.hpp"
#include "gputop/report/run_summary.hpp"

#include <algorithm>

#include "gputop/advisor/efficiency_words.hpp"
#include "gputop/core/format.hpp"
#include "gputop/report/advice.hpp"
#include "report/next_submit.hpp"

namespace gputop {
namespace {

std::string bytes_or_unknown(const Reading<Bytes>& bytes) {
  return bytes ? format_bytes(*bytes) : std::string{kUnknownText};
}

std::string gpu_summary(const GpuTrack& track) {
  const auto& totals = track.totals;
  std::string line = "  GPU " + std::to_string(track.now.index) + "  " + printable(track.now.name);
  if (totals.utilization_count == 0 && totals.memory_count == 0) return line + "  no readings\n";
  line += "  util mean " + format_reading(totals.mean_utilization(), " %");
  line += ", peak " + format_reading(Reading<Percent>{totals.peak_utilization}, " %");
  line += "  mem mean " + bytes_or_unknown(totals.mean_memory()) + ", peak " + format_bytes(totals.peak_memory);
  if (track.now.memory_total) line += " of " + format_bytes(*track.now.memory_total);
  if (totals.power_at) line += "  energy " + format_number(totals.energy.value() / 3600, 1) + " Wh";
  if (track.sensor_errors > 0) line += "  (" + std::to_string(track.sensor_errors) + " sensor errors left out)";
  return line + "\n";
}

// How far it got and how fast it was.
std::string progress_summary(const Model& model) {
  const auto& progress = model.run->log.progress();
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "  " : ", ") + part;
  };
  if (const auto speed = last_throughput(model)) add(format_throughput(speed->per_second, speed->unit));
  add(format_step(progress));
  add(format_epoch(progress));
  add(format_loss(progress));
  const auto& wait = model.advice.facts.step.input_wait_share;
  if (wait) {
    add("waits for data " + format_number(wait->value * 100, 0) + " %");
  } else if (progress.input_wait_share) {
    add("waits for data " + format_number(*progress.input_wait_share * 100, 0) + " %");
  }
  if (progress.restarts > 0)
    add(std::to_string(progress.restarts) + (progress.restarts == 1 ? " restart" : " restarts"));
  return text.empty() ? text : text + "\n";
}

// Everything that is not in the first line.
std::string cause_summary(const EndFacts& end, std::string_view said) {
  std::string text;
  std::string_view why = end.detail;
  if (!said.empty() && why.starts_with(said)) why.remove_prefix(said.size());
  why.remove_prefix(std::min(why.find_first_not_of(";:, "), why.size()));
  const bool plain = end.kind == EndKind::kRunning || end.kind == EndKind::kFinished || why.empty();
  if (!plain) text += "  why: " + std::string{why} + "\n";
  if (end.survived_ooms > 0) {
    text += "  survived " + std::to_string(end.survived_ooms) +
            (end.survived_ooms == 1 ? " out-of-memory\n" : " out-of-memories\n");
  }
  return text;
}

}  // namespace

std::string run_summary(const Model& model, std::string_view recording) {
  std::string text = "gputop: ";
  if (model.run) {
    const auto& run = *model.run;
    text += printable(run.started.name) + " " + (run.end ? run.end->text : "goes on") + " after " +
            format_duration(run.age(model.now)) + "\n";
    text += cause_summary(run.log.end(), run.end ? run.end->text : "") + progress_summary(model);
  } else {
    text += "watched for " + format_duration(model.now.time_since_epoch()) + "\n";
  }
  if (model.simulated) text += "  SIMULATED: these GPUs do not exist\n";
  if (model.gpus.empty() && !model.gpu_source.message.empty()) text += "  no GPU: " + model.gpu_source.message + "\n";
  for (const auto& track : model.gpus) text += gpu_summary(track);
  if (const auto words = efficiency_in_words(model.advice.facts.efficiency); model.run && !words.empty())
    text += "  efficiency: " + words + "\n";
  for (const auto& finding : model.advice.now().findings) {
    const auto outlook = outlook_in_words(finding);
    text += "  advice: " + advice_line(finding) + (outlook.empty() ? "" : "; then " + outlook) + "\n";
  }
  if (model.run) {
    for (const auto& option : model.advice.now().options) text += "  could be done, too: " + option.text + "\n";
  }
  text += next_submit(model);
  if (!recording.empty()) text += "  recorded in " + printable(recording) + "\n";
  return text;
}

}  // namespace gputop
