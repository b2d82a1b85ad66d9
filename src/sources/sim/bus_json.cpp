// A SimRun as JSON and back.
#include <limits>
#include <nlohmann/json.hpp>

#include "gputop/sources/sim_bus.hpp"

namespace gputop {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kSchema = "gputop.sim-run/1";

// Every number and flag of a configuration with its name, used for both writing and reading.
template <class Config, class Field>
void each_field(Config& config, Field&& field) {
  field("batch_size", config.batch_size);
  field("accumulation", config.accumulation);
  field("workers", config.workers);
  field("prefetch", config.prefetch);
  field("pin_memory", config.pin_memory);
  field("persistent_workers", config.persistent_workers);
  field("checkpointing", config.checkpointing);
  auto& work = config.workload;
  field("parameters", work.parameters);
  field("optimizer_bytes_per_parameter", work.optimizer_bytes_per_parameter);
  field("flops_per_sample", work.flops_per_sample);
  field("traffic_per_sample", work.traffic_per_sample);
  field("half_full_batch", work.half_full_batch);
  field("activation_per_sample", work.activation_per_sample);
  field("sample", work.sample);
  field("workspace", work.workspace);
  field("context", work.context);
  field("cpu_per_sample", work.cpu_per_sample);
  field("disk_per_sample", work.disk_per_sample);
  field("host_per_step", work.host_per_step);
  field("sync_per_step", work.sync_per_step);
  auto& machine = config.machine;
  field("cores", machine.cores);
  field("disk_bandwidth", machine.disk_bandwidth);
  field("cached_share", machine.cached_share);
}

struct Writer {
  Json& json;
  template <class T>
  void operator()(const char* name, const T& value) const {
    json[name] = value;
  }
  void operator()(const char* name, const Bytes& value) const { json[name] = value.value(); }
};

// nlohmann silently converts between number types, so the range is checked here.
struct Reader {
  const Json& json;
  void operator()(const char* name, bool& value) const { value = json.at(name).get<bool>(); }
  void operator()(const char* name, double& value) const { value = json.at(name).get<double>(); }
  void operator()(const char* name, unsigned& value) const {
    value = static_cast<unsigned>(whole(name, std::numeric_limits<unsigned>::max()));
  }
  void operator()(const char* name, std::uint64_t& value) const {
    value = whole(name, std::numeric_limits<std::uint64_t>::max());
  }
  void operator()(const char* name, Bytes& value) const {
    value = Bytes{whole(name, std::numeric_limits<std::uint64_t>::max())};
  }

 private:
  [[nodiscard]] std::uint64_t whole(const char* name, std::uint64_t most) const {
    const auto& number = json.at(name);
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > most) {
      throw std::out_of_range{std::string{name} + " is not a whole number in range"};
    }
    return number.get<std::uint64_t>();
  }
};

Result<SimPhase> parse_phase(std::string_view text) {
  for (const auto phase : {SimPhase::kStarting, SimPhase::kWaiting, SimPhase::kTraining, SimPhase::kValidating}) {
    if (to_string(phase) == text) return phase;
  }
  return Error{Error::Kind::kInvalid, "unknown phase \"" + std::string{text} + "\""};
}

}  // namespace

std::string to_json(const SimRun& run) {
  Json config = Json::object();
  each_field(run.task.config, Writer{config});
  config["precision"] = to_string(run.task.config.precision);
  return Json{{"schema", kSchema},
              {"pid", run.pid},
              {"start_ticks", run.start_ticks},
              {"card", run.card},
              {"epoch", run.epoch},
              {"step", run.step},
              {"phase", to_string(run.task.phase)},
              {"leaked", run.task.leaked.value()},
              {"config", config}}
      .dump();
}

Result<SimRun> sim_run_from_json(std::string_view text) {
  const auto corrupt = [](const std::string& why) {
    return Error{Error::Kind::kCorrupt, "simulated run's file: " + why};
  };
  try {
    const Json json = Json::parse(text);
    if (json.at("schema").get<std::string>() != kSchema) return corrupt("schema is not gputop.sim-run/1");
    SimRun run;
    const Reader read{json};
    run.pid = json.at("pid").get<std::int64_t>();
    read("start_ticks", run.start_ticks);
    run.card = json.at("card").get<std::string>();
    read("epoch", run.epoch);
    read("step", run.step);
    read("leaked", run.task.leaked);
    const auto phase = parse_phase(json.at("phase").get<std::string>());
    if (!phase) return corrupt(phase.error().message);
    run.task.phase = *phase;
    const Json& config = json.at("config");
    each_field(run.task.config, Reader{config});
    const auto precision = parse_sim_precision(config.at("precision").get<std::string>());
    if (!precision) return corrupt(precision.error().message);
    run.task.config.precision = *precision;
    if (const auto sound = check(run.task.config); !sound) return corrupt(sound.error().message);
    return run;
  } catch (const std::exception& error) {  // nlohmann's, or a number out of range
    return corrupt(error.what());
  }
}

}  // namespace gputop
