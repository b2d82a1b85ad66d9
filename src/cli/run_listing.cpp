#include "cli/run_listing.hpp"

namespace gputop::cli {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookAtFiles = 1s;

}  // namespace

RunListing::RunListing(Loop& loop, Engine& engine, run::RunChannel& channel)
    : loop_(loop), engine_(engine), channel_(channel), timer_(loop.make_timer()) {}

void RunListing::keep() {
  if (!channel_.is_listed() && channel_.publish_record()) {
    engine_.publish(
        {loop_.now(), Noted{Noted::Severity::kWarning, "the run's files were removed and are there again"}});
  }
  timer_->at(loop_.now() + kLookAtFiles, [this] { keep(); });
}

}  // namespace gputop::cli
