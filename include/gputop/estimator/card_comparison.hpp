// The same training on several cards: whether it fits, how many are needed, how fast, and what an epoch costs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gputop/estimator/card_speed.hpp"
#include "gputop/estimator/estimate.hpp"

namespace gputop {

struct Between {
  double low = 0;
  double high = 0;
};

struct CardRow {
  GpuCard card;
  std::uint64_t batch = 0;               // of one GPU: as configured, or the largest that fits
  FitVerdict verdict = FitVerdict::kUnknown;  // of one such GPU
  std::optional<unsigned> gpus;          // that it takes, states sharded among them; nullopt: more than kMostGpus
  std::optional<BatchChoice> best;       // of one GPU
  std::optional<CardSpeed> speed;        // of one GPU at `batch`; only where one is enough
  std::optional<Between> epoch_seconds;     // nullopt: the samples of an epoch or the speed are unknown
  std::optional<double> price;           // per hour
  std::optional<Between> epoch_cost;
};

inline constexpr unsigned kMostGpus = 8;

// A user's prices: a card's name in the table, and its price per hour.
using CardPrices = std::vector<std::pair<std::string, double>>;

struct CardComparison {
  std::vector<CardRow> rows;
  std::string needed;  // "1 × 40 GB or 2 × 24 GB": the smallest memories of these cards that hold it; "" if none does
  bool several = false;
};

// Ranked: what fits first; by the cost of an epoch if every one of those has one, else by speed.
CardComparison compare_cards(const Estimate& estimate,
                             const EstimateRequest& request,
                             const std::vector<GpuCard>& cards,
                             const CardPrices& prices);

}  // namespace gputop
