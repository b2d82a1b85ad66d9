#include "gputop/engine/auto_limits.hpp"

#include "gputop/config/environment.hpp"
#include "gputop/config/knob_file.hpp"
#include "gputop/core/format.hpp"

namespace gputop {

Result<std::optional<AutoLimits>> auto_limits(const AutoOptions& options) {
  if (!options.on) return std::optional<AutoLimits>{};
  AutoLimits limits{.changes = options.max_changes};
  const auto table = load_knobs(process_environment()).table;
  for (const auto& name : options.allow) {
    const auto* knob = knobs::resolve(table, name);
    if (knob == nullptr) {
      return Error{Error::Kind::kInvalid,
                   "--allow: there is no knob \"" + printable(name) + "\" (gputop apply -- CMD lists them)"};
    }
    limits.knobs.insert(knob->name);
  }
  return std::optional{std::move(limits)};
}

}  // namespace gputop
