#include "exporter/run_lines.hpp"

#include <vector>

#include "gputop/run/run_dir.hpp"
#include "gputop/stream/unix_socket.hpp"
#include "gputop/viewer/protocol.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kRunPatience = 1s;

// Owned by its own callbacks; destroyed after it has called `done`.
class Round : public std::enable_shared_from_this<Round> {
 public:
  Round(Loop& loop, std::function<void(std::string)> done)
      : loop_(loop), done_(std::move(done)), timer_(loop.make_timer()) {}

  void ask() {
    for (const auto& run : run::list_runs(run::runtime_roots())) {
      if (run.state == run::RunState::kAdrift) continue;
      auto socket = connect_at_once(run.socket().string());
      if (!socket || !send_bytes(socket->get(), encode(MetricsWanted{}))) continue;
      auto asked = std::make_unique<Asked>();
      asked->socket = *std::move(socket);
      asked->watch = loop_.watch(asked->socket.get());
      asked_.push_back(std::move(asked));
    }
    waited_for_ = asked_.size();
    // Posted, because the caller does not expect an answer within the call.
    if (waited_for_ == 0) return loop_.post([self = shared_from_this()] { self->finish(); });
    for (auto& asked : asked_) listen(*asked);
    timer_->at(loop_.now() + kRunPatience, [self = shared_from_this()] { self->finish(); });
  }

 private:
  struct Asked {
    Descriptor socket;
    MessageDecoder decoder;
    std::unique_ptr<Loop::Watch> watch;  // last, because it must release the socket first
  };

  void listen(Asked& asked) {
    asked.watch->when_readable([self = shared_from_this(), &asked] { self->read(asked); });
  }

  void read(Asked& asked) {
    if (!done_) return;
    const auto received = receive_bytes(asked.socket.get());
    asked.decoder.feed(received.bytes);
    const auto message = asked.decoder.next();
    const auto* answer = message && *message ? std::get_if<Metrics>(&**message) : nullptr;
    if (answer != nullptr) lines_ += answer->lines;
    if (answer == nullptr && message && !received.closed) return listen(asked);
    if (--waited_for_ == 0) finish();
  }

  void finish() {
    if (!done_) return;
    const auto self = shared_from_this();  // the watches and the timer hold the others
    timer_->cancel();
    const auto done = std::exchange(done_, nullptr);
    loop_.post([self] { self->asked_.clear(); });  // not within a watch's own callback
    done(std::move(lines_));
  }

  Loop& loop_;
  std::function<void(std::string)> done_;
  std::unique_ptr<Loop::Timer> timer_;
  std::vector<std::unique_ptr<Asked>> asked_;
  std::size_t waited_for_ = 0;
  std::string lines_;
};

}  // namespace

void ask_runs(Loop& loop, std::function<void(std::string)> done) {
  std::make_shared<Round>(loop, std::move(done))->ask();
}

}  // namespace gputop
