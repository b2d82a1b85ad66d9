// Every check: it is silent on a machine where all is well, fires where one thing is wrong, and is unknown where that
// cannot be seen. A check without a case for each of the three fails the first test.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <set>

#include "unit/doctor/machines.hpp"

namespace gputop::doctor {
namespace {

struct Case {
  std::string_view id;
  std::string_view name;
  std::function<void(Machine&)> spoil;
  Level level;
  std::string_view words;  // part of what was found, of the cost or of the fix
};

ThrottleReasons held_by(ThrottleReason reason) {
  return ThrottleReasons{static_cast<std::uint64_t>(reason)};
}
void without_host(Machine& machine) {
  machine.host.reset();
}
template <class Change>
std::function<void(Machine&)> gpu1(Change change) {
  return [change](Machine& machine) { change(machine.gpus[1]); };
}
template <class Change>
std::function<void(Machine&)> every_gpu(Change change) {
  return [change](Machine& machine) {
    for (auto& gpu : machine.gpus) change(gpu);
  };
}
void tenant(Machine& machine, std::string name, char state, std::uint64_t uid) {
  machine.tenants = std::vector<GpuTenant>{
      {.gpu = 1, .pid = 4711, .name = std::move(name), .uid = uid, .state = state, .memory = 2_GiB}};
}
std::function<void(Machine&)> variable(std::string name, std::string value) {
  return [=](Machine& machine) { machine.environment[name] = value; };
}

const std::vector<Case>& cases() {
  using R = ThrottleReason;
  static const std::vector<Case> kCases{
      {"driver", "no library", [](Machine& m) { m.gpus.clear(), m.gpus_unavailable = "libnvidia-ml.so.1 not found"; },
       Level::kWarn, "modprobe nvidia"},
      {"driver", "no card", [](Machine& m) { m.gpus.clear(), m.gpus_unavailable = "none", m.nvidia_devices = 0; },
       Level::kWarn, "no NVIDIA GPU is plugged in"},
      {"driver", "in a container", [](Machine& m) { m.gpus.clear(), m.gpus_unavailable = "none", m.container = true; },
       Level::kWarn, "--gpus all"},
      {"driver", "a lost GPU", gpu1([](GpuReading& g) { g.state = GpuState::kLost; }), Level::kBad, "GPU 1"},
      {"driver", "not asked", [](Machine& m) { m.gpus.clear(); }, Level::kUnknown, "not asked"},
      {"cuda_versions", "old driver", [](Machine& m) { m.driver_version = "535.104.05"; }, Level::kBad,
       "older than 580"},
      {"cuda_versions", "old driver with compat libraries",
       [](Machine& m) { m.driver_version = "535.104.05", m.cuda_compat = true; }, Level::kUnknown, "compatibility"},
      {"cuda_versions", "a CPU build on a machine with GPUs", [](Machine& m) { m.torch.cuda.clear(); }, Level::kBad,
       "without CUDA"},
      {"cuda_versions", "a CPU build without GPUs", [](Machine& m) { m.torch.cuda.clear(), m.gpus.clear(); },
       Level::kOk, "CPU build"},
      {"cuda_versions", "no torch", [](Machine& m) { m.torch.version.clear(); }, Level::kUnknown, "no PyTorch found"},
      {"cuda_versions", "Python did not answer", [](Machine& m) { m.torch.unknown = "did not say"; }, Level::kUnknown,
       "did not say"},
      {"cuda_versions", "a CUDA of the future", [](Machine& m) { m.torch.cuda = "17.1"; }, Level::kUnknown, "17.1"},
      {"gpu_architecture", "an old card", gpu1([](GpuReading& g) {
         g.compute_capability = ComputeCapability{6, 1};
       }),
       Level::kBad, "6.1"},
      {"gpu_architecture", "a newer minor version", every_gpu([](GpuReading& g) {
         g.compute_capability = ComputeCapability{8, 9};
       }),
       Level::kOk, "every GPU"},
      {"gpu_architecture", "a later card by compute_", every_gpu([](GpuReading& g) {
         g.compute_capability = ComputeCapability{12, 1};
       }),
       Level::kOk, "every GPU"},
      {"gpu_architecture", "sm_90a is for 9.0 only",
       [](Machine& m) {
         m.torch.architectures = {"sm_90a"};
         m.gpus[1].compute_capability = ComputeCapability{9, 1};
       },
       Level::kBad, "GPU 1"},
      {"gpu_architecture", "nonsense for an architecture",
       [](Machine& m) {
         m.torch.architectures = {"sm_99999999999999999999", "sm", "sm_"};
       },
       Level::kBad, "9.0"},
      {"gpu_architecture", "Python did not answer", [](Machine& m) { m.torch.unknown = "did not say"; }, Level::kUnknown, "did not say"},
      {"gpu_architecture", "no GPU", [](Machine& m) { m.gpus.clear(); }, Level::kUnknown, "no GPU"},
      {"gpu_architecture", "not asked", [](Machine& m) { m.torch.architectures.clear(); }, Level::kUnknown, "command"},
      {"recovery_action", "reset", gpu1([](GpuReading& g) { g.health.recovery_action = 1; }), Level::kBad,
       "reset the GPU"},
      {"recovery_action", "a new action", gpu1([](GpuReading& g) { g.health.recovery_action = 99; }), Level::kBad,
       "99"},
      {"recovery_action", "old driver", every_gpu([](GpuReading& g) { g.health.recovery_action.reset(); }),
       Level::kUnknown, "does not report it"},
      {"ecc_memory", "errors", gpu1([](GpuReading& g) { g.ecc_uncorrected = 3; }), Level::kBad, "3 uncorrectable"},
      {"ecc_memory", "to be switched off", gpu1([](GpuReading& g) { g.health.ecc_pending = false; }), Level::kWarn,
       "off"},
      {"ecc_memory", "a card without ECC",
       every_gpu([](GpuReading& g) { g.ecc_uncorrected.reset(), g.health.ecc_enabled.reset(); }), Level::kUnknown, ""},
      {"memory_repair", "remap failed", gpu1([](GpuReading& g) { g.health.remap_failed = true; }), Level::kBad,
       "remapped"},
      {"memory_repair", "remap pending", gpu1([](GpuReading& g) { g.health.remap_pending = true; }), Level::kWarn,
       "waits"},
      {"memory_repair", "page pending", gpu1([](GpuReading& g) { g.health.pages_pending = true; }), Level::kWarn,
       "retired"},
      {"memory_repair", "nothing said", every_gpu([](GpuReading& g) { g.health = {}; }), Level::kUnknown, ""},
      {"persistence_mode", "off", gpu1([](GpuReading& g) { g.persistence = false; }), Level::kWarn, "nvidia-smi -pm 1"},
      {"persistence_mode", "nothing said", every_gpu([](GpuReading& g) { g.persistence.reset(); }), Level::kUnknown,
       ""},
      {"power_limit", "far below", gpu1([](GpuReading& g) { g.power_limit = Watts{400}; }), Level::kWarn,
       "nvidia-smi -i 1 -pl 700"},
      {"power_limit", "slightly below", gpu1([](GpuReading& g) { g.power_limit = Watts{660}; }), Level::kOk, "10 %"},
      {"power_limit", "no default", every_gpu([](GpuReading& g) { g.health.default_power_limit.reset(); }),
       Level::kUnknown, ""},
      {"gpu_clocks", "held low",
       gpu1([](GpuReading& g) { g.throttle = held_by(R::kApplicationClocks), g.sm_clock = Megahertz{1200}; }),
       Level::kWarn, "1200 of 1980 MHz"},
      {"gpu_clocks", "held at the top", gpu1([](GpuReading& g) { g.throttle = held_by(R::kApplicationClocks); }),
       Level::kOk, ""},
      {"gpu_clocks", "nothing said", every_gpu([](GpuReading& g) { g.throttle.reset(); }), Level::kUnknown, ""},
      {"gpu_heat", "slowed", gpu1([](GpuReading& g) { g.throttle = held_by(R::kHardwareThermal); }), Level::kBad,
       "slowed by heat"},
      {"gpu_heat", "slowed part of the time", gpu1([](GpuReading& g) { g.slowed.hardware_thermal = Percent{30}; }),
       Level::kBad, "30 % of the time"},
      {"gpu_heat", "slowed hardly ever", gpu1([](GpuReading& g) { g.slowed.software_thermal = Percent{1}; }),
       Level::kOk, ""},
      {"gpu_heat", "little margin", gpu1([](GpuReading& g) { g.health.thermal_margin = Celsius{3}; }), Level::kWarn,
       "3 degrees below"},
      {"gpu_heat", "above the limit", gpu1([](GpuReading& g) { g.health.thermal_margin = Celsius{-2}; }), Level::kWarn,
       "at its limit"},
      {"gpu_heat", "an old driver's thresholds",
       gpu1([](GpuReading& g) { g.health.thermal_margin.reset(), g.temperature = Celsius{88}; }), Level::kWarn,
       "2 degrees below"},
      {"gpu_heat", "nothing said",
       every_gpu([](GpuReading& g) { g.health.thermal_margin.reset(), g.temperature.reset(); }), Level::kUnknown, ""},
      {"gpu_fan", "stands still", gpu1([](GpuReading& g) { g.fan = Percent{0}, g.temperature = Celsius{80}; }),
       Level::kBad, "80 °C"},
      {"gpu_fan", "not needed", gpu1([](GpuReading& g) { g.fan = Percent{0}, g.temperature = Celsius{40}; }),
       Level::kOk, ""},
      {"gpu_fan", "passive cards", every_gpu([](GpuReading& g) { g.fan.reset(); }), Level::kUnknown, ""},
      {"pcie_link", "half the lanes", gpu1([](GpuReading& g) { g.pcie.width = 8; }), Level::kWarn, "8 of 16 lanes"},
      {"pcie_link", "old generation under load", gpu1([](GpuReading& g) { g.pcie.generation = 1; }), Level::kWarn,
       "1 of 5"},
      {"pcie_link", "old generation at rest",
       gpu1([](GpuReading& g) { g.pcie.generation = 1, g.utilization = Percent{0}; }), Level::kOk, ""},
      {"pcie_link", "nothing said", every_gpu([](GpuReading& g) { g.pcie = {}; }), Level::kUnknown, ""},
      {"pcie_replays", "many", gpu1([](GpuReading& g) { g.health.pcie_replays = 5000; }), Level::kWarn, "5000"},
      {"pcie_replays", "a few", gpu1([](GpuReading& g) { g.health.pcie_replays = 7; }), Level::kOk, ""},
      {"pcie_replays", "nothing said", every_gpu([](GpuReading& g) { g.health.pcie_replays.reset(); }), Level::kUnknown,
       ""},
      {"gpu_tenants", "a desktop", [](Machine& m) { tenant(m, "gnome-shell", 'S', 1000); }, Level::kWarn, "systemctl"},
      {"gpu_tenants", "another user", [](Machine& m) { tenant(m, "python3", 'S', 1234); }, Level::kWarn,
       "python3 (4711)"},
      {"gpu_tenants", "my own", [](Machine& m) { tenant(m, "python3", 'S', 0); }, Level::kOk, "nobody"},
      {"gpu_tenants", "other process ids", [](Machine& m) { m.host_processes = false; }, Level::kUnknown, "host's"},
      {"gpu_leftovers", "a zombie", [](Machine& m) { tenant(m, "python3", 'Z', 0); }, Level::kWarn, "zombie"},
      {"gpu_leftovers", "gone", [](Machine& m) { tenant(m, "", '?', 0); }, Level::kWarn, "is gone and holds 2.0 GiB"},
      {"gpu_leftovers", "other process ids", [](Machine& m) { tenant(m, "", '?', 0), m.host_processes.reset(); },
       Level::kUnknown, "host's"},
      {"compute_mode", "exclusive", gpu1([](GpuReading& g) { g.health.compute_mode = 3; }), Level::kWarn, "exclusive"},
      {"compute_mode", "prohibited", gpu1([](GpuReading& g) { g.health.compute_mode = 2; }), Level::kBad, "-i 1 -c 0"},
      {"compute_mode", "nothing said", every_gpu([](GpuReading& g) { g.health.compute_mode.reset(); }), Level::kUnknown,
       ""},
      {"mig_mode", "no instance", gpu1([](GpuReading& g) { g.mig_enabled = true; }), Level::kBad, "no instance"},
      {"mig_mode", "two instances", gpu1([](GpuReading& g) { g.mig_enabled = true, g.mig.resize(2); }), Level::kOk,
       "GPU 1 is cut into 2 instances"},
      {"mig_mode", "a card without MIG", every_gpu([](GpuReading& g) { g.mig_enabled.reset(); }), Level::kUnknown, ""},
      {"gpu_numa", "pinned to the other node", [](Machine& m) { m.affinity = "16-31"; }, Level::kWarn,
       "--cpunodebind=0"},
      {"gpu_numa", "pinned near", [](Machine& m) { m.affinity = "2,4-6"; }, Level::kOk, ""},
      {"gpu_numa", "no affinity", [](Machine& m) { m.affinity.reset(); }, Level::kUnknown, "CPUs"},
      {"gpu_numa", "a list that is none", [](Machine& m) { m.affinity = "5-1"; }, Level::kUnknown, ""},
      {"cpu_governor", "powersave", [](Machine& m) { m.cpu.governors = {"powersave"}; }, Level::kWarn, "cpupower"},
      {"cpu_governor", "powersave that is none",
       [](Machine& m) { m.cpu.governors = {"powersave"}, m.cpu.drivers = {"intel_pstate"}; }, Level::kOk, "powersave"},
      {"cpu_governor", "energy preference",
       [](Machine& m) {
         m.cpu.governors = {"powersave"}, m.cpu.drivers = {"amd-pstate-epp"}, m.cpu.preferences = {"power"};
       },
       Level::kWarn, "energy_performance_preference"},
      {"cpu_governor", "a virtual machine", [](Machine& m) { m.cpu.governors.clear(), m.cpu.virtual_machine = true; },
       Level::kUnknown, "virtual machine"},
      {"cpu_governor", "no cpufreq", [](Machine& m) { m.cpu.governors.clear(); }, Level::kUnknown, "cpufreq"},
      {"cpu_quota", "held back",
       [](Machine& m) { m.host->cgroup.cpu_limit = 4, m.host->cgroup.throttled = Percent{30}; }, Level::kWarn,
       "held back"},
      {"cpu_quota", "more workers than CPUs",
       [](Machine& m) { m.host->cgroup.cpu_limit = 4, m.settings["workers"] = "8"; }, Level::kWarn, "4 workers"},
      {"cpu_quota", "enough", [](Machine& m) { m.host->cgroup.cpu_limit = 4, m.settings["workers"] = "4"; }, Level::kOk,
       ""},
      {"cpu_quota", "not read", without_host, Level::kUnknown, ""},
      {"memory_limit", "nearly full",
       [](Machine& m) { m.host->cgroup.memory_limit = 8_GiB, m.host->cgroup.memory_used = Bytes{8'400'000'000}; },
       Level::kBad, "137"},
      {"memory_limit", "roomy",
       [](Machine& m) { m.host->cgroup.memory_limit = 8_GiB, m.host->cgroup.memory_used = 1_GiB; }, Level::kOk, ""},
      {"memory_limit", "not read", without_host, Level::kUnknown, ""},
      {"cpu_threads", "too many", [](Machine& m) { m.environment["OMP_NUM_THREADS"] = "16", m.ranks = 8; },
       Level::kWarn, "OMP_NUM_THREADS=4"},
      {"cpu_threads", "ranks by the launcher", variable("LOCAL_WORLD_SIZE", "4"), Level::kWarn, "OMP_NUM_THREADS=8"},
      {"cpu_threads", "torchrun allows one a rank", [](Machine& m) { m.ranks = 8, m.launcher_sets_threads = true; }, Level::kWarn,
       "OMP_NUM_THREADS=4"},
      {"cpu_threads", "torchrun, and no core is left over",
       [](Machine& m) { m.ranks = 8, m.launcher_sets_threads = true, m.host->usable_cpus = 8; }, Level::kOk, "1 thread a rank"},
      {"cpu_threads", "a thread per core, and few of them may run", [](Machine& m) { m.host->usable_cpus = 4; }, Level::kWarn,
       "32 threads per process on 4"},
      {"cpu_threads", "half a CPU", [](Machine& m) { m.host->usable_cpus = 0.5, m.environment["OMP_NUM_THREADS"] = "1"; }, Level::kOk,
       "0.5 CPUs"},
      {"cpu_threads", "fits", [](Machine& m) { m.environment["OMP_NUM_THREADS"] = "4", m.ranks = 8; }, Level::kOk,
       "8 ranks"},
      {"cpu_threads", "not read", without_host, Level::kUnknown, ""},
      {"numa_balancing", "on", [](Machine& m) { m.numa.balancing = true; }, Level::kWarn, "sysctl"},
      {"numa_balancing", "one node", [](Machine& m) { m.numa = {.nodes = {"0-31"}, .balancing = true}; }, Level::kOk,
       "one"},
      {"numa_balancing", "nothing said", [](Machine& m) { m.numa.balancing.reset(); }, Level::kUnknown, ""},
      {"swap", "much", [](Machine& m) { m.host->swap_used = 2_GiB; }, Level::kWarn, "2.0 GiB"},
      {"swap", "much and pressed",
       [](Machine& m) { m.host->swap_used = 2_GiB, m.host->memory_pressure.some = Percent{20}; }, Level::kBad,
       "right now"},
      {"swap", "none", [](Machine& m) { m.host->swap_total = 0_GiB; }, Level::kOk, "none"},
      {"swap", "not read", without_host, Level::kUnknown, ""},
      {"transparent_huge_pages", "never", [](Machine& m) { m.transparent_pages = "never"; }, Level::kWarn, "madvise"},
      {"transparent_huge_pages", "nothing said", [](Machine& m) { m.transparent_pages.reset(); }, Level::kUnknown, ""},
      {"shared_memory", "a container's default",
       [](Machine& m) { m.container = true, m.host->shm_total = Bytes{64U << 20U}; }, Level::kWarn, "--shm-size"},
      {"shared_memory", "a container's default with workers",
       [](Machine& m) {
         m.container = m.has_command = true, m.host->shm_total = Bytes{64U << 20U}, m.settings["workers"] = "4";
       },
       Level::kBad, "Bus error"},
      {"shared_memory", "a container's default and no workers",
       [](Machine& m) {
         m.container = m.has_command = true, m.host->shm_total = Bytes{64U << 20U}, m.settings["workers"] = "0";
       },
       Level::kOk, ""},
      {"shared_memory", "full", [](Machine& m) { m.host->shm_used = 127_GiB; }, Level::kBad, "ls -l /dev/shm"},
      {"shared_memory", "workers × batches of images",
       [](Machine& m) {
         m.host->shm_total = 1_GiB, m.image_side = 224;
         m.settings = {{"workers", "16"}, {"batch_size", "256"}};
       },
       Level::kBad, "16 workers × 2 batches of 256 images of 224²"},
      {"shared_memory", "workers × batches of tokens",
       [](Machine& m) {
         m.settings = {{"workers", "4"}, {"batch_size", "8"}, {"seq", "2048"}, {"prefetch", "4"}};
       },
       Level::kOk, "4 workers × 4 batches of 8 sequences of 2048"},
      {"shared_memory", "not there", [](Machine& m) { m.host->shm_total.reset(); }, Level::kUnknown, "/dev/shm"},
      {"open_files", "few", [](Machine& m) { m.limits.open_files = 256; }, Level::kWarn, "ulimit -n"},
      {"open_files", "few for many workers",
       [](Machine& m) { m.limits.open_files = 1024, m.settings["workers"] = "16"; }, Level::kWarn, "open files"},
      {"open_files", "enough for few", [](Machine& m) { m.limits.open_files = 1024; }, Level::kOk, "few workers"},
      {"open_files", "not read", [](Machine& m) { m.limits = {}; }, Level::kUnknown, ""},
      {"locked_memory", "many nodes",
       [](Machine& m) { m.limits.locked_bytes = 65536, m.environment["SLURM_NNODES"] = "4"; }, Level::kWarn,
       "InfiniBand"},
      {"locked_memory", "one node", [](Machine& m) { m.limits.locked_bytes = 65536; }, Level::kOk, "only"},
      {"locked_memory", "not read", [](Machine& m) { m.limits = {}; }, Level::kUnknown, ""},
      {"process_limit", "few", [](Machine& m) { m.limits.processes = 512; }, Level::kWarn, "512"},
      {"process_limit", "few for the control group", [](Machine& m) { m.limits.group_processes = 100; }, Level::kWarn, "--pids-limit"},
      {"process_limit", "many for the control group", [](Machine& m) { m.limits.group_processes = 100000; }, Level::kOk, "65536"},
      {"process_limit", "not read", [](Machine& m) { m.limits = {}; }, Level::kUnknown, ""},
      {"data_folder", "slow", [](Machine& m) { m.data.read_speed = BytesPerSecond{80e6}; }, Level::kWarn, "SSD"},
      {"data_folder", "remote and not measured",
       [](Machine& m) { m.data.filesystem = "nfs4", m.data.read_speed.reset(), m.data.speed_unknown = "no file"; },
       Level::kWarn, "nfs4"},
      {"data_folder", "remote and fast", [](Machine& m) { m.data.filesystem = "nfs4"; }, Level::kOk, "nfs4"},
      {"data_folder", "a virtual disk says it spins",
       [](Machine& m) {
         m.data.rotational = true, m.data.read_speed.reset(), m.data.speed_unknown = "no file";
         m.cpu.virtual_machine = true;
       },
       Level::kOk, "no file"},
      {"data_folder", "hangs", [](Machine& m) { m.data.hangs = true; }, Level::kBad, "did not answer"},
      {"data_folder", "not known", [](Machine& m) { m.data = {}; }, Level::kUnknown, ""},
      {"allocator", "unreadable", variable("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb=128"), Level::kBad,
       "cannot read"},
      {"allocator", "no number", variable("PYTORCH_ALLOC_CONF", "max_split_size_mb:abc"), Level::kBad, "wants a number"},
      {"allocator", "too small", variable("PYTORCH_ALLOC_CONF", "max_split_size_mb:5"), Level::kBad, "20 or more"},
      {"allocator", "a switch in lower case", variable("PYTORCH_ALLOC_CONF", "expandable_segments:true"), Level::kBad, "True or False"},
      {"allocator", "a share above 1", variable("PYTORCH_ALLOC_CONF", "garbage_collection_threshold:1.5"), Level::kBad, "between 0 and 1"},
      {"allocator", "no power of 2", variable("PYTORCH_ALLOC_CONF", "roundup_power2_divisions:3"), Level::kBad, "power of 2"},
      {"allocator", "an unknown backend", variable("PYTORCH_ALLOC_CONF", "backend:foo"), Level::kBad, "cudaMallocAsync"},
      {"allocator", "mistyped", variable("PYTORCH_ALLOC_CONF", "expandable_segment:True"), Level::kWarn, "did you mean expandable_segments?"},
      {"allocator", "an open bracket", variable("PYTORCH_ALLOC_CONF", "roundup_power2_divisions:[256:1"), Level::kBad, "brackets"},
      {"allocator", "blanks and a last comma", variable("PYTORCH_ALLOC_CONF", " expandable_segments : True , max_split_size_mb:128,"),
       Level::kOk, "128"},
      {"allocator", "a list in brackets", variable("PYTORCH_ALLOC_CONF", "roundup_power2_divisions:[256:1,>:4]"),
       Level::kOk, "roundup"},
      {"allocator", "both names",
       [](Machine& m) {
         m.environment = {{"PYTORCH_ALLOC_CONF", "a:1"}, {"PYTORCH_CUDA_ALLOC_CONF", "a:2"}};
       },
       Level::kWarn, "differ"},
      {"allocator", "no effect", variable("PYTORCH_ALLOC_CONF", "backend:cudaMallocAsync,expandable_segments:True"),
       Level::kWarn, "does nothing"},
      {"debug_switches", "blocking launches", variable("CUDA_LAUNCH_BLOCKING", "1"), Level::kWarn,
       "unset CUDA_LAUNCH_BLOCKING"},
      {"debug_switches", "switched off", variable("CUDA_LAUNCH_BLOCKING", "0"), Level::kOk, "none"},
      {"debug_switches", "no caching, by any value", variable("PYTORCH_NO_CUDA_MEMORY_CACHING", "0"), Level::kWarn, ""},
      {"debug_switches", "info costs nothing", variable("TORCH_DISTRIBUTED_DEBUG", "INFO"), Level::kOk, ""},
      {"iommu", "translating", [](Machine& m) { m.places[1].iommu_domain = "DMA-FQ"; }, Level::kWarn, "iommu=pt"},
      {"iommu", "one GPU", [](Machine& m) { m.gpus.pop_back(), m.places[0].iommu_domain = "DMA"; }, Level::kOk,
       "several"},
      {"iommu", "off", [](Machine& m) { m.iommu_on = false; }, Level::kOk, "off"},
      {"iommu", "a virtual machine or not", [](Machine& m) { m.cpu.virtual_machine.reset(); }, Level::kUnknown, "cannot be seen"},
      {"iommu", "a virtual machine", [](Machine& m) { m.cpu.virtual_machine = true; }, Level::kUnknown, "host's"},
      {"acs", "redirecting", [](Machine& m) { m.places[1].acs_redirects = true; }, Level::kWarn, "above GPU 1"},
      {"acs", "a plain user",
       [](Machine& m) {
         m.root = false;
         for (auto& place : m.places) place.acs_redirects.reset();
       },
       Level::kUnknown, "only root"},
      {"clock_sync", "several nodes",
       [](Machine& m) { m.clock_synchronized = false, m.environment["SLURM_NNODES"] = "2"; }, Level::kWarn, "chrony"},
      {"clock_sync", "several nodes, in step", variable("SLURM_NNODES", "2"), Level::kOk, "other nodes were not asked"},
      {"clock_sync", "one node", [](Machine& m) { m.clock_synchronized = false; }, Level::kUnknown, "matters"},
      {"clock_sync", "one node, in step", [](Machine&) {}, Level::kOk, "synchronized"},
      {"clock_sync", "several nodes by torchrun",
       [](Machine& m) {
         m.clock_synchronized = false;
         m.environment["WORLD_SIZE"] = "16";
         m.environment["LOCAL_WORLD_SIZE"] = "8";
       },
       Level::kWarn, "chrony"},
      {"clock_sync", "nothing said", [](Machine& m) { m.clock_synchronized.reset(); }, Level::kUnknown, ""},
  };
  return kCases;
}

bool always_known(std::string_view id) {  // from the environment, which is always there
  return id == "allocator" || id == "debug_switches";
}

}  // namespace

TEST_CASE("doctor: every check has a case that fires and one that is unknown", "[doctor]") {
  std::map<std::string_view, std::set<bool>> seen;
  for (const auto& one : cases()) {
    if (one.level != Level::kOk) seen[one.id].insert(one.level == Level::kUnknown);
  }
  for (const auto id : check_ids()) {
    CAPTURE(id);
    CHECK(seen[id].count(false) == 1);
    CHECK((seen[id].count(true) == 1 || always_known(id)));
  }
}

TEST_CASE("doctor: on a machine where all is well, every check is ok and wants nothing", "[doctor]") {
  const auto results = examine(healthy_machine());
  REQUIRE(results);
  CHECK(results->size() == check_ids().size());
  for (const auto& [id, title, verdict] : *results) {
    CAPTURE(id, verdict.found);
    CHECK(verdict.level == Level::kOk);
    CHECK(!verdict.found.empty());
    CHECK(verdict.cost.empty());
    CHECK(verdict.fix.empty());
  }
}

TEST_CASE("doctor: on a machine of which nothing is known, nothing is bad and nothing is a warning", "[doctor]") {
  for (const auto& [id, title, verdict] : *examine(Machine{})) {
    CAPTURE(id, verdict.found);
    CHECK((verdict.level == Level::kUnknown || always_known(id)));
    CHECK(!verdict.found.empty());
  }
}

TEST_CASE("doctor: one thing wrong is found by its check, with the cost and the words that help", "[doctor]") {
  for (const auto& one : cases()) {
    CAPTURE(one.id, one.name);
    auto machine = healthy_machine();
    one.spoil(machine);
    const auto verdict = look(machine, one.id);
    CAPTURE(verdict.found, verdict.cost, verdict.fix);
    CHECK(to_string(verdict.level) == to_string(one.level));
    const std::string all = verdict.found + "\n" + verdict.cost + "\n" + verdict.fix;
    CHECK(all.find(one.words) != std::string::npos);
    const bool fires = verdict.level == Level::kWarn || verdict.level == Level::kBad;
    CHECK(fires == !verdict.cost.empty());
    if (!fires) CHECK(verdict.fix.empty());
    CHECK(verdict.fix.find("{gpu}") == std::string::npos);
  }
}

}  // namespace gputop::doctor
