// The GPU columns of a recording.
#include "store/layouts.hpp"

namespace gputop::store {
namespace {

// "8.6"
struct Capability {
  static void write(std::string& out, const ComputeCapability& value) {
    write_string(out, std::to_string(value.major) + "." + std::to_string(value.minor));
  }
  static bool read(Scanner& in, ComputeCapability& value) {
    std::string text;
    if (!in.read(text)) return false;
    Scanner parts{text};
    return Whole::read(parts, value.major) && parts.take('.') && Whole::read(parts, value.minor);
  }
};

// [active, total, errors or null]
struct Links {
  static void write(std::string& out, const NvLinks& value) {
    out += '[';
    write_unsigned(out, value.active);
    out += ',';
    write_unsigned(out, value.total);
    out += ',';
    write_cell<Whole>(out, value.errors);
    out += ']';
  }
  static bool read(Scanner& in, NvLinks& value) {
    return in.take('[') && Whole::read(in, value.active) && in.take(',') && Whole::read(in, value.total) &&
           in.take(',') && read_cell<Whole>(in, value.errors) && in.take(']');
  }
};

using StateName = Named<GpuState, GpuState::kFailed, GpuState::kFailed>;
using TypeName = Named<GpuProcessType, GpuProcessType::kBoth, GpuProcessType::kCompute>;

template <class Codec, auto... kPath>
constexpr Column<GpuReading> gpu(std::string_view name, Duration hold = kAlways, bool identity = false) {
  return make_column<Codec, GpuReading, kPath...>(name, hold, identity);
}
// Columns that a summary over days does not need.
constexpr Column<GpuReading> detail(Column<GpuReading> column) {
  column.detail = true;
  return column;
}
template <class Codec, auto... kPath>
constexpr Column<GpuProcess> gpu_process(std::string_view name, Duration hold = kAlways, bool identity = false) {
  return make_column<Codec, GpuProcess, kPath...>(name, hold, identity);
}
template <class Codec, auto... kPath>
constexpr Column<MigInstance> mig(std::string_view name, bool identity = false) {
  return make_column<Codec, MigInstance, kPath...>(name, kAlways, identity);
}

constexpr Column<GpuReading> kGpuColumns[] = {
    gpu<Whole, &GpuReading::index>("index", kAlways, kIdentity),
    gpu<Text, &GpuReading::uuid>("uuid", kAlways, kIdentity),
    gpu<Text, &GpuReading::name>("name"),
    gpu<Text, &GpuReading::pci_bus_id>("pci_bus_id"),
    gpu<StateName, &GpuReading::state>("state"),
    gpu<Text, &GpuReading::error>("error"),
    gpu<Decimals<0>, &GpuReading::utilization>("util"),
    detail(gpu<Decimals<0>, &GpuReading::memory_utilization>("mem_util")),
    gpu<Decimals<1>, &GpuReading::power>("power"),
    detail(gpu<Decimals<0>, &GpuReading::sm_clock>("sm_clock")),
    detail(gpu<Decimals<0>, &GpuReading::memory_clock>("mem_clock")),
    gpu<Decimals<0>, &GpuReading::temperature>("temp"),
    detail(gpu<Decimals<0>, &GpuReading::fan>("fan")),
    gpu<Whole, &GpuReading::memory_used>("mem_used"),
    gpu<Whole, &GpuReading::memory_total>("mem_total"),
    detail(gpu<Whole, &GpuReading::memory_reserved>("mem_reserved")),
    detail(gpu<Significant<3>, &GpuReading::pcie_rx>("pcie_rx", kEverySecondTick)),
    detail(gpu<Significant<3>, &GpuReading::pcie_tx>("pcie_tx", kEverySecondTick)),
    detail(gpu<Decimals<0>, &GpuReading::encoder>("encoder")),
    detail(gpu<Decimals<0>, &GpuReading::decoder>("decoder")),
    detail(gpu<Whole, &GpuReading::throttle>("throttle")),
    detail(gpu<Whole, &GpuReading::performance_state>("pstate")),
    detail(gpu<Decimals<0>, &GpuReading::energy>("energy", kEveryTenthTick)),
    gpu<Decimals<1>, &GpuReading::power_limit>("power_limit"),
    gpu<Decimals<1>, &GpuReading::max_power_limit>("max_power_limit"),
    detail(gpu<Decimals<0>, &GpuReading::slowdown_temperature>("slowdown_temp")),
    detail(gpu<Decimals<0>, &GpuReading::max_sm_clock>("max_sm_clock")),
    detail(gpu<Decimals<0>, &GpuReading::max_memory_clock>("max_mem_clock")),
    detail(gpu<Whole, &GpuReading::pcie, &PcieLink::generation>("pcie_gen")),
    detail(gpu<Whole, &GpuReading::pcie, &PcieLink::width>("pcie_width")),
    detail(gpu<Whole, &GpuReading::pcie, &PcieLink::max_generation>("max_pcie_gen")),
    detail(gpu<Whole, &GpuReading::pcie, &PcieLink::max_width>("max_pcie_width")),
    detail(gpu<Flag, &GpuReading::persistence>("persistence")),
    detail(gpu<Whole, &GpuReading::ecc_corrected>("ecc_corrected")),
    detail(gpu<Whole, &GpuReading::ecc_uncorrected>("ecc_uncorrected")),
    detail(gpu<Capability, &GpuReading::compute_capability>("compute_capability")),
    detail(gpu<Links, &GpuReading::nvlink>("nvlink")),
    detail(gpu<Significant<3>, &GpuReading::nvlink_rx>("nvlink_rx", kEverySecondTick)),
    detail(gpu<Significant<3>, &GpuReading::nvlink_tx>("nvlink_tx", kEverySecondTick)),
    detail(gpu<Decimals<0>, &GpuReading::memory_temperature>("mem_temp")),
    detail(gpu<Decimals<0>, &GpuReading::activity, &GpuActivity::sm>("sm_active")),
    detail(gpu<Decimals<0>, &GpuReading::activity, &GpuActivity::occupancy>("occupancy")),
    detail(gpu<Decimals<0>, &GpuReading::activity, &GpuActivity::tensor>("tensor_active")),
    detail(gpu<Decimals<0>, &GpuReading::activity, &GpuActivity::dram>("dram_active")),
    detail(gpu<Decimals<0>, &GpuReading::slowed, &SlowedTime::power_cap>("slowed_power_cap")),
    detail(gpu<Decimals<0>, &GpuReading::slowed, &SlowedTime::software_thermal>("slowed_sw_thermal")),
    detail(gpu<Decimals<0>, &GpuReading::slowed, &SlowedTime::hardware_thermal>("slowed_hw_thermal")),
    detail(gpu<Decimals<0>, &GpuReading::slowed, &SlowedTime::power_brake>("slowed_power_brake")),
    detail(gpu<Decimals<0>, &GpuReading::health, &GpuHealth::thermal_margin>("thermal_margin", kEveryTenthTick)),
    detail(gpu<Whole, &GpuReading::health, &GpuHealth::recovery_action>("recovery_action")),
    detail(gpu<Flag, &GpuReading::mig_enabled>("mig_enabled")),
    detail(gpu<Count<kMostMigPerGpu>, &GpuReading::mig>("mig_count")),
    detail(gpu<Count<kMostProcessesPerGpu>, &GpuReading::processes>("process_count")),
};

constexpr Column<GpuProcess> kGpuProcessColumns[] = {
    gpu_process<Whole, &GpuProcess::pid>("pid", kAlways, kIdentity),
    gpu_process<TypeName, &GpuProcess::type>("type"),
    gpu_process<Whole, &GpuProcess::memory_used>("mem_used"),
    gpu_process<Decimals<0>, &GpuProcess::utilization>("util", kEverySecondTick),
    gpu_process<Decimals<0>, &GpuProcess::encoder>("encoder", kEverySecondTick),
    gpu_process<Decimals<0>, &GpuProcess::decoder>("decoder", kEverySecondTick),
};

constexpr Column<MigInstance> kMigColumns[] = {
    mig<Whole, &MigInstance::index>("index", kIdentity),
    mig<Text, &MigInstance::uuid>("uuid", kIdentity),
    mig<Text, &MigInstance::name>("name"),
    mig<Whole, &MigInstance::gpu_instance>("gpu_instance"),
    mig<Whole, &MigInstance::compute_instance>("compute_instance"),
    mig<Whole, &MigInstance::memory_used>("mem_used"),
    mig<Whole, &MigInstance::memory_total>("mem_total"),
    mig<Whole, &MigInstance::multiprocessors>("multiprocessors"),
    mig<Decimals<0>, &MigInstance::activity, &GpuActivity::sm>("sm_active"),
    mig<Decimals<0>, &MigInstance::activity, &GpuActivity::occupancy>("occupancy"),
    mig<Decimals<0>, &MigInstance::activity, &GpuActivity::tensor>("tensor_active"),
    mig<Decimals<0>, &MigInstance::activity, &GpuActivity::dram>("dram_active"),
};

}  // namespace

const TableLayout<GpuReading> kGpuLayout{kGpuColumns, kMostGpus};
const TableLayout<GpuProcess> kGpuProcessLayout{kGpuProcessColumns, kMostRows};
const TableLayout<MigInstance> kMigLayout{kMigColumns, kMostRows};

}  // namespace gputop::store
