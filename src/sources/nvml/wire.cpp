#include "sources/nvml/wire.hpp"

#include <cstring>
#include <type_traits>

#include "gputop/core/format.hpp"

namespace gputop::nvml {
namespace {

constexpr std::size_t kMostItems = 4096;
constexpr std::size_t kMostText = 16 * 1024;

class WireWriter {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(bool value) { (*this)(static_cast<std::uint8_t>(value)); }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(value.has_value());
    if (value) put(*value);
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    (*this)(static_cast<std::uint32_t>(items.size()));
    for (const auto& item : items) put(item);
  }
  template <class T>
  void put(const T& value);
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool whole() const { return good_ && bytes_.empty(); }

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() < sizeof value) return fail();
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.substr(sizeof value);
  }
  void operator()(bool& value) {
    std::uint8_t raw = 0;
    (*this)(raw);
    value = raw != 0;
  }
  void operator()(std::string& text) {
    std::uint32_t size = 0;
    (*this)(size);
    if (size > kMostText || size > bytes_.size()) return fail();
    text = printable(bytes_.substr(0, size));
    bytes_ = bytes_.substr(size);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    bool there = false;
    (*this)(there);
    value.reset();
    if (there && good_) get(value.emplace());
  }
  template <class T>
  void operator()(std::vector<T>& items) {
    std::uint32_t count = 0;
    (*this)(count);
    if (count > kMostItems || count > bytes_.size()) return fail();
    items.clear();
    for (std::uint32_t i = 0; i < count && good_; ++i) get(items.emplace_back());
  }
  template <class T>
  void get(T& value);
  // An enumeration with values up to `last`.
  template <class Enum>
  void bound(Enum value, Enum last) {
    if (value > last) fail();
  }

 private:
  void fail() {
    good_ = false;
    bytes_ = {};
  }
  std::string_view bytes_;
  bool good_ = true;
};

// One list of members for both directions.
template <class Io, class Of>
void members(Io& io, Of& of) {
  using T = std::remove_const_t<Of>;
  if constexpr (std::is_same_v<T, PcieLink>) {
    io(of.generation), io(of.width), io(of.max_generation), io(of.max_width);
  } else if constexpr (std::is_same_v<T, GpuHealth>) {
    io(of.default_power_limit), io(of.thermal_margin), io(of.ecc_enabled), io(of.ecc_pending), io(of.pages_pending);
    io(of.remap_pending), io(of.remap_failed), io(of.recovery_action), io(of.pcie_replays), io(of.compute_mode);
  } else if constexpr (std::is_same_v<T, GpuActivity>) {
    io(of.sm), io(of.occupancy), io(of.tensor), io(of.dram);
  } else if constexpr (std::is_same_v<T, SlowedTime>) {
    io(of.power_cap), io(of.software_thermal), io(of.hardware_thermal), io(of.power_brake);
  } else if constexpr (std::is_same_v<T, NvLinks>) {
    io(of.active), io(of.total), io(of.errors);
  } else if constexpr (std::is_same_v<T, MigInstance>) {
    io(of.index), io(of.name), io(of.uuid), io(of.gpu_instance), io(of.compute_instance);
    io(of.memory_used), io(of.memory_total), io(of.multiprocessors), members(io, of.activity);
  } else if constexpr (std::is_same_v<T, GpuProcess>) {
    io(of.pid), io(of.type), io(of.memory_used), io(of.utilization), io(of.encoder), io(of.decoder);
  } else if constexpr (std::is_same_v<T, GpuReading>) {
    io(of.index), io(of.name), io(of.uuid), io(of.pci_bus_id), io(of.state), io(of.error);
    io(of.utilization), io(of.memory_utilization), io(of.encoder), io(of.decoder);
    io(of.memory_used), io(of.memory_total), io(of.memory_reserved);
    io(of.temperature), io(of.slowdown_temperature), io(of.memory_temperature), io(of.fan);
    io(of.power), io(of.power_limit), io(of.max_power_limit), io(of.energy);
    io(of.sm_clock), io(of.memory_clock), io(of.max_sm_clock), io(of.max_memory_clock);
    io(of.pcie_rx), io(of.pcie_tx), io(of.nvlink_rx), io(of.nvlink_tx), members(io, of.pcie);
    members(io, of.slowed), members(io, of.activity);
    io(of.performance_state), io(of.persistence), io(of.throttle), io(of.ecc_corrected), io(of.ecc_uncorrected);
    io(of.compute_capability), members(io, of.health), io(of.nvlink), io(of.mig_enabled), io(of.mig), io(of.processes);
  } else if constexpr (std::is_same_v<T, SourceStatus>) {
    io(of.source), io(of.state), io(of.message), io(of.driver_version), io(of.simulated), io(of.waited_for);
  } else if constexpr (std::is_same_v<T, GpusSampled>) {
    io(of.gpus);
  } else if constexpr (std::is_same_v<T, GpuHappened>) {
    io(of.index), io(of.kind), io(of.code), io(of.text);
  } else if constexpr (std::is_same_v<T, Noted>) {
    io(of.severity), io(of.text);
  } else {
    io(of);
  }
  if constexpr (std::is_same_v<Io, WireReader>) {
    if constexpr (std::is_same_v<T, GpuProcess>) io.bound(of.type, GpuProcessType::kBoth);
    if constexpr (std::is_same_v<T, GpuReading>) io.bound(of.state, GpuState::kFailed);
    if constexpr (std::is_same_v<T, SourceStatus>) io.bound(of.state, SourceStatus::State::kUnavailable);
    if constexpr (std::is_same_v<T, GpuHappened>) io.bound(of.kind, GpuHappened::Kind::kSensorError);
    if constexpr (std::is_same_v<T, Noted>) io.bound(of.severity, Noted::Severity::kError);
  }
}

template <class T>
void WireWriter::put(const T& value) {
  members(*this, value);
}
template <class T>
void WireReader::get(T& value) {
  members(*this, value);
}

template <class Kind>
bool write_if(const Event& event, char letter, WireWriter& writer) {
  const auto* payload = std::get_if<Kind>(&event.payload);
  if (payload == nullptr) return false;
  writer(letter);
  writer(event.at.time_since_epoch().count());
  writer.put(*payload);
  return true;
}

template <class Kind>
std::optional<Event> read(Instant at, WireReader& reader) {
  Kind payload{};
  reader.get(payload);
  return reader.whole() ? std::optional{Event{at, std::move(payload)}} : std::nullopt;
}

}  // namespace

std::string encode_event(const Event& event) {
  WireWriter writer;
  static_cast<void>(write_if<SourceStatus>(event, 's', writer) || write_if<GpusSampled>(event, 'g', writer) ||
                    write_if<GpuHappened>(event, 'h', writer) || write_if<Noted>(event, 'n', writer));
  return std::move(writer.bytes_);
}

std::optional<Event> decode_event(std::string_view bytes) {
  WireReader reader{bytes};
  char letter = 0;
  Instant::rep since = 0;
  reader(letter);
  reader(since);
  const Instant at{Instant::duration{since}};
  switch (letter) {
    case 's': return read<SourceStatus>(at, reader);
    case 'g': return read<GpusSampled>(at, reader);
    case 'h': return read<GpuHappened>(at, reader);
    case 'n': return read<Noted>(at, reader);
    default: return std::nullopt;
  }
}

}  // namespace gputop::nvml
