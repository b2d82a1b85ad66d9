#include "sources/nvml/session.hpp"

#include <array>
#include <cstring>

#include "sources/nvml/read.hpp"

namespace gputop::nvml {
namespace {

template <class... Params, class... Args>
Code call(Watch& watch, const Function<Params...>& function, Args... args) {
  if (!function) return Code::kFunctionNotFound;
  watch.enter(function.name);
  return function.pointer(args...);
}

// The newer function, or the older one if the library lacks it or the driver refuses it.
template <class... Params, class... Args>
Code call_either(Watch& watch, const Function<Params...>& newer, const Function<Params...>& older, Args... args) {
  const Code code = call(watch, newer, args...);
  return deserves_fallback(code) && older ? call(watch, older, args...) : code;
}

const char* name_of(const Function<>& newer, const Function<>& older) {
  return newer ? newer.name : older.name;
}

}  // namespace

std::optional<Unavailable> Session::open(const std::string& library,
                                         Watch& watch,
                                         const std::vector<std::string>& avoid) {
  if (!loaded_) {
    watch.enter("dlopen");
    auto api = load_api(library, avoid);
    if (!api) return Unavailable{api.error().message, true};
    api_ = *api;
    loaded_ = true;
  }
  if (!initialised_) {
    const Code code = initialise_again(watch);
    if (code != Code::kSuccess) {
      return Unavailable{why_unavailable(code, name_of(api_.nvmlInit_v2, api_.nvmlInit)), worth_retrying(code)};
    }
    initialised_ = true;
  }
  std::array<char, kVersionLength> version{};
  if (call(watch, api_.nvmlSystemGetDriverVersion, version.data(), static_cast<unsigned>(version.size() - 1)) ==
      Code::kSuccess) {
    driver_version_ = printable(version.data());
  }
  unsigned count = 0;
  const Code code = call_either(watch, api_.nvmlDeviceGetCount_v2, api_.nvmlDeviceGetCount, &count);
  if (code != Code::kSuccess) return Unavailable{why_unavailable(code, "nvmlDeviceGetCount_v2"), true};
  if (count == 0) {
    return Unavailable{"the NVIDIA driver" + (driver_version_.empty() ? "" : " " + driver_version_) +
                           " is loaded but reports no GPU: is it passed through to this machine or container?",
                       true};
  }
  count_ = count;
  return std::nullopt;
}

Code Session::initialise_again(Watch& watch) const {
  return call_either(watch, api_.nvmlInit_v2, api_.nvmlInit);
}

Code Session::look_up(Watch& watch, unsigned index, const Identity& known, Device& device) const {
  device = nullptr;
  if (known.uuid.empty() && known.bus_id.empty()) {
    return call_either(watch, api_.nvmlDeviceGetHandleByIndex_v2, api_.nvmlDeviceGetHandleByIndex, index, &device);
  }
  Code code = Code::kNotFound;
  if (!known.uuid.empty()) code = call(watch, api_.nvmlDeviceGetHandleByUUID, known.uuid.c_str(), &device);
  if (code != Code::kSuccess && !known.bus_id.empty()) {
    code = call_either(watch, api_.nvmlDeviceGetHandleByPciBusId_v2, api_.nvmlDeviceGetHandleByPciBusId,
                       known.bus_id.c_str(), &device);
  }
  return code;
}

Identity Session::identify(Calls& calls) const {
  Identity identity;
  identity.name = read_text<kNameLength>(calls, calls.device(), api_.nvmlDeviceGetName);
  identity.uuid = read_text<kUuidLength>(calls, calls.device(), api_.nvmlDeviceGetUUID);
  PciInfo pci{};
  Code code = calls(api_.nvmlDeviceGetPciInfo_v3, &pci);
  if (deserves_fallback(code)) code = calls(api_.nvmlDeviceGetPciInfo_v2, &pci);
  if (deserves_fallback(code)) code = calls(api_.nvmlDeviceGetPciInfo, &pci);
  if (code == Code::kSuccess) {
    const std::string long_id{pci.bus_id, ::strnlen(pci.bus_id, sizeof pci.bus_id)};
    const std::string short_id{pci.bus_id_legacy, ::strnlen(pci.bus_id_legacy, sizeof pci.bus_id_legacy)};
    identity.bus_id = printable(long_id.empty() ? short_id : long_id);
  }
  return identity;
}

}  // namespace gputop::nvml
