#include "gputop/viewer/viewer_client.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "gputop/stream/loop.hpp"
#include "gputop/stream/unix_socket.hpp"
#include "gputop/term/terminal.hpp"
#include "viewer/late_answers.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 5s;  // for an engine that starts or restarts
constexpr Duration kSilence = 2s;   // of an engine: more than a busy one needs for its first message
constexpr Duration kTryAgain = 20ms;
constexpr Duration kLetGo = 200ms;  // for the engine to stop drawing
constexpr Asked kNotSaid{.questions = std::numeric_limits<std::uint32_t>::max(), .patience_ms = 50};

class ViewerClient {
 public:
  ViewerClient(std::unique_ptr<term::Terminal> terminal, std::string path, ViewerOptions options)
      : terminal_(std::move(terminal)),
        path_(std::move(path)),
        options_(options),
        keys_(loop_.watch(terminal_->fd())),
        notices_(loop_.watch(terminal_->notices_fd())),
        retry_(loop_.make_timer()),
        stop_(loop_.make_timer()),
        answers_timer_(loop_.make_timer()),
        give_up_(loop_.make_timer()) {}

  Result<Farewell> run() {
    // Before anything is drawn: from then on the terminal has to be given back properly.
    loop_.on_signals({SIGINT, SIGHUP, SIGTERM, SIGQUIT}, [this](int) {
      leaving_ = true;
      stop_drawing();
    });
    connect(loop_.now() + kPatience);
    keys_->when_readable([this] { read_keys(); });
    notices_->when_readable([this] { read_notices(); });
    loop_.run();
    if (error_) return *error_;
    return end_.value_or(Farewell{});
  }

 private:
  void connect(Instant until) {
    if (std::exchange(welcomed_, false)) silent_since_ = loop_.now();
    auto socket = connect_to(path_);
    if (!socket) {
      if (loop_.now() >= until) {
        fail({socket.error().kind, "the run's engine does not answer: " + socket.error().message +
                                       " (gputop ls shows whether the run continues, gputop attach returns to it)"});
        return;
      }
      retry_->at(loop_.now() + kTryAgain, [this, until] { connect(until); });
      return;
    }
    socket_ = *std::move(socket);
    decoder_ = {};
    answers_.start_over();
    const auto [width, height] = terminal_->size();
    const auto environment = process_environment();
    const auto traits = term::detect_traits(environment);
    Hello hello{.columns = static_cast<std::uint16_t>(width),
                .rows = static_cast<std::uint16_t>(height),
                .color_depth = static_cast<std::uint8_t>(traits.depth),
                .utf8 = traits.utf8,
                .linux_console = environment("TERM") == "linux",
                .readonly = options_.readonly,
                .gputop_version = GPUTOP_VERSION};
    messages_ = loop_.watch(socket_.get());  // first: a viewer that cannot listen must not let the engine draw
    send_bytes(socket_.get(), encode(hello), terminal_->fd());
    messages_->when_readable([this] { read_messages(); });
  }

  void read_messages() {
    const auto received = receive_bytes(socket_.get());
    decoder_.feed(received.bytes);
    for (;;) {
      const auto message = decoder_.next();
      if (!message) {
        fail(message.error());
        return;
      }
      if (!*message) break;
      if (const auto* farewell = std::get_if<Farewell>(&**message)) {
        end_after_answers(*farewell);
        return;
      }
      if (std::holds_alternative<Welcome>(**message)) {
        welcomed_ = true;
        give_up_->cancel();
      }
      if (const auto* mouse = std::get_if<MouseWanted>(&**message)) terminal_->set_mouse(mouse->on);
      if (const auto* done = std::get_if<Done>(&**message)) let_go(done->asked);
      if (end_) return;
    }
    if (received.closed) {
      connect(loop_.now() + kPatience);
      return;
    }
    messages_->when_readable([this] { read_messages(); });
  }

  void read_keys() {
    std::array<char, 4096> bytes{};
    const auto count = ::read(terminal_->fd(), bytes.data(), bytes.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
      end({Farewell::Kind::kDetached, 0, ""});
      return;
    }
    if (count > 0) take_keys({bytes.data(), static_cast<std::size_t>(count)});
    keys_->when_readable([this] { read_keys(); });
  }

  void take_keys(std::string_view typed) {
    answers_.saw(typed);
    if (!welcomed_ && typed.find_first_of("qD\x03") != std::string_view::npos) leave_unless_welcomed();
    if (then_ == nullptr) return send(KeysTyped{std::string{typed}});
    if (!answers_.are_missing(awaited_)) go_on();
  }

  // A stopped or hanging engine would never see the keys that leave it.
  void leave_unless_welcomed() {
    give_up_->at(std::max(loop_.now(), silent_since_ + kSilence), [this] {
      fail({Error::Kind::kUnavailable,
            "the run's engine does not answer; the run continues (gputop ls shows its state, gputop attach returns to "
            "it)"});
    });
  }

  // The terminal still answers pending questions, and the shell would take the answers for typed text.
  void after_answers(const Asked& asked, Loop::Task then) {
    awaited_ = asked;
    then_ = std::move(then);
    if (!answers_.are_missing(asked)) return go_on();
    answers_timer_->at(loop_.now() + std::chrono::milliseconds{asked.patience_ms}, [this] { go_on(); });
  }
  void go_on() {
    answers_timer_->cancel();
    if (const auto then = std::exchange(then_, nullptr)) then();
  }

  void read_notices() {
    const auto notices = terminal_->take_notices();
    if (notices.stop_wanted) stop_drawing();
    if (notices.resized || notices.resumed) {
      const auto [width, height] = terminal_->size();
      send(Resized{static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)});
    }
    if (notices.resumed) send(Suspended{false});
    notices_->when_readable([this] { read_notices(); });
  }

  // The terminal is given back once the engine has stopped drawing.
  void stop_drawing() {
    if (std::exchange(stopping_, true)) return;
    send(Suspended{true});
    stop_->at(loop_.now() + kLetGo, [this] { let_go(kNotSaid); });
  }

  void let_go(const Asked& asked) {
    if (!stopping_ || then_) return;
    stop_->cancel();
    after_answers(asked, [this] {
      stopping_ = false;
      if (leaving_) {
        end({Farewell::Kind::kDetached, 0, ""});
      } else {
        terminal_->suspend();  // returns when somebody continues us; SIGCONT then arrives as a notice
      }
    });
  }

  void end_after_answers(const Farewell& farewell) {
    stop_->cancel();
    then_ = nullptr;
    after_answers(farewell.asked, [this, farewell] { end(farewell); });
  }

  void send(const Message& message) { send_bytes(socket_.get(), encode(message)); }
  void end(Farewell farewell) {
    end_ = std::move(farewell);
    loop_.stop();
  }
  void fail(Error error) {
    error_ = std::move(error);
    loop_.stop();
  }

  std::unique_ptr<term::Terminal> terminal_;
  std::string path_;
  ViewerOptions options_;
  Loop loop_;
  Descriptor socket_;
  MessageDecoder decoder_;
  std::unique_ptr<Loop::Watch> keys_;
  std::unique_ptr<Loop::Watch> notices_;
  std::unique_ptr<Loop::Watch> messages_;
  std::unique_ptr<Loop::Timer> retry_;
  std::unique_ptr<Loop::Timer> stop_;
  std::unique_ptr<Loop::Timer> answers_timer_;
  std::unique_ptr<Loop::Timer> give_up_;
  LateAnswers answers_;
  Asked awaited_;          // while then_ is set
  Loop::Task then_;        // runs once the terminal owes no answer
  bool stopping_ = false;  // the engine was told not to draw
  bool leaving_ = false;
  bool welcomed_ = false;  // by the current engine
  Instant silent_since_ = loop_.now();
  std::optional<Farewell> end_;
  std::optional<Error> error_;
};

}  // namespace

Result<Farewell> run_viewer(const std::string& socket_path, const ViewerOptions& options) {
  // The run has already started and is independent of us: stopping this viewer must not delay or stop it.
  auto terminal =
      term::Terminal::open({.mouse = options.mouse,
                            .announce_stops = true,
                            .behind = "gputop: the run continues in the background; fg shows its screen\n"});
  if (!terminal) {
    return Error{terminal.error().kind, terminal.error().message + " (the run continues: gputop attach)"};
  }
  try {
    return ViewerClient{*std::move(terminal), socket_path, options}.run();
  } catch (const std::exception& failure) {  // out of descriptors or memory
    return Error{Error::Kind::kUnavailable,
                 std::string{"the screen cannot be shown: "} + failure.what() + " (the run continues: gputop attach)"};
  }
}

}  // namespace gputop
