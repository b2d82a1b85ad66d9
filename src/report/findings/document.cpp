#include <algorithm>
#include <cmath>

#include "gputop/advisor/efficiency_words.hpp"
#include "gputop/core/format.hpp"
#include "report/figures.hpp"
#include "report/findings/sections.hpp"
#include "report/findings_document.hpp"

namespace gputop {
namespace report {
namespace {

std::string seconds(Duration duration) {
  return figure(to_seconds(duration)) + " s";
}

// "At work: 92 % busy on average, in 3 phases, 1h 2m of 5h 0m". "" if that was the whole time, or a run says what
// belongs to it.
std::string work_in_words(const Findings& found) {
  std::uint64_t phases = 0;
  std::uint64_t readings = 0;
  std::uint64_t busy = 0;
  for (const auto& gpu : found.gpus) {
    if (!gpu.work.carries_a_diagnosis()) continue;
    phases = std::max(phases, gpu.work.phases);
    readings += gpu.work.readings;
    ++busy;
  }
  if (found.run || busy == 0 || readings >= found.samples * found.gpus.size() || !found.advice.diagnosis.utilization)
    return {};
  return "At work: " + figure(100 * *found.advice.diagnosis.utilization) + " % busy on average, on " +
         std::to_string(busy) + " of " + std::to_string(found.gpus.size()) +
         (found.gpus.size() == 1 ? " GPU" : " GPUs") + ", in " + std::to_string(phases) +
         (phases == 1 ? " phase" : " phases");
}

constexpr std::size_t kMostSummed = 12;  // lines of the summary

void add_verdict(const Findings& found, Section& section) {
  const auto& verdict = found.advice.diagnosis.verdict;
  if (verdict.empty()) return;
  const auto& findings = found.advice.findings;
  section.elements.push_back(Paragraph{verdict, true, findings.empty() ? Tone::kInfo : tone_of(findings.front())});
}

// How fast, how busy, how full, and its power; says what is unknown.
Tiles tiles_of(const Findings& found) {
  Tiles tiles;
  const auto add = [&](const char* label, std::string value, std::string note) {
    const bool known = !value.empty();
    tiles.tiles.push_back({label, known ? std::move(value) : std::string{kUnknownText}, std::move(note)});
  };
  std::string speed;
  std::string speed_note;
  if (found.throughput) {
    const auto& all = *found.throughput;
    speed = rate(all.steady ? all.steady->mean : all.all.mean) + " " + all.unit;
    speed_note = all.steady ? "in the steady phase" : "on average";
  }
  add("speed", speed, speed_note);
  std::string busy;
  if (found.all.utilization) busy = figure(found.all.utilization->mean) + " %";
  add("busy", busy, std::string{found.utilization_in_words()});
  std::string memory;
  std::string memory_note;
  if (const auto* fullest = fullest_gpu(found)) {
    memory = figure(fullest->memory_share->max) + " %";
    memory_note = "peak, " + figure(fullest->memory->max) + " of " + mebibytes(*fullest->memory_total) + " MiB";
  }
  add("memory", memory, memory_note);
  std::string energy;
  if (found.all.energy) energy = figure(*found.all.energy) + " Wh";
  add("energy", energy, found.has_duration() ? "in " + format_duration(found.duration) : "");
  return tiles;
}

Section summary(const Findings& found) {
  Section section{"Summary", {}};
  if (found.simulated) section.elements.push_back(Paragraph{"SIMULATED: these GPUs do not exist.", true});
  add_verdict(found, section);
  section.elements.push_back(tiles_of(found));
  Items items;
  if (found.all.utilization) {
    const auto& u = *found.all.utilization;
    const auto words = found.utilization_in_words();
    items.items.push_back("GPU busy: " + figure(u.mean) + " % on average (min " + figure(u.min) + " %, max " +
                          figure(u.max) + " %)" + (words.empty() ? "" : ": " + std::string{words}));
    if (const auto work = work_in_words(found); !work.empty()) items.items.push_back(work);
  }
  if (const auto headroom = found.memory_headroom()) {
    const auto fullest = fullest_gpu(found);
    items.items.push_back("GPU memory: peak " + figure(fullest->memory->max) + " of " +
                          mebibytes(*fullest->memory_total) + " MiB (" + figure(fullest->memory_share->max) +
                          " %), headroom " + figure(*headroom) + " %");
  }
  if (found.throughput) {
    const auto& speed = *found.throughput;
    items.items.push_back("Speed: " + (speed.steady ? rate(*speed.steady) : rate(speed.all.mean)) + " " +
                          speed.unit);
  }
  if (const auto words = efficiency_in_words(found.facts.efficiency); !words.empty())
    items.items.push_back("Efficiency: " + words);
  if (!found.advice.findings.empty()) {
    const auto& first = found.advice.findings.front();
    const auto changes = changes_in_words(first.changes);
    const auto gain = speedup_in_words(first.speedup);
    items.items.push_back("First thing to change: " + first.title + (changes.empty() ? "" : ": " + changes) +
                          (gain.empty() ? "" : " (" + gain + ")"));
  }
  for (const auto& change : found.changes) {
    if (!change.effect || items.items.size() >= kMostSummed) continue;
    items.items.push_back("Change made: " + change_in_words(found, change));
  }
  if (found.sensor_error_count > 0) {
    items.items.push_back(std::to_string(found.sensor_error_count) +
                          (found.sensor_error_count == 1 ? " reading was a sensor error and is"
                                                         : " readings were sensor errors and are") +
                          " left out of all figures");
  }
  const auto end = found.facts.end.kind;
  if (found.run && end != EndKind::kRunning && end != EndKind::kFinished)
    items.items.push_back("How it ended: " + found.ended);
  if (found.state == RecordingState::kStillWritten)
    items.items.emplace_back("It is still running: all figures cover what was recorded so far");
  if (found.state == RecordingState::kCutOff && !found.notes.empty())
    items.items.push_back("The recording is incomplete: " + found.notes.front());
  section.elements.push_back(std::move(items));
  return section;
}

Section configuration(const Findings& found) {
  Table table{{"", "value", "known from"}, {}};
  const auto add = [&](const std::string& name, const std::string& value, const std::string& from) {
    if (!value.empty()) table.rows.push_back({name, value, from});
  };
  const bool log = found.source.source.ends_with("log");
  add("file", found.file, "");
  add("source", found.source.source + (found.simulated ? " (SIMULATED)" : ""), "");
  add("host", found.stream.hostname, "recording");
  if (found.cpu_count > 0) add("CPUs", std::to_string(found.cpu_count), "recording");
  if (found.host_memory) add("host memory", format_bytes(*found.host_memory), "recording");
  add("driver", found.source.driver_version, log ? "log" : "recording");
  if (!log) add("gputop", found.stream.gputop_version, "recording");
  for (const auto& gpu : found.gpus) {
    std::string text = gpu.name.empty() ? "unknown model" : gpu.name;
    if (gpu.memory_total) text += ", " + mebibytes(*gpu.memory_total) + " MiB";
    if (gpu.power_limit) text += ", limit " + figure(gpu.power_limit->value()) + " W";
    add("GPU " + std::to_string(gpu.index), text, log ? "log" : "recording");
  }
  if (found.run) {
    std::string command;
    for (const auto& word : found.run->argv) command += (command.empty() ? "" : " ") + word;
    add("run", found.run->name, "recording");
    add("command", command, "recording");
    add("directory", found.run->directory, "recording");
  }
  for (const auto& setting : found.settings) add(setting.name, setting.value, setting.from);
  Section section{"Configuration and environment", {std::move(table)}};
  if (found.settings.empty()) {
    section.elements.push_back(
        Paragraph{"Batch size, workers and precision are not known: " +
                  std::string{found.run ? "neither the lens nor the output said them." : "this file holds no run."}});
  }
  return section;
}

Section duration(const Findings& found) {
  Table table{{"", "value"}, {}};
  if (found.stream.wall != WallTime{}) table.rows.push_back({"begin", format_wall(found.stream.wall)});
  table.rows.push_back({"duration", found.has_duration()
                                        ? format_duration(found.duration) + " (" + seconds(found.duration) + ")"
                                    : found.stream.timed ? "not known: a single reading"
                                                         : "not known: no times in the log"});
  table.rows.push_back({"readings", std::to_string(found.samples)});
  if (found.interval) table.rows.push_back({"interval", seconds(*found.interval)});
  if (found.gaps > Duration{}) table.rows.push_back({"not recorded", seconds(found.gaps)});
  if (found.steady_to > found.steady_from) {
    table.rows.push_back({"steady phase", format_duration(found.steady_from.time_since_epoch()) + " – " +
                                              format_duration(found.steady_to.time_since_epoch())});
  }
  Section section{"Duration and readings", {std::move(table)}};
  if (!found.notes.empty()) section.elements.push_back(Items{found.notes});
  return section;
}

Section ending(const Findings& found) {
  Section section{"How the run ended", {Paragraph{found.ended}}};
  const auto& end = found.facts.end;
  if (!found.run || end.kind == EndKind::kRunning) return section;
  Items items;
  items.items.push_back("kind: " + std::string{to_string(end.kind)});
  if (end.exit_code) items.items.push_back("exit code: " + std::to_string(*end.exit_code));
  if (end.signal) items.items.push_back("signal: " + std::to_string(*end.signal));
  if (end.survived_ooms > 0)
    items.items.push_back("out-of-memory errors it survived: " + std::to_string(end.survived_ooms));
  section.elements.push_back(std::move(items));
  return section;
}

std::string plots_legend(const Findings& found) {
  std::string text = "Lines are means";
  if (!found.plots.empty()) text += "; where there is a shaded band, it reaches from the lowest reading to the highest";
  return text + (found.happenings.empty() ? "." : ". Numbers are those of the events below.");
}

Section events(const Findings& found) {
  Table table{{"#", "at", "what"}, {}};
  for (std::size_t i = 0; i < found.happenings.size(); ++i) {
    table.rows.push_back(
        {std::to_string(i + 1), format_duration(found.happenings[i].at.time_since_epoch()), found.happenings[i].text});
  }
  return {"Events", {std::move(table)}};
}

}  // namespace

std::string mebibytes(Bytes bytes) {
  return figure(static_cast<double>(bytes.value()) / (1024.0 * 1024.0));
}

const GpuFindings* fullest_gpu(const Findings& found) {
  const GpuFindings* fullest = nullptr;
  for (const auto& gpu : found.gpus) {
    if (gpu.memory_share && (!fullest || gpu.memory_share->max > fullest->memory_share->max)) fullest = &gpu;
  }
  return fullest;
}

}  // namespace report

Document findings_document(const Findings& found) {
  using namespace report;
  Document document{"GPU findings: " + found.title, {}};
  auto& sections = document.sections;
  sections.push_back(summary(found));
  sections.push_back(breakdown_section(found));
  sections.push_back(diagnosis_section(found));
  sections.push_back(recommendations_section(found));
  sections.push_back({"Next steps", {}});
  if (found.next_steps.empty()) {
    sections.back().elements.push_back(Paragraph{"None: nothing was found to change."});
  } else {
    sections.back().elements.push_back(Items{found.next_steps, true});
  }
  sections.push_back(changes_section(found));
  sections.push_back(ending(found));
  if (!found.plots.empty() || !found.batch_plots.empty()) {
    Section plots{"Plots", {}, true};
    plots.elements.push_back(Paragraph{plots_legend(found)});
    for (const auto& plot : found.plots) plots.elements.push_back(plot);
    for (const auto& plot : found.batch_plots) plots.elements.push_back(plot);
    sections.push_back(std::move(plots));
  }
  sections.push_back(readings_section(found));
  sections.push_back(throughput_section(found));
  if (found.run) sections.push_back(efficiency_section(found));
  if (!found.happenings.empty()) sections.push_back(events(found));
  sections.push_back(duration(found));
  sections.push_back(configuration(found));
  return document;
}

// At most 40 lines: enough for a pull request.
std::string findings_brief(const Findings& found) {
  using namespace report;
  constexpr std::size_t kMost = 5;
  Section all{"Summary", {}};
  if (found.simulated) all.elements.push_back(Paragraph{"SIMULATED: these GPUs do not exist.", true});
  add_verdict(found, all);
  all.elements.push_back(tiles_of(found));
  std::string parts;
  for (std::size_t i = 0; i < kStepParts; ++i) {
    const double share = found.advice.diagnosis.shares[i];
    if (share < 0.005) continue;
    parts += (parts.empty() ? "" : " · ") + std::string{in_words(static_cast<StepPart>(i))} + " " +
             figure(std::round(100 * share)) + " %";
  }
  if (!parts.empty()) all.elements.push_back(Paragraph{"Where the time goes: " + parts});
  if (const auto words = efficiency_in_words(found.facts.efficiency); !words.empty())
    all.elements.push_back(Paragraph{"Efficiency: " + words});
  Items findings{{}, true};
  for (const auto& finding : found.advice.findings) {
    if (findings.items.size() == kMost) break;
    const auto changes = changes_in_words(finding.changes);
    const auto gain = speedup_in_words(finding.speedup);
    findings.items.push_back(finding.title + (changes.empty() ? "" : ": " + changes) + " (" +
                             std::string{to_string(finding.severity)} + (gain.empty() ? "" : ", " + gain) + ")");
  }
  if (!findings.items.empty()) all.elements.push_back(std::move(findings));
  Items changes;
  for (const auto& change : found.changes) {
    if (changes.items.size() < kMost) changes.items.push_back("Changed: " + change_in_words(found, change));
  }
  if (!found.ended.empty()) changes.items.push_back("How it ended: " + found.ended);
  all.elements.push_back(std::move(changes));
  return to_markdown({"GPU findings: " + found.title, {std::move(all)}});
}

std::string findings_markdown(const Findings& findings) {
  return to_markdown(findings_document(findings));
}
std::string findings_html(const Findings& findings) {
  return to_html(findings_document(findings));
}

}  // namespace gputop
