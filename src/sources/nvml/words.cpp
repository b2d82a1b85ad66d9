#include "sources/nvml/words.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gputop::nvml {
namespace {

constexpr std::array<std::pair<Code, std::string_view>, 27> kWords{{
    {Code::kSuccess, "success"},
    {Code::kUninitialized, "NVML is not initialised"},
    {Code::kInvalidArgument, "invalid argument"},
    {Code::kNotSupported, "not supported"},
    {Code::kNoPermission, "no permission"},
    {Code::kNotFound, "not found"},
    {Code::kInsufficientSize, "buffer too small"},
    {Code::kInsufficientPower, "external power cables are not attached"},
    {Code::kDriverNotLoaded, "driver not loaded"},
    {Code::kTimeout, "timeout"},
    {Code::kIrqIssue, "interrupt problem"},
    {Code::kLibraryNotFound, "library not found"},
    {Code::kFunctionNotFound, "function not found"},
    {Code::kCorruptedInforom, "corrupted infoROM"},
    {Code::kGpuIsLost, "GPU is lost"},
    {Code::kResetRequired, "GPU needs a reset"},
    {Code::kOperatingSystem, "blocked by the operating system"},
    {Code::kVersionMismatch, "driver and library versions differ"},
    {Code::kInUse, "in use"},
    {Code::kMemory, "out of memory"},
    {Code::kNoData, "no data"},
    {Code::kInsufficientResources, "out of resources"},
    {Code::kArgumentVersionMismatch, "argument version not known"},
    {Code::kDeprecated, "deprecated"},
    {Code::kNotReady, "not ready"},
    {Code::kGpuNotFound, "no GPU found"},
    {Code::kUnknown, "unknown error"},
}};

constexpr std::array<std::pair<std::uint64_t, std::string_view>, 20> kXids{{
    {8, "GPU stopped processing"},
    {13, "graphics engine exception, usually the application's fault"},
    {31, "GPU memory page fault, usually the application's fault"},
    {32, "invalid or corrupted push buffer"},
    {38, "driver firmware error"},
    {43, "GPU stopped processing, usually the application's fault"},
    {45, "the application's channels were torn down"},
    {48, "double-bit ECC error"},
    {61, "internal micro-controller breakpoint"},
    {62, "internal micro-controller halt"},
    {63, "memory page retired or row remapped"},
    {64, "memory page retirement or row remapping failed"},
    {69, "graphics engine class error"},
    {74, "NVLink error"},
    {79, "GPU has fallen off the bus"},
    {92, "high rate of single-bit ECC errors"},
    {94, "contained memory error"},
    {95, "uncontained memory error: the GPU needs a reset"},
    {119, "GPU system processor (GSP) timeout"},
    {120, "GPU system processor (GSP) error"},
}};

template <class Table, class Key>
std::string_view find(const Table& table, Key key) {
  const auto found = std::find_if(table.begin(), table.end(), [key](const auto& entry) { return entry.first == key; });
  return found == table.end() ? std::string_view{} : found->second;
}

}  // namespace

std::string in_words(Code code) {
  const auto number = std::to_string(static_cast<int>(code));
  const auto words = find(kWords, code);
  return words.empty() ? "error " + number : std::string{words} + " (" + number + ")";
}

bool is_silent(Code code) {
  switch (code) {
    case Code::kSuccess:
    case Code::kNotSupported:
    case Code::kNotFound:
    case Code::kFunctionNotFound:
    case Code::kNoData:
    case Code::kArgumentVersionMismatch:
    case Code::kDeprecated:
    case Code::kNotReady: return true;
    default: return false;
  }
}

bool deserves_fallback(Code code) {
  return code == Code::kNotSupported || code == Code::kInvalidArgument || code == Code::kFunctionNotFound ||
         code == Code::kArgumentVersionMismatch || code == Code::kDeprecated;
}

std::string why_unavailable(Code code, std::string_view call) {
  const std::string what = std::string{call} + ": " + in_words(code);
  switch (code) {
    case Code::kDriverNotLoaded:
      return "the NVIDIA driver is not loaded (" + what +
             "): load it (modprobe nvidia), or is there no NVIDIA GPU here?";
    case Code::kVersionMismatch:
      return "the NVIDIA kernel driver and its library have different versions (" + what +
             "): the driver was updated while it was loaded; reboot, or unload and load its modules";
    case Code::kNoPermission:
      return "no permission to talk to the NVIDIA driver (" + what +
             "): check the rights of /dev/nvidiactl and /dev/nvidia0 (group video), or the container's device rules";
    case Code::kOperatingSystem:
      return "the operating system blocks the NVIDIA driver (" + what +
             "): check the control group's device rules; in a container, restart it";
    case Code::kGpuNotFound:
    case Code::kNotFound: return "the NVIDIA driver is there but has no GPU (" + what + ")";
    case Code::kLibraryNotFound:
      return "a part of the NVIDIA driver's libraries is missing (" + what + "): reinstall the driver";
    default:
      return "NVML did not start (" + what + "): nvidia-smi and the kernel's log (dmesg | grep NVRM) may say more";
  }
}

bool worth_retrying(Code code) {
  return code != Code::kVersionMismatch;
}

std::string xid_in_words(std::uint64_t xid) {
  const auto words = find(kXids, xid);
  return "Xid " + std::to_string(xid) + (words.empty() ? "" : ": " + std::string{words});
}

}  // namespace gputop::nvml
