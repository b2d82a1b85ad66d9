#include "sources/nvml/gpm.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "sources/nvml/read.hpp"

namespace gputop::nvml {
namespace {

Reading<Percent> percent(const GpmMetric& metric) {
  const bool sensible = metric.code == Code::kSuccess && std::isfinite(metric.value) && metric.value >= 0;
  if (!sensible) return std::nullopt;
  return Percent{std::min(metric.value, 100.0)};
}

}  // namespace

GpuActivity GpmReader::read(const Api& api, Calls& calls) {
  if (state_ == State::kRefused) return {};
  const char* const mark = calls.mark();
  if (state_ == State::kNotAsked) state_ = prepare(api, calls) ? State::kWorks : State::kRefused;
  if (state_ == State::kRefused) {
    calls.forget(mark);  // most GPUs have no GPM: not an error
    return {};
  }
  const Code code = take(api, calls, samples_[next_]);
  if (code != Code::kSuccess) {
    calls.forget(mark);
    if (!has_first_ && code != Code::kGpuIsLost) state_ = State::kRefused;
    has_first_ = false;
    return {};
  }
  next_ = 1 - next_;
  if (!std::exchange(has_first_, true)) return {};
  constexpr std::array kIds{kGpmSmUtil, kGpmSmOccupancy, kGpmAnyTensor, kGpmDramBandwidth};
  const auto request = std::make_unique<GpmMetricsGet>();  // 20 kB
  request->version = kGpmMetricsGetVersion;
  request->count = kIds.size();
  request->sample1 = samples_[next_];  // the older one
  request->sample2 = samples_[1 - next_];
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    request->metrics[i].id = kIds[i];
    request->metrics[i].code = Code::kNotSupported;
  }
  if (calls.without_device(api.nvmlGpmMetricsGet, request.get()) != Code::kSuccess) {
    calls.forget(mark);
    return {};
  }
  return {.sm = percent(request->metrics[0]),
          .occupancy = percent(request->metrics[1]),
          .tensor = percent(request->metrics[2]),
          .dram = percent(request->metrics[3])};
}

bool GpmReader::prepare(const Api& api, Calls& calls) {
  GpmSupport support{.version = kGpmSupportVersion, .supported = 0};
  if (calls(api.nvmlGpmQueryDeviceSupport, &support) != Code::kSuccess || support.supported == 0) return false;
  for (auto& sample : samples_) {
    if (calls.without_device(api.nvmlGpmSampleAlloc, &sample) != Code::kSuccess || sample == nullptr) return false;
  }
  return true;
}

Code GpmReader::take(const Api& api, Calls& calls, GpmSample sample) const {
  return instance_ == kNoInstance ? calls(api.nvmlGpmSampleGet, sample)
                                  : calls(api.nvmlGpmMigSampleGet, instance_, sample);
}

}  // namespace gputop::nvml
