#include "sources/gpu_log/query_fields.hpp"

#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::gpu_log {
namespace {

struct QueryField {
  std::string_view column;
  std::string_view paths;  // separated by spaces
};
constexpr std::array<QueryField, kQueryFields> kFields{{
#define FIELD(column, paths) {column, paths},
#include "sources/gpu_log/query_fields.def"
#undef FIELD
}};

std::optional<std::size_t> rank_in(std::string_view paths, std::string_view path) {
  for (std::size_t rank = 0; !paths.empty(); ++rank) {
    const auto space = paths.find(' ');
    if (slice(paths, 0, space) == path) return rank;
    skip_front(paths, space == std::string_view::npos ? paths.size() : space + 1);
  }
  return std::nullopt;
}

}  // namespace

void QueriedGpu::take(std::string_view path, std::string_view value) {
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    const auto rank = rank_in(kFields[i].paths, path);
    if (!rank) continue;
    empty_ = false;
    auto cell = smi::parse_cell(value);
    const bool known = !cell.text.empty() || !cell.failure.empty();
    if (known && (!found_[i] || *rank < found_[i]->rank)) found_[i] = Found{*rank, std::move(cell)};
    return;
  }
}

LogReading QueriedGpu::reading(unsigned index) const {
  LogReading reading;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (found_[i]) reading.put(kFields[i].column, found_[i]->cell);
  }
  reading.gpu.index = index;
  reading.gpu.name = printable(reading.gpu.name);
  reading.gpu.uuid = printable(reading.gpu.uuid);
  return reading;
}

}  // namespace gputop::gpu_log
