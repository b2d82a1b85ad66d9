// One GPU as nvidia-smi -q describes it: paths and values, from text or XML.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "sources/gpu_log/log_reading.hpp"

namespace gputop::gpu_log {

inline constexpr std::size_t kQueryFields = [] {
  std::size_t count = 0;
#define FIELD(...) ++count;
#include "sources/gpu_log/query_fields.def"
#undef FIELD
  return count;
}();

class QueriedGpu {
 public:
  // Ignores values that we do not read.
  void take(std::string_view path, std::string_view value);
  [[nodiscard]] bool empty() const { return empty_; }
  [[nodiscard]] LogReading reading(unsigned index) const;

 private:
  struct Found {
    std::size_t rank = 0;
    smi::Cell cell;
  };
  std::array<std::optional<Found>, kQueryFields> found_;
  bool empty_ = true;
};

}  // namespace gputop::gpu_log
