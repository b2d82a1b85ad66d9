// An estimate as text: JSON (schema gputop.estimate/1), and tables for people.
#pragma once

#include <string>
#include <vector>

#include "gputop/estimator/card_comparison.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {

std::string estimate_json(const Estimate& estimate, const CardComparison& cards = {});
std::string estimate_html(const Estimate& estimate, const CardComparison& cards = {});
std::string estimate_text(const Estimate& estimate, const CardComparison& cards = {});

// Rows of equal columns: padded to the widest cell, with two spaces in between.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace gputop
