#include "written_samples.hpp"

#include <nlohmann/json.hpp>

namespace gputop {
namespace {

using Json = nlohmann::json;

template <class T>
Reading<T> reading(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return T{found->get<decltype(T{}.value())>()};
}

GpuReading gpu_of(const Json& in, unsigned index) {
  GpuReading gpu;
  gpu.index = index;
  gpu.name = in.value("name", "NVIDIA GPU");
  gpu.uuid = "GPU-" + std::to_string(index);
  gpu.utilization = reading<Percent>(in, "utilization");
  gpu.memory_used = reading<Bytes>(in, "memory_used");
  gpu.memory_total = reading<Bytes>(in, "memory_total");
  gpu.power = reading<Watts>(in, "power");
  gpu.power_limit = gpu.max_power_limit = reading<Watts>(in, "power_limit");
  gpu.temperature = reading<Celsius>(in, "temperature");
  gpu.sm_clock = reading<Megahertz>(in, "sm_clock");
  gpu.max_sm_clock = reading<Megahertz>(in, "max_sm_clock");
  gpu.throttle = ThrottleReasons{0};
  if (in.contains("capability")) gpu.compute_capability = ComputeCapability{in["capability"][0], in["capability"][1]};
  gpu.processes.emplace();
  if (in.contains("pid"))
    gpu.processes->push_back(
        {.pid = in["pid"], .memory_used = reading<Bytes>(in, "pid_memory"), .utilization = gpu.utilization});
  return gpu;
}

HostReading host_of(const Json& in) {
  HostReading host;
  host.hostname = "host";
  host.cpu_count = in.value("cores", 8U);
  host.usable_cpus = host.cpu_count;
  host.cpu = reading<Percent>(in, "cpu");
  host.io_wait = reading<Percent>(in, "io_wait");
  host.cpu_pressure.some = reading<Percent>(in, "cpu_pressure");
  host.memory_total = reading<Bytes>(in, "memory_total");
  host.memory_used = reading<Bytes>(in, "memory_used");
  if (const auto busy = reading<Percent>(in, "disk_busy")) host.disks.push_back({.name = "nvme0n1", .busy = busy});
  return host;
}

ProcessReading process_of(const Json& in) {
  ProcessReading process;
  process.pid = in.value("pid", 0);
  process.parent = in.value("parent", 0);
  process.root = in.value("root", process.pid);
  process.command = in.value("command", "");
  process.state = in.value("state", "S")[0];
  process.cpu = reading<Percent>(in, "cpu");
  return process;
}

}  // namespace

std::optional<Event> written_sample(std::string_view line) {
  const auto json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("t")) return std::nullopt;
  const Instant at{std::chrono::milliseconds{json["t"].get<std::int64_t>()}};
  if (const auto list = json.find("gpus"); list != json.end()) {
    GpusSampled sampled;
    for (const auto& gpu : *list) sampled.gpus.push_back(gpu_of(gpu, static_cast<unsigned>(sampled.gpus.size())));
    return Event{at, std::move(sampled)};
  }
  if (const auto host = json.find("host"); host != json.end()) return Event{at, HostSampled{host_of(*host)}};
  if (const auto list = json.find("processes"); list != json.end()) {
    ProcessesSampled sampled;
    for (const auto& process : *list) sampled.processes.push_back(process_of(process));
    return Event{at, std::move(sampled)};
  }
  return std::nullopt;
}

}  // namespace gputop
