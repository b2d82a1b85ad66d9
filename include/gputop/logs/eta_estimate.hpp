// How long the run will still take: as it says itself, else worked out of its steps.
#pragma once

#include <cstdint>

#include "gputop/core/reading.hpp"
#include "gputop/core/time.hpp"

namespace gputop {

class EtaEstimate {
 public:
  // What is left by count and speed; unknown where either is.
  struct Left {
    Reading<Duration> epoch;  // of the steps to `total`
    Reading<Duration> run;    // the same where the steps are those of the run
    bool in_epoch = false;    // steps and total are those of the epoch
  };
  // A line said so much, of what it says or its format knows: a bar's is that of its own steps.
  enum class Of : std::uint8_t { kRun, kBar, kUnknown };
  void said(Instant at, Duration eta, Of of) { said_ = Said{at, eta, of}; }
  [[nodiscard]] Reading<Duration> at(Instant now, const Left& left) const;

 private:
  struct Said {
    Instant at;
    Duration eta{};
    Of of = Of::kUnknown;
  };
  Reading<Said> said_;
};

}  // namespace gputop
