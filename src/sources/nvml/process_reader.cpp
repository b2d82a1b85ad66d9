#include "sources/nvml/process_reader.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace gputop::nvml {
namespace {

constexpr std::size_t kLargestRecord = sizeof(ProcessInfo535);
constexpr unsigned kFirstCapacity = 16;
constexpr unsigned kMostProcesses = 1U << 16U;  // a larger count is invalid
constexpr int kGrowths = 4;                     // processes may start between two attempts
constexpr std::byte kUntouched{0xA5};
constexpr std::size_t kOldest = 2;
constexpr std::size_t kFirstSamples = 64;
// The driver samples about once a second and we may ask more often: a sample stays valid for this many readings.
constexpr int kUsageLasts = 2;

GpuProcessType both(GpuProcessType a, GpuProcessType b) {
  return a == b ? a : GpuProcessType::kBoth;
}

}  // namespace

Reading<std::vector<GpuProcess>> ProcessReader::read(const Api& api, Calls& calls, std::span<const Device> instances) {
  const ListVersions compute{&api.nvmlDeviceGetComputeRunningProcesses_v3, &api.nvmlDeviceGetComputeRunningProcesses_v2,
                             &api.nvmlDeviceGetComputeRunningProcesses};
  const ListVersions graphics{&api.nvmlDeviceGetGraphicsRunningProcesses_v3,
                              &api.nvmlDeviceGetGraphicsRunningProcesses_v2,
                              &api.nvmlDeviceGetGraphicsRunningProcesses};
  const ListVersions mps{&api.nvmlDeviceGetMPSComputeRunningProcesses_v3,
                         &api.nvmlDeviceGetMPSComputeRunningProcesses_v2, &api.nvmlDeviceGetMPSComputeRunningProcesses};
  entries_.clear();
  const auto read_lists = [&](Device device) {
    bool any = append_list(api, calls, device, compute, compute_version_, GpuProcessType::kCompute);
    any |= append_list(api, calls, device, graphics, graphics_version_, GpuProcessType::kGraphics);
    any |= append_list(api, calls, device, mps, mps_version_, GpuProcessType::kCompute);
    return any;
  };
  const char* const mark = calls.mark();
  bool any = read_lists(calls.device());
  if (!any && !instances.empty()) {
    calls.forget(mark);
    for (Device instance : instances) any |= read_lists(instance);
  }
  if (!any) return std::nullopt;
  auto processes = merged();
  if (instances.empty()) {  // there is no per-process utilization under MIG
    read_usage(api, calls);
    put_usage(processes);
  }
  return processes;
}

bool ProcessReader::append_list(const Api& api,
                                Calls& calls,
                                Device device,
                                const ListVersions& versions,
                                std::size_t& version,
                                GpuProcessType type) {
  const char* const mark = calls.mark();
  for (std::size_t tried = version; tried < versions.size(); ++tried) {
    unsigned count = 0;
    const Code code = call_list(calls, device, *versions[tried], count);
    if (code == Code::kSuccess) {
      calls.forget(mark);
      version = tried;  // do not try refused versions again
      append_entries(count, record_size(api, tried, count), type);
      return true;
    }
    if (!deserves_fallback(code)) return false;
  }
  return false;
}

Code ProcessReader::call_list(Calls& calls, Device device, const ListFunction& function, unsigned& count) {
  if (buffer_.empty()) buffer_.resize(kFirstCapacity * kLargestRecord);
  Code code = Code::kInsufficientSize;
  for (int attempt = 0; attempt < kGrowths && code == Code::kInsufficientSize; ++attempt) {
    // Allocates for the largest record size and fills the buffer with a pattern: until the record size is known, it
    // must be visible what the driver wrote.
    if (record_size_ == 0) std::fill(buffer_.begin(), buffer_.end(), kUntouched);
    const auto capacity = static_cast<unsigned>(buffer_.size() / kLargestRecord);
    count = capacity;
    code = calls.on(device, function, &count, static_cast<void*>(buffer_.data()));
    if (code == Code::kInsufficientSize) {
      if (count > kMostProcesses) return Code::kUnknown;
      buffer_.resize((std::max(count, capacity) + kFirstCapacity) * kLargestRecord);
    } else if (count > capacity) {
      count = capacity;
    }
  }
  return code;
}

// Drivers 535.43 … 535.86 write 32 bytes where the others write 24, through the same symbol. The bytes after the last
// record tell: touched up to 32 × count and not beyond means large records.
std::size_t ProcessReader::record_size(const Api& api, std::size_t version, unsigned count) {
  if (version == kOldest) return sizeof(ProcessInfoV1);
  if (record_size_ != 0) return record_size_;
  if (count == 0) return sizeof(ProcessInfo);
  const auto touched = [&](std::size_t from, std::size_t to) {
    return std::any_of(buffer_.begin() + static_cast<std::ptrdiff_t>(from),
                       buffer_.begin() + static_cast<std::ptrdiff_t>(std::min(to, buffer_.size())),
                       [](std::byte b) { return b != kUntouched; });
  };
  const std::size_t small = count * sizeof(ProcessInfo);
  const std::size_t large = count * sizeof(ProcessInfo535);
  if (!touched(small, large)) {
    record_size_ = sizeof(ProcessInfo);
  } else if (large < buffer_.size() && !touched(large, buffer_.size())) {
    record_size_ = sizeof(ProcessInfo535);
  } else {  // the driver cleared or filled the whole buffer: decide by its symbols
    record_size_ = api.maybe_large_process_info ? sizeof(ProcessInfo535) : sizeof(ProcessInfo);
  }
  return record_size_;
}

void ProcessReader::append_entries(unsigned count, std::size_t size, GpuProcessType type) {
  for (unsigned i = 0; i < count; ++i) {
    ProcessInfo info{0, 0, kNoInstance, kNoInstance};
    std::memcpy(&info, buffer_.data() + i * size, std::min(size, sizeof info));
    if (info.pid == 0) continue;
    Entry entry{info.pid, info.gpu_instance, info.compute_instance, type, std::nullopt};
    if (info.used_memory != kMemoryNotAvailable) entry.memory = Bytes{info.used_memory};
    entries_.push_back(entry);
  }
}

// One row per PID. The lists repeat a process that computes and draws, each time with all its memory. On several MIG
// instances it has memory on each.
std::vector<GpuProcess> ProcessReader::merged() {
  const auto place = [](const Entry& e) { return std::tuple{e.pid, e.gpu_instance, e.compute_instance}; };
  std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
  std::vector<GpuProcess> processes;
  processes.reserve(entries_.size());
  for (std::size_t i = 0; i < entries_.size();) {
    Entry here = entries_[i++];
    for (; i < entries_.size() && place(entries_[i]) == place(here); ++i) {
      here.type = both(here.type, entries_[i].type);
      here.memory = std::max(here.memory, entries_[i].memory);
    }
    if (!processes.empty() && processes.back().pid == here.pid) {
      auto& process = processes.back();
      process.type = both(process.type, here.type);
      if (process.memory_used && here.memory)
        *process.memory_used += *here.memory;
      else if (here.memory)
        process.memory_used = here.memory;
    } else {
      GpuProcess process;
      process.pid = here.pid;
      process.type = here.type;
      process.memory_used = here.memory;
      processes.push_back(process);
    }
  }
  return processes;
}

void ProcessReader::read_usage(const Api& api, Calls& calls) {
  for (auto& usage : usages_) ++usage.age;
  if (samples_.empty()) samples_.resize(kFirstSamples);
  // Some sites restrict profiling to root: a refusal here is not a fault of the GPU.
  const char* const mark = calls.mark();
  unsigned count = 0;
  Code code = Code::kInsufficientSize;
  for (int attempt = 0; attempt < kGrowths && code == Code::kInsufficientSize; ++attempt) {
    count = static_cast<unsigned>(samples_.size());
    code = calls(api.nvmlDeviceGetProcessUtilization, samples_.data(), &count, last_seen_us_);
    if (code != Code::kInsufficientSize || count > kMostProcesses) break;
    samples_.resize(std::max<std::size_t>(count, samples_.size()) + kFirstSamples);
  }
  calls.forget(mark);
  if (code == Code::kNotFound) return;  // no activity since then
  if (code != Code::kSuccess) {
    usages_.clear();
    return;
  }
  const auto before = last_seen_us_;
  for (unsigned i = 0; i < count && i < samples_.size(); ++i) {
    if (samples_[i].time_us > before) take_sample(samples_[i]);  // old samples repeat
  }
}

void ProcessReader::take_sample(const ProcessUtilizationSample& sample) {
  last_seen_us_ = std::max(last_seen_us_, sample.time_us);
  const auto known = std::find_if(usages_.begin(), usages_.end(), [&](const Usage& u) { return u.pid == sample.pid; });
  if (sample.sm > 100 || sample.encoder > 100 || sample.decoder > 100) {  // ignore implausible samples
    if (known != usages_.end()) usages_.erase(known);
    return;
  }
  const Usage usage{sample.pid, sample.time_us, sample.sm, sample.encoder, sample.decoder, 0};
  if (known == usages_.end()) {
    usages_.push_back(usage);
  } else if (sample.time_us >= known->time_us) {
    *known = usage;
  }
}

// The driver lists only processes with activity: one that it no longer lists is idle, one that it never listed is
// unknown.
void ProcessReader::put_usage(std::vector<GpuProcess>& processes) {
  std::erase_if(usages_, [&](const Usage& usage) {
    return std::none_of(processes.begin(), processes.end(), [&](const GpuProcess& p) { return p.pid == usage.pid; });
  });
  for (const auto& usage : usages_) {
    const auto process =
        std::find_if(processes.begin(), processes.end(), [&](const GpuProcess& p) { return p.pid == usage.pid; });
    const bool fresh = usage.age <= kUsageLasts;
    process->utilization = Percent{fresh ? static_cast<double>(usage.sm) : 0.0};
    process->encoder = Percent{fresh ? static_cast<double>(usage.encoder) : 0.0};
    process->decoder = Percent{fresh ? static_cast<double>(usage.decoder) : 0.0};
  }
}

}  // namespace gputop::nvml
