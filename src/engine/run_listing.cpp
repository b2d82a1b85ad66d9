#include "engine/run_listing.hpp"

#include "gputop/engine/lens_launch.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLookAtFiles = 1s;

}  // namespace

RunListing::RunListing(Loop& loop, Engine& engine, run::RunChannel& channel)
    : loop_(loop), engine_(engine), channel_(channel), timer_(loop.make_timer()) {}

void RunListing::keep() {
  if (channel_.keep_listed()) {
    engine_.publish(
        {loop_.now(), Noted{Noted::Severity::kWarning, "the run's files were removed and have been restored"}});
  }
  if (lens_ != nullptr) look_at_lens();
  timer_->at(loop_.now() + kLookAtFiles, [this] { keep(); });
}

void RunListing::look_at_lens() {
  namespace fs = std::filesystem;
  const fs::path directory = channel_.directory();
  std::error_code ignored;
  if (!fs::exists(directory, ignored)) return;
  // If they cannot be written, the next call tries again.
  if (!fs::exists(run::lens_folder(directory), ignored)) static_cast<void>(put_lens(directory));
  if (!fs::is_socket(run::lens_socket(directory), ignored)) static_cast<void>(lens_->listen());
}

}  // namespace gputop
