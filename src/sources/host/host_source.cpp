#include "gputop/sources/host_source.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <utility>

#include "gputop/base/own_proc.hpp"
#include "gputop/core/format.hpp"
#include "sources/host/affinity.hpp"
#include "sources/host/cadence.hpp"
#include "sources/host/cgroup_meter.hpp"
#include "sources/host/cpu_meter.hpp"
#include "sources/host/disk_meter.hpp"
#include "sources/host/kernel_file.hpp"
#include "sources/host/network_meter.hpp"
#include "sources/host/proc_text.hpp"
#include "sources/host/process_table.hpp"
#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop {
namespace {

using namespace host;

// Reading each file costs as much as drawing half a pane. People watch the CPU; memory, disks and network change more
// slowly, and limits and pressure (which the kernel averages over ten seconds) even more so. The periods are slightly
// below a round number because ticks are not exact.
constexpr Duration kCalm = std::chrono::milliseconds{1800};
constexpr Duration kSeldom = std::chrono::milliseconds{4800};

class ProcSource final : public HostSource {
 public:
  explicit ProcSource(HostOptions options)
      : options_(std::move(options)),
        disks_(options_.sys),
        networks_(options_.sys),
        cgroup_(options_.proc, options_.cgroup),
        processes_(options_.proc, options_.user_name) {
    if (!options_.affinity) options_.affinity = cpus_in_affinity;
  }

  [[nodiscard]] std::string_view name() const override { return "host"; }

  void start(Instant now, Sink sink) override {
    sink_ = std::move(sink);
    SourceStatus status;
    status.source = name();
    if (!stat_.read(buffer_)) {
      status.state = SourceStatus::State::kUnavailable;
      status.message =
          "host: cannot read " + options_.proc + "/stat: is /proc mounted here, and may this user read it?";
    }
    sink_(Event{now, std::move(status)});
  }

  void tick(Instant now) override {
    if (!sink_) return;
    if (often_.due(now)) read_host(now);
    sink_(Event{now, HostSampled{host_}});
    sink_(Event{now, ProcessesSampled{processes_.read(now, cpu_.boot_seconds(), host_.cpu_count, buffer_)}});
  }

  void tick_all(Instant now) override {
    calm_ = Cadence{kCalm};
    seldom_ = Cadence{kSeldom};
    if (sink_) read_host(now);
    tick(now);
  }

  void stop() override { sink_ = nullptr; }

  void watch(std::vector<std::int64_t> pids, std::vector<std::int64_t> tree_roots) override {
    if (options_.proc == "/proc" && !proc_is_our_own()) tree_roots.clear();  // its numbers are others' there
    processes_.watch(std::move(pids), std::move(tree_roots));
  }

 private:
  // "" if it cannot be read: no line, no reading.
  std::string_view text(KeptFile& file) { return file.read(buffer_).value_or(std::string_view{}); }

  void read_host(Instant now) {
    cpu_.read(text(stat_), host_);
    if (const auto elapsed = calm_.due(now)) read_calm(*elapsed);
    if (seldom_.due(now)) read_seldom(now);
  }

  void read_calm(Duration elapsed) {
    read_memory(text(memory_), host_);
    read_load(text(load_), host_);
    host_.disks = disks_.read(text(diskstats_), elapsed);
    host_.networks = networks_.read(text(net_dev_), elapsed);
  }

  void read_seldom(Instant now) {
    host_.cpu_pressure = parse_pressure(text(cpu_pressure_));
    host_.memory_pressure = parse_pressure(text(memory_pressure_));
    host_.io_pressure = parse_pressure(text(io_pressure_));
    host_.cgroup = cgroup_.read(now, buffer_);
    read_usable_cpus();
    read_shm();
    host_.hostname = printable(TextScan{text(hostname_)}.line());
    host_.oom_kills = value_of(text(vmstat_), "oom_kill");
  }

  void read_usable_cpus() {
    const auto allowed = options_.affinity();
    const auto& quota = host_.cgroup.cpu_limit;
    host_.usable_cpus = quota;
    if (allowed) host_.usable_cpus = quota ? std::min<double>(*quota, *allowed) : *allowed;
  }

  void read_shm() {
    host_.shm_total.reset();
    host_.shm_used.reset();
    struct statvfs room {};
    // No blocks at all: a file system without its own limit.
    if (statvfs(options_.shm.c_str(), &room) != 0 || room.f_blocks == 0) return;
    host_.shm_total = Bytes{std::uint64_t{room.f_blocks} * room.f_frsize};
    host_.shm_used = Bytes{std::uint64_t{room.f_blocks - std::min(room.f_blocks, room.f_bfree)} * room.f_frsize};
  }

  HostOptions options_;
  Sink sink_;
  ReadBuffer buffer_;
  KeptFile hostname_{options_.proc + "/sys/kernel/hostname"};
  KeptFile stat_{options_.proc + "/stat"};
  KeptFile load_{options_.proc + "/loadavg"};
  KeptFile memory_{options_.proc + "/meminfo"};
  KeptFile cpu_pressure_{options_.proc + "/pressure/cpu"};
  KeptFile memory_pressure_{options_.proc + "/pressure/memory"};
  KeptFile io_pressure_{options_.proc + "/pressure/io"};
  KeptFile diskstats_{options_.proc + "/diskstats"};
  KeptFile net_dev_{options_.proc + "/net/dev"};
  KeptFile vmstat_{options_.proc + "/vmstat"};
  CpuMeter cpu_;
  DiskMeter disks_;
  NetworkMeter networks_;
  CgroupMeter cgroup_;
  ProcessTable processes_;
  HostReading host_;
  Cadence often_{kShortestWindow};
  Cadence calm_{kCalm};
  Cadence seldom_{kSeldom};
};

}  // namespace

std::unique_ptr<HostSource> make_host_source(HostOptions options) {
  return std::make_unique<ProcSource>(std::move(options));
}

}  // namespace gputop
