// Events in, Findings out: bounded memory, one pass, however long the stream is.
#pragma once

#include <memory>
#include <string>

#include "gputop/app/model.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

class FindingsBuilder {
 public:
  // Readings before this moment reach the Model (and so the advisor) thinned out: it looks only at the last minutes,
  // and ten days of readings would take it minutes. The statistics use all of them.
  explicit FindingsBuilder(Instant thinned_before = Instant{});
  ~FindingsBuilder();
  FindingsBuilder(FindingsBuilder&&) noexcept;
  FindingsBuilder& operator=(FindingsBuilder&&) noexcept;

  void add(const Event& event);
  // A reading that was removed before it came here.
  void add_error(const FoundSensorError& error);
  [[nodiscard]] const Model& model() const;
  // The lens knows the run's speed: what the run prints adds nothing.
  [[nodiscard]] bool counts_by_lens() const;
  // The advisor's input at the stream's end; without a run, over the whole stream.
  [[nodiscard]] Facts facts() const;

  // The caller asks the advisor about `facts`, with the user's settings.
  [[nodiscard]] Findings finish(std::string file,
                                Facts facts,
                                Advice advice,
                                RecordingState state = RecordingState::kWhole) const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

// How much of a stream's end the advisor needs unthinned.
inline constexpr Duration kAdvisedSpan = std::chrono::minutes{25};

}  // namespace gputop
