#include <algorithm>
#include <cmath>
#include <map>

#include "gputop/core/format.hpp"
#include "gputop/core/saturate.hpp"
#include "gputop/report/comparison.hpp"
#include "report/figures.hpp"
#include "report/findings/change_watch.hpp"
#include "report/findings/parts.hpp"

namespace gputop {
namespace {

using namespace report;

const SteadyMetric* metric_of(const Findings& found, const std::string& name) {
  const auto metric =
      std::find_if(found.steady.begin(), found.steady.end(), [&](const auto& known) { return known.name == name; });
  return metric == found.steady.end() ? nullptr : &*metric;
}

// Steps with different batches are different amounts of work: converted to samples if the batch is known.
Reading<SteadyMetric> in_samples(const Findings& found) {
  const auto* speed = metric_of(found, "throughput");
  if (!speed || speed->unit == "samples/s") return speed ? Reading<SteadyMetric>{*speed} : std::nullopt;
  const auto& settings = found.facts.settings;
  if (speed->unit != "it/s" || !settings.batch_size) return std::nullopt;
  const double factor =
      static_cast<double>(settings.batch_size->value) * (settings.world_size ? settings.world_size->value : 1U);
  SteadyMetric scaled{"throughput", "samples/s", speed->blocks};
  for (auto& block : scaled.blocks) {
    block.min *= factor;
    block.max *= factor;
    block.sum *= factor;
  }
  return scaled;
}

// The throughput of each run in one unit; empty if they share none.
std::vector<SteadyMetric> speeds(const std::vector<Findings>& all) {
  std::vector<SteadyMetric> same;
  std::vector<SteadyMetric> samples;
  for (const auto& found : all) {
    const auto* speed = metric_of(found, "throughput");
    if (speed && (same.empty() || same.front().unit == speed->unit)) same.push_back(*speed);
    if (auto scaled = in_samples(found)) samples.push_back(*std::move(scaled));
  }
  if (samples.size() == all.size()) return samples;
  return same.size() == all.size() ? same : std::vector<SteadyMetric>{};
}

ComparedMetric compared(const std::string& name, const std::vector<const SteadyMetric*>& metrics) {
  ComparedMetric result{.name = name, .unit = "", .means = {}, .differences = {}};
  for (const auto* metric : metrics) {
    result.means.push_back(metric ? estimated_mean(metric->blocks) : std::nullopt);
    if (metric) result.unit = metric->unit;
    const bool first = metric == metrics.front();
    result.differences.push_back(
        metric && metrics.front() && !first ? difference(metrics.front()->blocks, metric->blocks) : std::nullopt);
  }
  return result;
}

// One figure of each run, without an interval: it is not a mean of blocks.
void add_figure(Comparison& comparison,
                const std::vector<Findings>& all,
                const char* name,
                const char* unit,
                Known<double> EfficiencyFacts::*member,
                double scale = 1) {
  ComparedMetric metric{.name = name, .unit = unit, .means = {}, .differences = {}};
  for (const auto& found : all) {
    const auto& figure = found.facts.efficiency.*member;
    metric.means.push_back(figure ? Reading<Estimated>{Estimated{figure->value * scale, {}}} : std::nullopt);
    Reading<Difference> change;
    const auto& first = metric.means.front();
    if (metric.means.size() > 1 && first && metric.means.back()) {
      const double difference = metric.means.back()->mean - first->mean;
      change = Difference{.absolute = {difference, {}}, .relative = {}};
      if (first->mean > 0) change->relative = Estimated{difference / first->mean, {}};
    }
    metric.differences.push_back(change);
  }
  const auto known = [](const auto& mean) { return mean.has_value(); };
  if (std::any_of(metric.means.begin(), metric.means.end(), known)) comparison.metrics.push_back(std::move(metric));
}

std::string gpus_in_words(const Findings& found) {
  std::map<std::string, unsigned> counts;
  for (const auto& gpu : found.gpus) ++counts[gpu.name];
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " × " + (name.empty() ? "unknown" : name);
  return text;
}

// What differs between the runs.
std::vector<ComparedSetting> differing(const std::vector<Findings>& all) {
  std::vector<ComparedSetting> rows;
  const auto set = [&](std::size_t which, const std::string& name, const std::string& value) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& known) { return known.name == name; });
    if (row == rows.end()) row = rows.insert(rows.end(), {name, std::vector<std::string>(all.size())});
    row->values[which] = printable(value);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& found = all[i];
    set(i, "GPUs", gpus_in_words(found));
    set(i, "host", found.stream.hostname);
    set(i, "driver", found.source.driver_version);
    set(i, "source", found.source.source);
    if (found.run) {
      set(i, "directory", found.run->directory);
      if (i > 0 && all.front().run) set(i, "command line", argument_changes(all.front().run->argv, found.run->argv));
    }
    for (const auto& setting : found.settings) set(i, setting.name, setting.value);
  }
  std::erase_if(rows, [](const ComparedSetting& row) {
    return std::all_of(row.values.begin(), row.values.end(),
                       [&](const auto& value) { return value == row.values.front(); });
  });
  return rows;
}

// Loss, accuracy, F1: whatever any of them printed.
std::vector<ComparedResult> results_of(const std::vector<Findings>& all) {
  std::vector<ComparedResult> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& result : all[i].results) {
      auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& known) { return known.name == result.name; });
      if (row == rows.end()) {
        const std::vector<Reading<double>> none(all.size());
        row = rows.insert(rows.end(), {result.name, result.better, none, none});
      }
      row->last[i] = result.last;
      row->best[i] = result.best;
    }
  }
  return rows;
}

constexpr double kLeastDifference = 0.01;  // smaller differences matter to nobody

std::string letter(std::size_t i) {
  return std::string(1, static_cast<char>('A' + i % 26));
}

std::string speed_verdict(const ComparedMetric& speed, std::size_t which) {
  const auto& change = speed.differences[which];
  const auto& from = speed.means.front();
  const auto& to = speed.means[which];
  if (!change || !change->relative || !from || !to) return letter(which) + " cannot be compared";
  const std::string rates = rate(from->mean) + " → " + rate(to->mean) + " " + speed.unit;
  const std::string figures = " (" + rates + ")";
  const auto& relative = *change->relative;
  if (!relative.plus_minus)
    return letter(which) + ": " + percent_change(relative) + figures + ", too short to say how sure that is";
  if (change->certain() == false)
    return "no difference: " + letter(which) + " is as fast as A within the noise: " + percent_change(relative) +
           figures;
  if (std::abs(relative.mean) < kLeastDifference)
    return "no difference worth naming: " + letter(which) + " " + percent_change(relative) + " against A" + figures;
  const Estimated size{std::abs(relative.mean), relative.plus_minus};
  auto words = percent_change(size);
  words.erase(0, words.starts_with('+') ? 1 : 0);
  if (relative.mean < 0) return letter(which) + " is " + words + " slower than A" + figures;
  return letter(which) + " is " + words + " faster than A (" + rates + ", " + format_number(1 + relative.mean, 1) + "× as fast)";
}

std::string load_verdict(const ComparedMetric& load, std::size_t which) {
  const auto& change = load.differences[which];
  if (!change || !load.means.front() || !load.means[which]) return letter(which) + " cannot be compared";
  std::string text = (change->certain() == false ? "no difference: " : "") + letter(which) + ": GPU busy " +
                     figure(load.means.front()->mean) + " % → " + figure(load.means[which]->mean) + " % (" +
                     (change->absolute.mean > 0 ? "+" : "") + figure(change->absolute.mean);
  if (change->absolute.plus_minus) text += " ± " + figure(*change->absolute.plus_minus);
  return text + " points" + (change->certain() == false ? ", within the noise)" : ")");
}

// The metric of each run against its batch size; nothing if they all had the same.
void add_batch_plot(Comparison& comparison,
                    const std::vector<Findings>& all,
                    const ComparedMetric& metric,
                    const std::string& title) {
  BatchPlot plot{.title = title, .unit = metric.unit, .seen = {}, .line = {}, .limit = {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& batch = all[i].facts.settings.batch_size;
    if (batch && metric.means[i]) plot.seen.push_back({static_cast<double>(batch->value), metric.means[i]->mean});
  }
  std::stable_sort(plot.seen.begin(), plot.seen.end(), [](const auto& a, const auto& b) { return a.batch < b.batch; });
  const auto other = [&](const BatchPlot::Point& point) { return point.batch != plot.seen.front().batch; };
  if (std::any_of(plot.seen.begin(), plot.seen.end(), other)) comparison.batch_plots.push_back(std::move(plot));
}

using Columns = std::vector<Reading<TimePlot::Column>>;

// One curve of all its series, for a time axis that may be longer: unknown after its end.
Columns joined(const TimePlot& plot, Duration whole) {
  Columns columns;
  if (plot.series.empty() || plot.to <= plot.from) return columns;
  const auto count = plot.series.front().columns.size();
  const double longer = to_seconds(whole) / to_seconds(plot.to - plot.from);
  columns.resize(std::max(count, saturate<std::size_t>(std::round(static_cast<double>(count) * longer))));
  for (std::size_t i = 0; i < count; ++i) {
    double seen = 0;
    TimePlot::Column sum;
    for (const auto& series : plot.series) {
      if (i >= series.columns.size() || !series.columns[i]) continue;
      const auto& column = *series.columns[i];
      sum.min = seen > 0 ? std::min(sum.min, column.min) : column.min;
      sum.max = seen > 0 ? std::max(sum.max, column.max) : column.max;
      sum.mean += column.mean;
      ++seen;
    }
    if (seen > 0) columns[i] = TimePlot::Column{sum.min, sum.mean / seen, sum.max};
  }
  return columns;
}

// Work and speed of all runs in one picture, a curve for each. Each run's own report lists its events.
void add_plots(Comparison& comparison, const std::vector<Findings>& all) {
  for (const auto* title : {kUtilisationPlot, kThroughputPlot}) {
    const auto plot_of = [&](const Findings& found) {
      return std::find_if(found.plots.begin(), found.plots.end(), [&](const auto& plot) { return plot.title == title; });
    };
    TimePlot whole{.title = title, .unit = "", .from = {}, .to = {}, .top = 0};
    for (const auto& found : all) {
      if (plot_of(found) != found.plots.end()) whole.to = std::max(whole.to, plot_of(found)->to);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto plot = plot_of(all[i]);
      if (plot == all[i].plots.end()) continue;
      if (whole.unit.empty()) whole.unit = plot->unit;
      if (plot->unit != whole.unit) {  // steps and samples have no common scale
        comparison.notes.push_back(letter(i) + ": its speed is in " + plot->unit + " and not in the plot");
        continue;
      }
      whole.top = std::max(whole.top, plot->top);
      whole.series.push_back({letter(i), joined(*plot, whole.to - whole.from)});
    }
    if (!whole.series.empty()) comparison.plots.push_back(std::move(whole));
  }
}

std::string verdict(const Comparison& comparison) {
  const auto find = [&](const char* name) {
    const auto& metrics = comparison.metrics;
    return std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) { return metric.name == name; });
  };
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  const bool same = std::none_of(comparison.settings.begin(), comparison.settings.end(),
                                 [](const auto& setting) { return setting.name == "GPUs"; });
  const std::string gpus = same ? "" : "; they did not have the same GPUs";
  if (const auto speed = find("throughput"); speed != comparison.metrics.end()) {
    for (std::size_t i = 1; i < comparison.names.size(); ++i) add(speed_verdict(*speed, i));
    return text + gpus;
  }
  const auto load = find("utilization");
  if (load == comparison.metrics.end()) return "no metric was measured in all of them";
  for (std::size_t i = 1; i < comparison.names.size(); ++i) add(load_verdict(*load, i));
  return text + "; which is faster is not known: not all of them have a speed in one unit" + gpus;
}

}  // namespace

Comparison compare_findings(const std::vector<Findings>& all) {
  Comparison result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& found = all[i];
    result.names.push_back(letter(i) + ": " + found.title + (found.title == found.file ? "" : " (" + found.file + ")"));
    result.steady.push_back(std::max(Duration{}, found.steady_to - found.steady_from));
    result.simulated = result.simulated || found.simulated;
    for (const auto& note : found.notes) result.notes.push_back(letter(i) + ": " + note);
  }
  add_plots(result, all);
  if (const auto same = speeds(all); !same.empty()) {
    std::vector<const SteadyMetric*> metrics;
    for (const auto& metric : same) metrics.push_back(&metric);
    result.metrics.push_back(compared("throughput", metrics));
    add_batch_plot(result, all, result.metrics.back(), "Speed by batch size");
  }
  for (const char* name : {"utilization", "memory", "power"}) {
    std::vector<const SteadyMetric*> metrics;
    for (const auto& found : all) metrics.push_back(metric_of(found, name));
    if (std::none_of(metrics.begin(), metrics.end(), [](const auto* metric) { return metric != nullptr; })) continue;
    result.metrics.push_back(compared(name, metrics));
    if (result.metrics.back().name == "memory")
      add_batch_plot(result, all, result.metrics.back(), "Memory by batch size");
  }
  add_figure(result, all, "mfu", "%", &EfficiencyFacts::mfu, 100);
  add_figure(result, all, "energy per 1,000 samples", "Wh", &EfficiencyFacts::energy_per_1000);
  add_figure(result, all, "energy of the run", "Wh", &EfficiencyFacts::energy);
  add_figure(result, all, "cost of the run", "by --price", &EfficiencyFacts::cost);
  result.settings = differing(all);
  result.results = results_of(all);
  result.verdict = verdict(result);
  return result;
}

}  // namespace gputop
