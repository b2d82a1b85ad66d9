// The host columns of a recording.
#include "store/layouts.hpp"

namespace gputop::store {
namespace {

template <class Codec, auto... kPath>
constexpr Column<HostReading> host(std::string_view name, Duration hold = kAlways) {
  return make_column<Codec, HostReading, kPath...>(name, hold);
}

using H = HostReading;

constexpr Column<HostReading> kHostColumns[] = {
    host<Text, &H::hostname>("hostname"),
    host<Whole, &H::cpu_count>("cpu_count"),
    host<Decimals<2>, &H::usable_cpus>("usable_cpus"),
    host<Decimals<1>, &H::cpu>("cpu"),
    host<Decimals<1>, &H::io_wait>("io_wait"),
    host<Decimals<2>, &H::load1>("load1"),
    host<Decimals<2>, &H::load5>("load5"),
    host<Decimals<2>, &H::load15>("load15"),
    host<Decimals<1>, &H::cpu_pressure, &Pressure::some>("cpu_pressure_some", kEverySecondTick),
    host<Decimals<1>, &H::cpu_pressure, &Pressure::full>("cpu_pressure_full", kEverySecondTick),
    host<Decimals<1>, &H::memory_pressure, &Pressure::some>("mem_pressure_some", kEverySecondTick),
    host<Decimals<1>, &H::memory_pressure, &Pressure::full>("mem_pressure_full", kEverySecondTick),
    host<Decimals<1>, &H::io_pressure, &Pressure::some>("io_pressure_some", kEverySecondTick),
    host<Decimals<1>, &H::io_pressure, &Pressure::full>("io_pressure_full", kEverySecondTick),
    host<Whole, &H::memory_total>("mem_total"),
    host<Significant<5>, &H::memory_used>("mem_used", kEverySecondTick),
    host<Whole, &H::swap_total>("swap_total"),
    host<Significant<5>, &H::swap_used>("swap_used", kEverySecondTick),
    host<Whole, &H::shm_total>("shm_total"),
    host<Significant<5>, &H::shm_used>("shm_used", kEverySecondTick),
    host<Whole, &H::cgroup, &CgroupReading::version>("cgroup_version"),
    host<Whole, &H::cgroup, &CgroupReading::memory_limit>("cgroup_mem_limit"),
    host<Significant<5>, &H::cgroup, &CgroupReading::memory_used>("cgroup_mem_used", kEverySecondTick),
    host<Decimals<2>, &H::cgroup, &CgroupReading::cpu_limit>("cgroup_cpu_limit"),
    host<Decimals<1>, &H::cgroup, &CgroupReading::throttled>("cgroup_throttled"),
    host<Whole, &H::cgroup, &CgroupReading::oom_kills>("cgroup_oom_kills"),
    host<Whole, &H::oom_kills>("oom_kills"),
    host<List<FivePercent, kMostRows>, &H::cores>("cores", kEveryFifthTick),
};

constexpr Column<DiskReading> kDiskColumns[] = {
    make_column<Text, DiskReading, &DiskReading::name>("name", kAlways, kIdentity),
    make_column<Significant<3>, DiskReading, &DiskReading::read>("read", kEverySecondTick),
    make_column<Significant<3>, DiskReading, &DiskReading::write>("write", kEverySecondTick),
    make_column<Decimals<0>, DiskReading, &DiskReading::busy>("busy", kEverySecondTick),
};

constexpr Column<NetworkReading> kNetworkColumns[] = {
    make_column<Text, NetworkReading, &NetworkReading::name>("name", kAlways, kIdentity),
    make_column<Significant<3>, NetworkReading, &NetworkReading::receive>("receive", kEverySecondTick),
    make_column<Significant<3>, NetworkReading, &NetworkReading::transmit>("transmit", kEverySecondTick),
};

}  // namespace

const TableLayout<HostReading> kHostLayout{kHostColumns, 1, true};
const TableLayout<DiskReading> kDiskLayout{kDiskColumns, kMostRows};
const TableLayout<NetworkReading> kNetworkLayout{kNetworkColumns, kMostRows};

}  // namespace gputop::store
