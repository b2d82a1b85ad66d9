#include <array>

#include "sources/nvml/read.hpp"
#include "sources/nvml/slow_reader.hpp"

namespace gputop::nvml {
namespace {

// Reads the errors of all links in one call.
Reading<std::uint64_t> read_error_fields(const Api& api, Calls& calls) {
  std::array<FieldValue, 4> fields{};
  constexpr std::array kIds{kFieldNvLinkCrcFlitErrors, kFieldNvLinkCrcDataErrors, kFieldNvLinkReplayErrors,
                            kFieldNvLinkRecoveryErrors};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].field = kIds[i];
    fields[i].code = Code::kNotSupported;
  }
  if (calls(api.nvmlDeviceGetFieldValues, static_cast<int>(fields.size()), fields.data()) != Code::kSuccess) {
    return std::nullopt;
  }
  Reading<std::uint64_t> errors;
  for (const auto& field : fields) {
    if (const auto count = field_count(field)) errors = errors.value_or(0) + *count;
  }
  return errors;
}

Reading<std::uint64_t> read_error_counters(const Api& api, Calls& calls, unsigned links) {
  constexpr int kCounters = 4;  // replay, recovery, CRC of flits, CRC of data
  Reading<std::uint64_t> errors;
  for (unsigned link = 0; link < links; ++link) {
    for (int counter = 0; counter < kCounters; ++counter) {
      unsigned long long count = 0;
      if (calls(api.nvmlDeviceGetNvLinkErrorCounter, link, counter, &count) == Code::kSuccess) {
        errors = errors.value_or(0) + count;
      }
    }
  }
  return errors;
}

}  // namespace

Reading<NvLinks> read_nvlinks(const Api& api, Calls& calls) {
  NvLinks links;
  for (unsigned link = 0; link < kMostNvLinks; ++link) {
    int active = 0;
    const char* const mark = calls.mark();
    const Code code = calls(api.nvmlDeviceGetNvLinkState, link, &active);
    if (code == Code::kInvalidArgument) calls.forget(mark);  // past the last link
    if (code != Code::kSuccess) break;
    ++links.total;
    if (active != 0) ++links.active;
  }
  if (links.total == 0) return std::nullopt;
  links.errors = read_error_fields(api, calls);
  if (!links.errors) links.errors = read_error_counters(api, calls, links.total);
  return links;
}

}  // namespace gputop::nvml
