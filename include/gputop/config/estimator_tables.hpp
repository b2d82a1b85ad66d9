// configs/models.yaml, counted.csv and gpus.yaml → the estimator's tables; entries in the user's files of the same names
// win.
#pragma once

#include <string_view>
#include <vector>

#include "gputop/config/environment.hpp"
#include "gputop/config/problem.hpp"
#include "gputop/core/event.hpp"
#include "gputop/core/result.hpp"
#include "gputop/estimator/card_comparison.hpp"
#include "gputop/estimator/gpu_table.hpp"
#include "gputop/estimator/model_table.hpp"

namespace gputop {

// Adds entries to the table, or replaces those of the same name. Wrong ones are reported with their place and left out.
std::vector<Problem> read_models(std::string_view text, std::string_view file, ModelTable& table);
std::vector<Problem> read_counted(std::string_view text, std::string_view file, ModelTable& table);
std::vector<Problem> read_gpus(std::string_view text, std::string_view file, GpuTable& table);

struct EstimatorTables {
  ModelTable models;
  GpuTable gpus;
  std::vector<Problem> problems;  // of the user's files
};

// The built-in tables, with ~/.config/gputop/models.yaml and gpus.yaml on top.
EstimatorTables load_estimator_tables(const Environment& environment);

// A user's file of cards and their price per hour. The error names the line.
Result<CardPrices> load_prices(const std::string& path, const GpuTable& table);

// The table's entry for a card by the driver's name: its peaks and its memory bandwidth. An empty kind: no entry.
CardsKnown::Card known_card(const GpuTable& table, unsigned gpu, std::string_view name);

}  // namespace gputop
