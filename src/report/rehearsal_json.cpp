#include <cmath>
#include <nlohmann/json.hpp>

#include "gputop/core/format.hpp"
#include "report/rehearsal_text.hpp"

namespace gputop {

nlohmann::ordered_json rehearsal_json(const Estimate& estimate) {
  using Json = nlohmann::ordered_json;
  if (!estimate.rehearsal) return nullptr;
  const auto& answer = *estimate.rehearsal;
  const auto& memory = answer.memory;
  Json kinds = Json::object();
  for (std::size_t i = 0; i < kStorageKinds; ++i)
    kinds[std::string{to_string(static_cast<StorageKind>(i))} + "_bytes"] = memory.at_peak.at(i).value();
  Json lines = Json::array();
  for (const auto& site : memory.sites) lines.push_back({{"line", printable(site.site)}, {"bytes", site.bytes.value()}});
  Json points = Json::array();
  for (const auto& [batch, total] : answer.points) points.push_back({{"batch_size", batch}, {"total_bytes", total.value()}});
  Json changed = Json::array();
  for (const auto& other : answer.what_if)
    changed.push_back({{"change", other.name}, {"total_bytes", other.total.value()}, {"fits", estimate.gpu ? Json(other.fits) : Json(nullptr)}});
  Json timeline = Json::array();
  for (const auto& moment : memory.timeline)
    timeline.push_back({moment.allocated.value(), moment.reserved.value(), to_string(moment.phase), moment.step});
  return {{"verdict", estimate.gpu ? Json(to_string(answer.verdict)) : Json(nullptr)},
          {"oom_chance", answer.oom_chance ? Json(std::round(*answer.oom_chance * 1000) / 1000) : Json(nullptr)},
          {"total_bytes", (memory.peak_reserved + answer.context).value()},
          {"peak_allocated_bytes", memory.peak_allocated.value()},
          {"peak_reserved_bytes", memory.peak_reserved.value()},
          {"context_bytes", answer.context.value()},
          {"peak_phase", to_string(memory.peak.phase)},
          {"peak_step", memory.peak.step + 1},
          {"batch_size", answer.batch ? Json(*answer.batch) : Json(nullptr)},
          {"steps", memory.steps},
          {"world", answer.world},
          {"torch", printable(answer.torch)},
          {"at_peak", kinds},
          {"lines", lines},
          {"points", points},
          {"what_if", changed},
          {"timeline", timeline},
          {"assumptions", answer.assumptions}};
}

}  // namespace gputop
