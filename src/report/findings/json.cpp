#include "gputop/core/format.hpp"
#include "report/figures.hpp"
#include "report/json_values.hpp"

namespace gputop {
namespace report {
namespace {

Json statistics_json(const Reading<WindowStatistics>& s, double (*round)(double) = rounded) {
  if (!s) return nullptr;
  return {{"count", s->count},  {"avg", round(s->mean)}, {"min", round(s->min)}, {"max", round(s->max)},
          {"p5", round(s->p5)}, {"p50", round(s->p50)},  {"p95", round(s->p95)}};
}

Json gpu_json(const GpuFindings& gpu, bool one) {
  Json json = Json::object();
  if (one) json = {{"index", gpu.index}, {"name", text_json(gpu.name)}, {"uuid", text_json(gpu.uuid)}};
  json["samples"] = gpu.samples;
  json["utilization_percent"] = statistics_json(gpu.utilization);
  json["memory_used_mib"] = statistics_json(gpu.memory);
  json["memory_used_percent"] = statistics_json(gpu.memory_share);
  json["power_watts"] = statistics_json(gpu.power);
  json["temperature_celsius"] = statistics_json(gpu.temperature);
  json["memory_total_mib"] = gpu.memory_total
                                 ? Json(rounded(static_cast<double>(gpu.memory_total->value()) / (1024.0 * 1024.0)))
                                 : Json(nullptr);
  json["power_limit_watts"] = gpu.power_limit ? Json(rounded(gpu.power_limit->value())) : Json(nullptr);
  json["energy_wh"] = gpu.energy ? Json(rounded(*gpu.energy)) : Json(nullptr);
  json["sensor_errors"] = gpu.sensor_errors;
  if (one) {
    const auto& work = gpu.work;
    json["at_work"] = {{"phases", work.phases},
                       {"readings", work.readings},
                       {"seconds", work.time ? Json(rounded(to_seconds(*work.time))) : Json(nullptr)},
                       {"utilization_percent", statistics_json(work.utilization)}};
  }
  return json;
}

Json configuration_json(const Findings& found) {
  Json settings = Json::array();
  for (const auto& setting : found.settings)
    settings.push_back({{"name", setting.name}, {"value", text_json(setting.value)}, {"from", setting.from}});
  Json argv = nullptr;
  if (found.run) {
    argv = Json::array();
    for (const auto& word : found.run->argv) argv.push_back(printable(word));
  }
  return {{"source", text_json(found.source.source)},
          {"driver_version", text_json(found.source.driver_version)},
          {"gputop_version", text_json(found.stream.gputop_version)},
          {"hostname", text_json(found.stream.hostname)},
          {"cpu_count", found.cpu_count > 0 ? Json(found.cpu_count) : Json(nullptr)},
          {"host_memory_bytes", found.host_memory ? Json(found.host_memory->value()) : Json(nullptr)},
          {"run", found.run ? text_json(found.run->name) : Json(nullptr)},
          {"argv", argv},
          {"directory", found.run ? text_json(found.run->directory) : Json(nullptr)},
          {"job", job_json(found.job)},
          {"settings", settings}};
}

Json throughput_json(const Findings& found) {
  if (!found.throughput) return nullptr;
  Json json{{"unit", found.throughput->unit}};
  json.update(statistics_json(found.throughput->all, rounded_rate));
  json["steady"] = estimated_json(found.throughput->steady);
  return json;
}

Json breakdown_json(const Diagnosis& diagnosis) {
  Json shares = Json::object();
  for (std::size_t i = 0; i < kStepParts; ++i)
    shares[std::string{to_string(static_cast<StepPart>(i))}] = rounded(100 * diagnosis.shares[i]);
  return shares;
}

Json recommendation_json(const Finding& finding) {
  Json evidence = Json::array();
  for (const auto& item : finding.evidence)
    evidence.push_back({{"metric", item.metric}, {"value", rounded_rate(item.value)}, {"unit", item.unit}});
  Json changes = Json::array();
  for (const auto& change : finding.changes)
    changes.push_back({{"knob", change.knob}, {"from", text_json(change.from)}, {"to", change.to}});
  Json vetoes = Json::array();
  for (const auto& veto : finding.vetoes) vetoes.push_back({{"knob", veto.knob}, {"reason", veto.reason}});
  return {{"id", finding.id},
          {"severity", to_string(finding.severity)},
          {"title", finding.title},
          {"why", finding.why},
          {"evidence", evidence},
          {"changes", changes},
          {"vetoes", vetoes},
          {"expected_speedup", finding.speedup
                                   ? Json({rounded_rate(finding.speedup->low), rounded_rate(finding.speedup->high)})
                                   : Json(nullptr)},
          {"outlook", text_json(outlook_in_words(finding))},
          {"action", text_json(finding.action)},
          {"risk", text_json(to_string(finding.risk))},
          {"then", text_json(finding.then)},
          {"confidence", rounded_rate(finding.confidence)}};
}

Json changes_json(const Findings& found) {
  Json list = Json::array();
  for (const auto& change : found.changes) {
    Json effect = nullptr;
    if (change.effect && change.effect->relative) effect = percent_json(*change.effect->relative);
    list.push_back({{"at_seconds", rounded(to_seconds(change.at))},
                    {"change", change.what},
                    {"before", estimated_json(change.before)},
                    {"after", estimated_json(change.after)},
                    {"effect_percent", effect},
                    {"outcome", text_json(change.outcome)}});
  }
  return list;
}

Json plots_json(const Findings& found) {
  Json list = Json::array();
  for (const auto& plot : found.plots) {
    Json series = Json::array();
    for (const auto& one : plot.series) {
      Json values = Json::array();
      for (const auto& column : one.columns)
        values.push_back(column ? Json(rounded_rate(column->mean)) : Json(nullptr));
      series.push_back({{"name", one.name}, {"avg", values}});
    }
    list.push_back({{"title", plot.title},
                    {"unit", plot.unit},
                    {"from_seconds", rounded(to_seconds(plot.from))},
                    {"to_seconds", rounded(to_seconds(plot.to))},
                    {"series", series}});
  }
  for (const auto& plot : found.batch_plots) {
    Json seen = Json::array();
    for (const auto& point : plot.seen)
      seen.push_back({{"batch_size", point.batch}, {"value", rounded_rate(point.value)}});
    Json line = Json::array();
    for (const auto& point : plot.line) {
      line.push_back({{"batch_size", point.batch},
                      {"low", rounded(point.low)},
                      {"value", rounded(point.value)},
                      {"high", rounded(point.high)}});
    }
    list.push_back({{"title", plot.title}, {"unit", plot.unit}, {"seen", seen}, {"line", line}});
  }
  return list;
}

}  // namespace

Json text_json(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(printable(text));
}

Json estimated_json(const Reading<Estimated>& value) {
  if (!value) return nullptr;
  return {{"mean", rounded_rate(value->mean)},
          {"plus_minus", value->plus_minus ? Json(rounded_interval(*value)) : Json(nullptr)}};
}

Json percent_json(const Estimated& value) {
  return {{"mean", rounded(100 * value.mean)},
          {"plus_minus", value.plus_minus ? Json(rounded(100 * *value.plus_minus)) : Json(nullptr)}};
}

Json job_json(const Reading<JobJoined>& job) {
  if (!job) return nullptr;
  const auto number = [](const Reading<unsigned>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"id", text_json(job->id)},
          {"launcher", text_json(job->launcher)},
          {"step", text_json(job->step)},
          {"node", text_json(job->node)},
          {"node_index", number(job->node_index)},
          {"nodes", number(job->nodes)},
          {"rank", number(job->rank)},
          {"local_rank", number(job->local_rank)},
          {"world_size", number(job->world)}};
}

std::string dumped(const Json& json) {
  return harmless_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace report

std::string findings_json(const Findings& found) {
  using namespace report;
  Json gpus = Json::array();
  for (const auto& gpu : found.gpus) gpus.push_back(gpu_json(gpu, true));
  Json errors = Json::array();
  for (const auto& error : found.sensor_errors) {
    errors.push_back({{"at_seconds", found.stream.timed ? Json(rounded(to_seconds(error.at))) : Json(nullptr)},
                      {"gpu", error.gpu},
                      {"metric", error.metric},
                      {"text", error.text}});
  }
  Json recommendations = Json::array();
  for (const auto& finding : found.advice.findings) recommendations.push_back(recommendation_json(finding));
  Json events = Json::array();
  for (const auto& event : found.happenings) {
    events.push_back(
        {{"at_seconds", rounded(to_seconds(event.at))}, {"severity", to_string(event.severity)}, {"text", event.text}});
  }
  Json signs = Json::array();
  for (const auto& sign : found.advice.signs)
    signs.push_back({{"about", sign.about}, {"state", to_string(sign.kind)}, {"text", sign.text}});
  Json options = Json::array();
  for (const auto& option : found.advice.options) options.push_back({{"id", option.id}, {"text", option.text}});
  const auto headroom = found.memory_headroom();
  const auto& diagnosis = found.advice.diagnosis;
  return dumped({
      {"schema", "gputop.report/1"},
      {"file", printable(found.file)},
      {"title", printable(found.title)},
      {"simulated", found.simulated},
      {"configuration", configuration_json(found)},
      {"begin", found.stream.wall == WallTime{} ? Json(nullptr) : Json(format_wall(found.stream.wall))},
      {"duration_seconds", found.has_duration() ? Json(rounded(to_seconds(found.duration))) : Json(nullptr)},
      {"samples", found.samples},
      {"interval_seconds", found.interval ? Json(rounded(to_seconds(*found.interval))) : Json(nullptr)},
      {"gaps_seconds", rounded(to_seconds(found.gaps))},
      {"recording", found.state == RecordingState::kStillWritten ? "still written"
                    : found.state == RecordingState::kCutOff     ? "cut off"
                                                                 : "whole"},
      {"gpus", gpus},
      {"all_gpus", found.gpus.empty() ? Json(nullptr) : gpu_json(found.all, false)},
      {"memory_headroom_percent", headroom ? Json(rounded(*headroom)) : Json(nullptr)},
      {"sensor_error_count", found.sensor_error_count},
      {"sensor_errors", errors},
      {"throughput", throughput_json(found)},
      {"efficiency", efficiency_json(found.facts)},
      {"progress", progress_json(found.facts)},
      {"metrics", metrics_json(found.facts.metrics)},
      {"step_shares_percent", breakdown_json(diagnosis)},
      {"bottleneck", to_string(diagnosis.bottleneck)},
      {"diagnosis", text_json(diagnosis.verdict)},
      {"diagnosis_confidence", rounded_rate(diagnosis.confidence)},
      {"unknowns", diagnosis.unknowns},
      {"signs", signs},
      {"recommendations", recommendations},
      {"options", options},
      {"next_steps", found.next_steps},
      {"changes", changes_json(found)},
      {"end", {{"kind", found.run ? Json(to_string(found.facts.end.kind)) : Json(nullptr)}, {"text", found.ended}}},
      {"events", events},
      {"plots", plots_json(found)},
      {"notes", found.notes},
  });
}

}  // namespace gputop
