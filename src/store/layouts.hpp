// The columns of every table in a recording: which readings are written, under which name and with what rounding.
// docs/recording-format.md describes them. A new reading is one line in one of these tables.
#pragma once

#include "gputop/core/gpu.hpp"
#include "gputop/core/host.hpp"
#include "store/table.hpp"

namespace gputop::store {

extern const TableLayout<GpuReading> kGpuLayout;
extern const TableLayout<GpuProcess> kGpuProcessLayout;
extern const TableLayout<MigInstance> kMigLayout;
extern const TableLayout<HostReading> kHostLayout;
extern const TableLayout<DiskReading> kDiskLayout;
extern const TableLayout<NetworkReading> kNetworkLayout;
extern const TableLayout<ProcessReading> kProcessLayout;

inline constexpr std::size_t kMostGpus = 256;
inline constexpr std::size_t kMostMigPerGpu = 64;
inline constexpr std::size_t kMostProcessesPerGpu = 1024;
inline constexpr std::size_t kMostRows = 65536;

// How long a column that changes constantly is held. Slightly less than a whole number of seconds, so 1 s ticks that
// arrive a few milliseconds early still count as the second, the fifth, the tenth.
inline constexpr Duration kEverySecondTick = std::chrono::milliseconds{1500};
inline constexpr Duration kEveryFifthTick = std::chrono::milliseconds{4500};
inline constexpr Duration kEveryTenthTick = std::chrono::milliseconds{9500};
inline constexpr Duration kAlways{};
inline constexpr bool kIdentity = true;

}  // namespace gputop::store
