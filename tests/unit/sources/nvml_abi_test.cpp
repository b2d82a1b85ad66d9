// Our declarations of NVML's structures and constants: pinned, and compared with NVIDIA's header where it can be had.
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "sources/nvml/api.hpp"

#if __has_include(<nvml.h>)
#define NVML_NO_UNVERSIONED_FUNC_DEFS  // every version under its own name
#include <nvml.h>
#define GPUTOP_HAS_NVML_HEADER 1
#endif

namespace gputop::nvml {

static_assert(sizeof(Code) == 4);
static_assert(sizeof(Utilization) == 8);
static_assert(sizeof(Memory) == 24 && offsetof(Memory, free) == 8 && offsetof(Memory, used) == 16);
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, total) == 8 && offsetof(MemoryV2, reserved) == 16 &&
              offsetof(MemoryV2, free) == 24 && offsetof(MemoryV2, used) == 32);
static_assert(version_of<MemoryV2>(2) == 0x02000028);
static_assert(sizeof(TemperatureV1) == 12);
static_assert(sizeof(GpmMetric) == 40 && offsetof(GpmMetric, value) == 8 && offsetof(GpmMetricsGet, sample1) == 8 &&
              offsetof(GpmMetricsGet, metrics) == 24 && sizeof(GpmSupport) == 8);
static_assert(sizeof(MarginTemperatureV1) == 8 && version_of<MarginTemperatureV1>(1) == 0x01000008);
static_assert(sizeof(PciInfo) == 68 && offsetof(PciInfo, domain) == 16 && offsetof(PciInfo, bus_id) == 36);
static_assert(sizeof(ProcessInfoV1) == 16 && offsetof(ProcessInfoV1, used_memory) == 8);
static_assert(sizeof(ProcessInfo) == 24 && offsetof(ProcessInfo, used_memory) == 8 &&
              offsetof(ProcessInfo, gpu_instance) == 16 && offsetof(ProcessInfo, compute_instance) == 20);
static_assert(sizeof(ProcessInfo535) == 32 && offsetof(ProcessInfo535, protected_memory) == 24);
static_assert(sizeof(ProcessUtilizationSample) == 32 && offsetof(ProcessUtilizationSample, time_us) == 8 &&
              offsetof(ProcessUtilizationSample, sm) == 16 && offsetof(ProcessUtilizationSample, memory) == 20 &&
              offsetof(ProcessUtilizationSample, encoder) == 24 && offsetof(ProcessUtilizationSample, decoder) == 28);
static_assert(sizeof(FieldValue) == 40 && offsetof(FieldValue, type) == 24 && offsetof(FieldValue, code) == 28 &&
              offsetof(FieldValue, value) == 32);
static_assert(sizeof(EventData) == 32 && offsetof(EventData, type) == 8 && offsetof(EventData, data) == 16);
static_assert(sizeof(DeviceAttributes) == 40 && offsetof(DeviceAttributes, memory_mib) == 32);

#ifdef GPUTOP_HAS_NVML_HEADER
namespace {

// Two functions take the same: as many arguments, each as large, each a pointer where the other is one.
template <class Ours, class Theirs>
struct SameShape : std::false_type {};
template <class... Ours, class... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct SameShape<Function<Ours...>, nvmlReturn_t (*)(Theirs...)>
    : std::bool_constant<((sizeof(Ours) == sizeof(Theirs) &&
                           std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>)&&...)> {
};

}  // namespace

#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(ours, member, theirs, their_member) \
  static_assert(offsetof(ours, member) == offsetof(theirs, their_member))
SAME_SIZE(Utilization, nvmlUtilization_t);
SAME_PLACE(Utilization, memory, nvmlUtilization_t, memory);
SAME_SIZE(Memory, nvmlMemory_t);
SAME_PLACE(Memory, used, nvmlMemory_t, used);
SAME_SIZE(MemoryV2, nvmlMemory_v2_t);
SAME_PLACE(MemoryV2, reserved, nvmlMemory_v2_t, reserved);
SAME_PLACE(MemoryV2, used, nvmlMemory_v2_t, used);
static_assert(version_of<MemoryV2>(2) == nvmlMemory_v2);
SAME_SIZE(PciInfo, nvmlPciInfo_t);
SAME_PLACE(PciInfo, bus_id, nvmlPciInfo_t, busId);
SAME_SIZE(ProcessInfoV1, nvmlProcessInfo_v1_t);
SAME_SIZE(ProcessInfo, nvmlProcessInfo_v2_t);
SAME_PLACE(ProcessInfo, gpu_instance, nvmlProcessInfo_v2_t, gpuInstanceId);
SAME_SIZE(ProcessUtilizationSample, nvmlProcessUtilizationSample_t);
SAME_PLACE(ProcessUtilizationSample, sm, nvmlProcessUtilizationSample_t, smUtil);
SAME_PLACE(ProcessUtilizationSample, encoder, nvmlProcessUtilizationSample_t, encUtil);
SAME_SIZE(FieldValue, nvmlFieldValue_t);
SAME_PLACE(FieldValue, code, nvmlFieldValue_t, nvmlReturn);
SAME_SIZE(EventData, nvmlEventData_t);
SAME_PLACE(EventData, data, nvmlEventData_t, eventData);
SAME_SIZE(DeviceAttributes, nvmlDeviceAttributes_t);
SAME_PLACE(DeviceAttributes, memory_mib, nvmlDeviceAttributes_t, memorySizeMB);

static_assert(
    int(Code::kNotSupported) == NVML_ERROR_NOT_SUPPORTED && int(Code::kNoPermission) == NVML_ERROR_NO_PERMISSION &&
    int(Code::kNotFound) == NVML_ERROR_NOT_FOUND && int(Code::kInsufficientSize) == NVML_ERROR_INSUFFICIENT_SIZE &&
    int(Code::kDriverNotLoaded) == NVML_ERROR_DRIVER_NOT_LOADED && int(Code::kTimeout) == NVML_ERROR_TIMEOUT &&
    int(Code::kFunctionNotFound) == NVML_ERROR_FUNCTION_NOT_FOUND && int(Code::kGpuIsLost) == NVML_ERROR_GPU_IS_LOST &&
    int(Code::kVersionMismatch) == NVML_ERROR_LIB_RM_VERSION_MISMATCH && int(Code::kUnknown) == NVML_ERROR_UNKNOWN &&
    int(Code::kArgumentVersionMismatch) == NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
static_assert(kClockSm == NVML_CLOCK_SM && kClockGraphics == NVML_CLOCK_GRAPHICS && kClockMemory == NVML_CLOCK_MEM);
static_assert(kTemperatureGpu == NVML_TEMPERATURE_GPU && kThresholdSlowdown == NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
static_assert(kPcieTransmit == NVML_PCIE_UTIL_TX_BYTES && kPcieReceive == NVML_PCIE_UTIL_RX_BYTES);
static_assert(kEccCorrected == NVML_MEMORY_ERROR_TYPE_CORRECTED &&
              kEccUncorrected == NVML_MEMORY_ERROR_TYPE_UNCORRECTED && kEccVolatile == NVML_VOLATILE_ECC);
static_assert(kPstateUnknown == NVML_PSTATE_UNKNOWN && kMostNvLinks == NVML_NVLINK_MAX_LINKS);
static_assert(kEventDoubleBitEcc == nvmlEventTypeDoubleBitEccError && kEventXid == nvmlEventTypeXidCriticalError);
static_assert(kFieldNvLinkCrcFlitErrors == NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL &&
              kFieldNvLinkCrcDataErrors == NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL &&
              kFieldNvLinkReplayErrors == NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL &&
              kFieldNvLinkRecoveryErrors == NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL &&
              kFieldNvLinkCount == NVML_FI_DEV_NVLINK_LINK_COUNT);
static_assert(int(ValueType::kUnsigned) == NVML_VALUE_TYPE_UNSIGNED_INT &&
              int(ValueType::kUnsignedLongLong) == NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);

#define SAME_SHAPE(function) static_assert(SameShape<decltype(Api::function), decltype(&::function)>::value)
SAME_SHAPE(nvmlInit_v2);
SAME_SHAPE(nvmlSystemGetDriverVersion);
SAME_SHAPE(nvmlDeviceGetCount_v2);
SAME_SHAPE(nvmlDeviceGetHandleByIndex_v2);
SAME_SHAPE(nvmlDeviceGetHandleByUUID);
SAME_SHAPE(nvmlDeviceGetHandleByPciBusId_v2);
SAME_SHAPE(nvmlDeviceGetName);
SAME_SHAPE(nvmlDeviceGetUUID);
SAME_SHAPE(nvmlDeviceGetPciInfo_v3);
SAME_SHAPE(nvmlDeviceGetCudaComputeCapability);
SAME_SHAPE(nvmlDeviceGetUtilizationRates);
SAME_SHAPE(nvmlDeviceGetMemoryInfo_v2);
SAME_SHAPE(nvmlDeviceGetMemoryInfo);
SAME_SHAPE(nvmlDeviceGetClockInfo);
SAME_SHAPE(nvmlDeviceGetMaxClockInfo);
SAME_SHAPE(nvmlDeviceGetTemperature);
SAME_SHAPE(nvmlDeviceGetTemperatureThreshold);
SAME_SHAPE(nvmlDeviceGetPowerUsage);
SAME_SHAPE(nvmlDeviceGetEnforcedPowerLimit);
SAME_SHAPE(nvmlDeviceGetPowerManagementLimit);
SAME_SHAPE(nvmlDeviceGetPowerManagementLimitConstraints);
SAME_SHAPE(nvmlDeviceGetTotalEnergyConsumption);
SAME_SHAPE(nvmlDeviceGetCurrentClocksEventReasons);
SAME_SHAPE(nvmlDeviceGetCurrentClocksThrottleReasons);
SAME_SHAPE(nvmlDeviceGetPerformanceState);
SAME_SHAPE(nvmlDeviceGetPowerState);
SAME_SHAPE(nvmlDeviceGetEncoderUtilization);
SAME_SHAPE(nvmlDeviceGetDecoderUtilization);
SAME_SHAPE(nvmlDeviceGetFanSpeed);
SAME_SHAPE(nvmlDeviceGetFanSpeed_v2);
SAME_SHAPE(nvmlDeviceGetPersistenceMode);
SAME_SHAPE(nvmlDeviceGetTotalEccErrors);
SAME_SHAPE(nvmlDeviceGetPcieThroughput);
SAME_SHAPE(nvmlDeviceGetCurrPcieLinkGeneration);
SAME_SHAPE(nvmlDeviceGetCurrPcieLinkWidth);
SAME_SHAPE(nvmlDeviceGetMaxPcieLinkGeneration);
SAME_SHAPE(nvmlDeviceGetMaxPcieLinkWidth);
SAME_SHAPE(nvmlDeviceGetNvLinkState);
SAME_SHAPE(nvmlDeviceGetNvLinkErrorCounter);
SAME_SHAPE(nvmlDeviceGetFieldValues);
#ifdef NVML_FI_DEV_PCIE_COUNT_TX_BYTES  // a header of driver 555 or newer
static_assert(kFieldPcieTransmitBytes == NVML_FI_DEV_PCIE_COUNT_TX_BYTES &&
              kFieldPcieReceiveBytes == NVML_FI_DEV_PCIE_COUNT_RX_BYTES &&
              kFieldPowerCapTime == NVML_FI_DEV_PERF_POLICY_POWER &&
              kFieldMemoryTemperature == NVML_FI_DEV_MEMORY_TEMP &&
              kFieldNvLinkTransmitData == NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX &&
              kFieldNvLinkReceiveData == NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_RX);
SAME_SIZE(GpmMetric, nvmlGpmMetric_t);
SAME_PLACE(GpmMetric, value, nvmlGpmMetric_t, value);
SAME_PLACE(GpmMetricsGet, metrics, nvmlGpmMetricsGet_t, metrics);
static_assert(sizeof(GpmMetricsGet) >= sizeof(nvmlGpmMetricsGet_t));
SAME_SIZE(GpmSupport, nvmlGpmSupport_t);
static_assert(kGpmMetricsGetVersion == NVML_GPM_METRICS_GET_VERSION && kGpmSupportVersion == NVML_GPM_SUPPORT_VERSION &&
              kGpmSmUtil == NVML_GPM_METRIC_SM_UTIL && kGpmSmOccupancy == NVML_GPM_METRIC_SM_OCCUPANCY &&
              kGpmAnyTensor == NVML_GPM_METRIC_ANY_TENSOR_UTIL && kGpmDramBandwidth == NVML_GPM_METRIC_DRAM_BW_UTIL);
SAME_SHAPE(nvmlGpmQueryDeviceSupport);
SAME_SHAPE(nvmlGpmSampleAlloc);
SAME_SHAPE(nvmlGpmSampleGet);
SAME_SHAPE(nvmlGpmMigSampleGet);
SAME_SHAPE(nvmlGpmMetricsGet);
SAME_SHAPE(nvmlDeviceGetPowerManagementDefaultLimit);
SAME_SHAPE(nvmlDeviceGetEccMode);
SAME_SHAPE(nvmlDeviceGetRetiredPagesPendingStatus);
SAME_SHAPE(nvmlDeviceGetRemappedRows);
SAME_SHAPE(nvmlDeviceGetPcieReplayCounter);
SAME_SHAPE(nvmlDeviceGetComputeMode);
#endif
SAME_SHAPE(nvmlDeviceGetMigMode);
SAME_SHAPE(nvmlDeviceGetMaxMigDeviceCount);
SAME_SHAPE(nvmlDeviceGetMigDeviceHandleByIndex);
SAME_SHAPE(nvmlDeviceGetGpuInstanceId);
SAME_SHAPE(nvmlDeviceGetComputeInstanceId);
SAME_SHAPE(nvmlDeviceGetAttributes_v2);
SAME_SHAPE(nvmlDeviceGetComputeRunningProcesses_v3);
SAME_SHAPE(nvmlDeviceGetGraphicsRunningProcesses_v3);
SAME_SHAPE(nvmlDeviceGetMPSComputeRunningProcesses_v3);
SAME_SHAPE(nvmlDeviceGetProcessUtilization);
SAME_SHAPE(nvmlEventSetCreate);
SAME_SHAPE(nvmlEventSetFree);
SAME_SHAPE(nvmlDeviceGetSupportedEventTypes);
SAME_SHAPE(nvmlDeviceRegisterEvents);
SAME_SHAPE(nvmlEventSetWait_v2);
#endif

}  // namespace gputop::nvml

// The checks above are the compiler's; this says in the test's output which of them were made.
TEST_CASE("nvml: the binary interface is as pinned", "[nvml]") {
#ifdef GPUTOP_HAS_NVML_HEADER
  WARN("compared with NVIDIA's nvml.h, API version " << NVML_API_VERSION);
#endif
  CHECK(gputop::nvml::version_of<gputop::nvml::MemoryV2>(2) == 0x02000028);
}
