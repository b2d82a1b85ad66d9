// The run's speed, over time and by batch size.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "gputop/app/model.hpp"
#include "gputop/core/block_series.hpp"
#include "gputop/core/distribution.hpp"
#include "gputop/logs/throughput.hpp"

namespace gputop::report {

class SpeedTrack {
 public:
  // Observations while the run had this batch size.
  struct AtBatch {
    Block throughput;
    Bytes peak;  // of the fullest GPU
  };

  // Once per reading.
  void sample(const Model& model, Instant at);
  void saw_memory(const Model& model, Bytes fullest);

  // The lens counted the last speed; it was not printed.
  [[nodiscard]] bool counts_by_lens() const { return by_lens_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] const BlockSeries& series() const { return series_; }
  [[nodiscard]] const Distribution& distribution() const { return distribution_; }
  [[nodiscard]] const std::map<std::uint64_t, AtBatch>& batches() const { return batches_; }
  [[nodiscard]] Reading<Instant> first() const { return first_; }
  [[nodiscard]] Instant last() const { return last_; }

 private:
  AtBatch* at_batch(const Model& model);

  bool by_lens_ = false;
  std::string unit_;
  BlockSeries series_;
  Distribution distribution_;
  std::map<std::uint64_t, AtBatch> batches_;
  Reading<Instant> first_;
  Instant last_;
};

}  // namespace gputop::report
