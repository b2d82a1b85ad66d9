#include "sources/nvml/reader.hpp"

#include <utility>

namespace gputop::nvml {

std::shared_ptr<Handle> look_up(const Session& session,
                                Watch& watch,
                                unsigned index,
                                Identity& identity,
                                std::string& why,
                                Code& code) {
  Device device = nullptr;
  code = session.look_up(watch, index, identity, device);
  if (code != Code::kSuccess || device == nullptr) {
    why = "no handle: " + in_words(code);
    return nullptr;
  }
  auto handle = std::make_shared<Handle>(device);
  Calls calls{watch, *handle};
  identity = session.identify(calls);
  if (!calls.lost()) return handle;
  code = Code::kGpuIsLost;
  return nullptr;
}

void read_slow(const Session& session, Watch& watch, GpuSlot& slot, Handle& handle, bool settings) {
  Calls calls{watch, handle};
  slot.slow_reader.read_fixed(session.api(), calls, slot.slow_scratch);
  if (settings) slot.slow_reader.read_settings(session.api(), calls, slot.slow_scratch);
  slot.slow_reader.read_often(session.api(), calls, slot.slow_scratch);
  slot.slow_scratch.error = calls.problem();
}

Result<NvmlReader> NvmlReader::open(const std::string& library) {
  NvmlReader reader;
  Watch watch;
  if (const auto unavailable = reader.session_.open(library, watch)) {
    return Error{Error::Kind::kUnavailable, unavailable->why};
  }
  for (unsigned index = 0; index < reader.session_.count(); ++index) {
    auto& slot = reader.slots_.emplace_back(index);
    std::string why;
    Code code{};
    slot.handle = look_up(reader.session_, watch, index, slot.identity, why, code);
    if (!slot.handle) return Error{Error::Kind::kLost, "GPU " + std::to_string(index) + ": " + why};
  }
  return reader;
}

std::vector<GpuReading> NvmlReader::read_all() {
  Watch watch;
  std::vector<GpuReading> gpus;
  gpus.reserve(slots_.size());
  for (auto& slot : slots_) {
    Calls calls{watch, *slot.handle};
    slot.fast = slot.fast_reader.read(session_.api(), calls);
    slot.trouble = calls.problem();
    read_slow(session_, watch, slot, *slot.handle, true);
    slot.slow_reader.read_throughput(session_.api(), calls, slot.slow_scratch);
    gpus.push_back(slot.reading({}, slot.slow_scratch));
  }
  return gpus;
}

std::vector<Device> NvmlReader::devices() const {
  std::vector<Device> devices;
  for (const auto& slot : slots_) devices.push_back(slot.handle->device);
  return devices;
}

}  // namespace gputop::nvml
