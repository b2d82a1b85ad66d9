#include "sources/host/cpu_meter.hpp"

#include <utility>

#include "sources/host/rate.hpp"
#include "sources/host/text_scan.hpp"

namespace gputop::host {
namespace {

constexpr std::size_t kMostCores = 65536;  // far beyond what Linux supports; bounds memory for a damaged file

}  // namespace

Reading<CpuMeter::Times> CpuMeter::parse(std::string_view fields) {
  TextScan scan{fields};
  const auto user = scan.number();
  const auto nice = scan.number();
  const auto system = scan.number();
  const auto idle = scan.number();
  if (!user || !nice || !system || !idle) return std::nullopt;
  const auto io_wait = scan.number().value_or(0);
  const auto irq = scan.number().value_or(0);
  const auto soft_irq = scan.number().value_or(0);
  const auto steal = scan.number().value_or(0);
  return Times{.busy = *user + *nice + *system + irq + soft_irq + steal, .idle = *idle, .io_wait = io_wait};
}

CpuMeter::Shares CpuMeter::shares(const Reading<Times>& before, const Reading<Times>& after) {
  if (!before || !after) return {};
  const auto busy = growth(before->busy, after->busy);
  const auto idle = growth(before->idle, after->idle);
  // The kernel lets the I/O wait counter run backwards occasionally.
  const auto io_wait = growth(before->io_wait, after->io_wait);
  if (!busy || !idle) return {};
  const auto total = static_cast<double>(*busy + *idle + io_wait.value_or(0));
  if (total <= 0) return {};
  Shares shares{.busy = Percent{100.0 * static_cast<double>(*busy) / total}, .io_wait = std::nullopt};
  if (io_wait) shares.io_wait = Percent{100.0 * static_cast<double>(*io_wait) / total};
  return shares;
}

void CpuMeter::read(std::string_view stat, HostReading& host) {
  Reading<Times> all;
  std::vector<Reading<Times>> cores;
  cores.reserve(cores_.size());
  host.cpu_count = 0;
  TextScan lines{stat};
  while (!lines.done()) {
    TextScan line{lines.line()};
    const auto key = line.word();
    if (key == "btime") {
      boot_seconds_ = line.number();
      break;  // the rest is not needed
    }
    if (!key.starts_with("cpu")) continue;
    if (key == "cpu") {
      all = parse(line.rest());
      continue;
    }
    const auto number = to_number<std::size_t>(key.substr(3));
    if (!number || *number >= kMostCores) continue;
    if (cores.size() <= *number) cores.resize(*number + 1);
    cores[*number] = parse(line.rest());
    ++host.cpu_count;
  }
  const auto whole = shares(all_, all);
  host.cpu = whole.busy;
  host.io_wait = whole.io_wait;
  cores_.resize(cores.size());
  host.cores.clear();
  host.cores.reserve(cores.size());
  for (std::size_t i = 0; i < cores.size(); ++i) host.cores.push_back(shares(cores_[i], cores[i]).busy);
  all_ = all;
  cores_ = std::move(cores);
}

}  // namespace gputop::host
