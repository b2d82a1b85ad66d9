// configs/models.yaml and configs/gpus.yaml → the estimator's tables; the user's files of the same names win by entry.
#pragma once

#include <string_view>
#include <vector>

#include "gputop/config/environment.hpp"
#include "gputop/config/problem.hpp"
#include "gputop/core/event.hpp"
#include "gputop/estimator/gpu_table.hpp"
#include "gputop/estimator/model_table.hpp"

namespace gputop {

// Entries are added to the table, or replace those of the same name. What is wrong is named with its place and left
// out.
std::vector<Problem> read_models(std::string_view text, std::string_view file, ModelTable& table);
std::vector<Problem> read_gpus(std::string_view text, std::string_view file, GpuTable& table);

struct EstimatorTables {
  ModelTable models;
  GpuTable gpus;
  std::vector<Problem> problems;  // of the user's files
};

// The built-in ones, with ~/.config/gputop/models.yaml and gpus.yaml on top.
EstimatorTables load_estimator_tables(const Environment& environment);

// What the table says of a card by the driver's name: its peaks and its memory's bandwidth. An empty kind: it is in none.
CardsKnown::Card known_card(const GpuTable& table, unsigned gpu, std::string_view name);

}  // namespace gputop
