// The measurements: readings of the GPUs, throughput, changes.
#include "gputop/advisor/efficiency_words.hpp"
#include "gputop/core/format.hpp"
#include "report/figures.hpp"
#include "report/findings/sections.hpp"

namespace gputop::report {
namespace {

std::vector<std::string> row(const std::string& name, const Reading<WindowStatistics>& s) {
  if (!s) {
    const std::string unknown{kUnknownText};
    return {name, unknown, unknown, unknown, unknown, unknown, unknown};
  }
  return {name, figure(s->mean), figure(s->min), figure(s->max), figure(s->p5), figure(s->p50), figure(s->p95)};
}

void add_rows(Table& table, const std::string& who, const GpuFindings& gpu) {
  table.rows.push_back(row(who + "busy, %", gpu.utilization));
  table.rows.push_back(row(who + "memory, MiB", gpu.memory));
  if (gpu.memory_share) table.rows.push_back(row(who + "memory, % of it", gpu.memory_share));
  table.rows.push_back(row(who + "power, W", gpu.power));
  if (gpu.temperature) table.rows.push_back(row(who + "temperature, °C", gpu.temperature));
}

}  // namespace

Section readings_section(const Findings& found) {
  Section section{"Busy, memory, power", {}};
  if (found.gpus.empty()) {
    section.elements.push_back(
        Paragraph{"No GPU was read" + (found.source.message.empty() ? "." : ": " + found.source.message)});
    return section;
  }
  Table table{{"", "avg", "min", "max", "p5", "p50", "p95"}, {}};
  if (found.gpus.size() > 1) add_rows(table, "all " + std::to_string(found.gpus.size()) + " GPUs: ", found.all);
  for (const auto& gpu : found.gpus) add_rows(table, "GPU " + std::to_string(gpu.index) + ": ", gpu);
  section.elements.push_back(std::move(table));
  if (found.all.energy) section.elements.push_back(Paragraph{"Energy: " + figure(*found.all.energy) + " Wh."});
  if (found.sensor_errors.empty()) {
    section.elements.push_back(Paragraph{"Sensor errors: none."});
    return section;
  }
  section.elements.push_back(
      Paragraph{"Sensor errors, left out of all figures: " + std::to_string(found.sensor_error_count) +
                (found.sensor_errors.size() < found.sensor_error_count ? " (the first are listed)" : "")});
  Table errors{{"at", "GPU", "reading"}, {}};
  for (const auto& error : found.sensor_errors) {
    errors.rows.push_back(
        {found.stream.timed ? format_duration(error.at.time_since_epoch()) : std::string{kUnknownText},
         std::to_string(error.gpu), error.text});
  }
  section.elements.push_back(std::move(errors));
  return section;
}

Section throughput_section(const Findings& found) {
  Section section{"Speed", {}};
  if (!found.throughput) {
    section.elements.push_back(Paragraph{found.run ? "Not known: neither the lens nor the output said how fast it goes."
                                                   : "Not known: this file holds no run."});
  } else {
    const auto& speed = *found.throughput;
    const auto& s = speed.all;
    section.elements.push_back(
        Table{{"", "avg", "min", "max", "p5", "p50", "p95"},
              {{speed.unit, rate(s.mean), rate(s.min), rate(s.max), rate(s.p5), rate(s.p50), rate(s.p95)}}});
    if (speed.steady)
      section.elements.push_back(Paragraph{"Steady phase: " + rate(*speed.steady) + " " + speed.unit +
                                           (speed.steady->plus_minus ? " (95 % interval)." : ".")});
  }
  if (!found.results.empty()) {
    std::string text;
    for (const auto& result : found.results) {
      text += (text.empty() ? "" : ", ") + printable(result.name) + " " + rate(result.last);
      if (result.best) text += " (best " + rate(*result.best) + ")";
    }
    section.elements.push_back(Paragraph{"Results printed last: " + text + "."});
  }
  if (!found.progress.empty()) section.elements.push_back(Paragraph{"Last seen: " + found.progress + "."});
  return section;
}

Section efficiency_section(const Findings& found) {
  Section section{"MFU, energy, cost", {}};
  Table table{{"", "value", "by"}, {}};
  for (const auto& figure : efficiency_figures(found.facts.efficiency))
    table.rows.push_back({figure.name, figure.value, figure.note});
  if (table.rows.empty()) {
    section.elements.push_back(Paragraph{"Not known: neither the power of the run's GPUs nor the FLOPs of a step were seen."});
  } else {
    section.elements.push_back(std::move(table));
  }
  return section;
}

std::string change_in_words(const Findings& found, const FoundChange& change) {
  std::string text = change.what;
  if (change.before && change.after && found.throughput) {
    text += ": " + rate(change.before->mean) + " → " + rate(change.after->mean) + " " + found.throughput->unit;
  }
  if (change.effect && change.effect->relative) {
    text += (change.before && change.after && found.throughput ? ", " : ": ");
    if (change.effect->certain() == false) {
      text += "no difference within the noise (" + percent_change(*change.effect->relative) + ")";
    } else {
      text += format_number(1 + change.effect->relative->mean, 1) + "× as fast (" +
              percent_change(*change.effect->relative) + ")";
    }
  }
  return text + (change.outcome.empty() ? "" : ", " + change.outcome);
}

Section changes_section(const Findings& found) {
  Section section{"Changes made and their effect", {}};
  if (found.changes.empty()) {
    section.elements.push_back(Paragraph{"None were seen."});
    return section;
  }
  Table table{{"at", "change", "before", "after", "effect", "outcome"}, {}};
  const std::string unit = found.throughput ? " " + found.throughput->unit : "";
  for (const auto& change : found.changes) {
    std::string effect = "not measured";
    if (change.effect && change.effect->relative) {
      effect = percent_change(*change.effect->relative);
      if (change.effect->certain() == false) effect += " (within the noise)";
    }
    table.rows.push_back({format_duration(change.at.time_since_epoch()), change.what,
                          change.before ? rate(*change.before) + unit : std::string{kUnknownText},
                          change.after ? rate(*change.after) + unit : std::string{kUnknownText}, effect,
                          change.outcome.empty() ? "seen, not made by gputop" : change.outcome});
  }
  section.elements.push_back(std::move(table));
  return section;
}

}  // namespace gputop::report
