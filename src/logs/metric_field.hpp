// A metric by its key and value: what lines and tables have in common.
#pragma once

#include <optional>

#include "gputop/logs/metric.hpp"
#include "logs/field.hpp"

namespace gputop::logs {

// nullopt: the field is about something else. `validating`: where the field itself does not say of which data it is.
std::optional<Metric> metric_of(const Field& field, bool validating);

}  // namespace gputop::logs
