// A run that trains at a speed the test says, and what is measured of it.
#pragma once

#include <cmath>

#include "gputop/tuning/change_measure.hpp"
#include "unit/app/lens_events.hpp"

namespace gputop {

// A run whose lens reports twice a second, at a speed that wobbles a little.
class MeasuredRun {
 public:
  explicit MeasuredRun(std::int64_t pid = 100) { start(pid); }

  void start(std::int64_t pid) {
    pid_ = pid;
    batches_ = 0;
    feed(run_of(pid));
    feed(from_lens(pid, LensHello{}));
    feed(from_lens(pid, loader(1)));
  }
  void train(double seconds, double batches_per_second) {
    for (double end = now_ + seconds; now_ < end;) {
      now_ += 0.5;
      const double wobble = 1 + 0.02 * std::sin(now_ * 3);
      const auto more = static_cast<std::uint64_t>(std::round(batches_per_second * 0.5));
      batches_ += more;
      spent_ += static_cast<double>(more) / (batches_per_second * wobble);
      auto said = tick(batches_, 0, 0);
      said.loaders.front().user = spent_;
      feed(from_lens(pid_, said));
      measure.look(model);
    }
  }
  void report(ChangeReported::Stage stage) {
    const Event event{
        now(), ChangeReported{.stage = stage, .changes = {{"batch_size", "8", "16"}}, .text = "batch_size 8 → 16"}};
    update(model, event);
    measure.heard(event, model);
  }
  void end() {
    const Event event{now(), RunEnded{}};
    update(model, event);
    measure.heard(event, model);
  }
  [[nodiscard]] Instant now() const { return at_seconds(now_); }

  Model model;
  ChangeMeasure measure;

 private:
  void feed(Payload payload) { update(model, {at_seconds(now_), std::move(payload)}); }
  double now_ = 0;
  double spent_ = 0;
  std::uint64_t batches_ = 0;
  std::int64_t pid_ = 0;
};

}  // namespace gputop
