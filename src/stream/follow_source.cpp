#include "gputop/stream/follow_source.hpp"

#include "gputop/store/event_lines.hpp"
#include "gputop/store/recording_follower.hpp"

namespace gputop {
namespace {

class FollowSource final : public Source {
 public:
  explicit FollowSource(std::string path) : follower_(std::move(path)) {}

  [[nodiscard]] std::string_view name() const override { return "replay"; }
  void start(Instant, Sink sink) override { sink_ = std::move(sink); }
  void tick(Instant) override {
    if (!sink_) return;
    const auto looked = follower_.look(room_, [&](std::string_view line) {
      const auto* event = lines_.read(line);
      if (event == nullptr) return;
      last_ = event->at;
      sink_(*event);
    });
    const std::string problem = looked ? "" : looked.error().message;
    if (!problem.empty() && problem != problem_) sink_({last_, Noted{Noted::Severity::kWarning, problem}});
    problem_ = problem;
  }
  void stop() override { sink_ = nullptr; }

 private:
  RecordingFollower follower_;
  FollowerRoom room_;
  EventLines lines_;
  Sink sink_;
  Instant last_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<Source> make_follow_source(std::string path) {
  return std::make_unique<FollowSource>(std::move(path));
}

}  // namespace gputop
