// Events in, Findings out: bounded memory, one pass, however long the stream is.
#pragma once

#include <memory>
#include <string>

#include "gputop/app/model.hpp"
#include "gputop/report/findings.hpp"

namespace gputop {

class FindingsBuilder {
 public:
  // Readings before this moment reach the Model (and so the advisor) thinned: it looks at the last minutes only, and
  // ten days of readings would take it minutes. The statistics have all of them.
  explicit FindingsBuilder(Instant thinned_before = Instant{});
  ~FindingsBuilder();
  FindingsBuilder(FindingsBuilder&&) noexcept;
  FindingsBuilder& operator=(FindingsBuilder&&) noexcept;

  void add(const Event& event);
  // A reading that was taken out before it came here.
  void add_error(const FoundSensorError& error);
  [[nodiscard]] const Model& model() const;
  // How fast the run goes is known from its lens: what it prints adds nothing to that.
  [[nodiscard]] bool counts_by_lens() const;
  // What the advisor may know at the stream's end; without a run, over all of the stream.
  [[nodiscard]] Facts facts() const;

  // What the advisor says about `facts` is the caller's to ask, with the user's settings.
  [[nodiscard]] Findings finish(std::string file,
                                Facts facts,
                                Advice advice,
                                RecordingState state = RecordingState::kWhole) const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

// How much of the end of a stream the advisor wants in full.
inline constexpr Duration kAdvisedSpan = std::chrono::minutes{25};

}  // namespace gputop
