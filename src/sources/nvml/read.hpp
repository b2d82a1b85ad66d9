// Helpers for the readers: one NVML call → one Reading.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "gputop/core/format.hpp"
#include "gputop/core/reading.hpp"
#include "sources/nvml/calls.hpp"

namespace gputop::nvml {

// For calls whose last argument receives the number. Divides NVML's unit by `divisor` (mW → W: 1000).
template <class Quantity, class Raw = unsigned, class... Params, class... Args>
Reading<Quantity> read_number(Calls& calls, double divisor, const Function<Device, Params...>& function, Args... args) {
  Raw raw{};
  if (calls(function, args..., &raw) != Code::kSuccess) return std::nullopt;
  return Quantity{static_cast<double>(raw) / divisor};
}

template <class Raw, class... Params, class... Args>
Reading<Raw> read_raw(Calls& calls, const Function<Device, Params...>& function, Args... args) {
  Raw raw{};
  if (calls(function, args..., &raw) != Code::kSuccess) return std::nullopt;
  return raw;
}

// A field value that is a count; unknown if the driver refused it or returned another type.
inline Reading<std::uint64_t> field_count(const FieldValue& field) {
  if (field.code != Code::kSuccess) return std::nullopt;
  switch (field.type) {
    case ValueType::kUnsigned: return field.value.as_unsigned;
    case ValueType::kUnsignedLong:
    case ValueType::kUnsignedLongLong: return field.value.as_unsigned_long_long;
    default: return std::nullopt;
  }
}

// "" if the driver does not report it. Control characters and invalid UTF-8 are made visible, because the text ends up
// on a screen and in JSON.
template <std::size_t Length>
std::string read_text(Calls& calls, Device device, const Function<Device, char*, unsigned>& function) {
  std::array<char, Length> text{};
  if (calls.on(device, function, text.data(), static_cast<unsigned>(text.size() - 1)) != Code::kSuccess) return {};
  return printable(text.data());
}

// Calls the newer function, or the older one if the driver refuses the newer. Remembers a refusal, so it costs only one
// call. Both are callables that return a Code.
template <class Newer, class Older>
Code newer_or_older(Calls& calls, bool& newer_refused, Newer newer, Older older) {
  if (newer_refused) return older();
  const char* const mark = calls.mark();
  const Code code = newer();
  if (code == Code::kSuccess || code == Code::kGpuIsLost) return code;
  const Code older_code = older();
  if (older_code != Code::kSuccess) return older_code == Code::kGpuIsLost ? older_code : code;
  calls.forget(mark);
  newer_refused = deserves_fallback(code);
  return Code::kSuccess;
}

}  // namespace gputop::nvml
