#include "viewer/viewer_connection.hpp"

#include <unistd.h>

#include <utility>

#include "gputop/run/process.hpp"
#include "gputop/term/terminal.hpp"

namespace gputop {

ViewerConnection::ViewerConnection(Loop& loop,
                                   Descriptor socket,
                                   std::string run_name,
                                   const ViewerServer::MakeSession& make_session,
                                   const ViewerServer::EndRun& end_run,
                                   const ViewerServer::RunMetrics& metrics,
                                   std::function<void()> changed)
    : loop_(loop),
      socket_(std::move(socket)),
      run_name_(std::move(run_name)),
      make_session_(make_session),
      end_run_(end_run),
      metrics_(metrics),
      changed_(std::move(changed)),
      input_(loop.watch(socket_.get())),
      keys_(
          loop,
          [this](const ftxui::Event& event) {
            if (session_) session_->key(event);
          },
          [this](const std::string& text) {
            if (session_) session_->paste(text);
          },
          [this] {
            if (pump_) pump_->replied();
          },
          [this](std::string_view answer) {
            if (session_) session_->background(answer);
          }) {}

void ViewerConnection::read() {
  if (closed_) return;
  auto received = receive_bytes(socket_.get());
  if (received.closed) {
    close();
    return;
  }
  if (received.descriptor.get() >= 0) terminal_ = std::move(received.descriptor);
  decoder_.feed(received.bytes);
  while (!closed_) {
    const auto message = decoder_.next();
    if (!message) {
      say_farewell({Farewell::Kind::kRefused, 1, message.error().message});
      return;
    }
    if (!*message) break;
    take(**message);
  }
  if (!closed_) input_->when_readable([this] { read(); });
}

void ViewerConnection::take(const Message& message) {
  if (const auto* hello = std::get_if<Hello>(&message)) {
    if (!session_) welcome(*hello);
    return;
  }
  if (const auto* end = std::get_if<EndRequested>(&message)) {
    if (end_run_(*end)) send_bytes(socket_.get(), encode(Done{}));  // otherwise it asks again
    return;
  }
  if (std::holds_alternative<MetricsWanted>(message)) {
    send_bytes(socket_.get(), encode(Metrics{metrics_()}));
    return;
  }
  if (!session_) return;
  if (const auto* keys = std::get_if<KeysTyped>(&message)) keys_.feed(keys->bytes);
  if (const auto* size = std::get_if<Resized>(&message)) resize(size->columns, size->rows);
  if (const auto* suspended = std::get_if<Suspended>(&message)) {
    suspend(suspended->now);
    if (suspended->now) send_bytes(socket_.get(), encode(Done{pump_->asked()}));
  }
}

// The other end is not trusted: a size costs memory here, so it is limited to what a viewer would send.
void ViewerConnection::resize(int columns, int rows) {
  const auto [width, height] = term::plausible_size(columns, rows, [](std::string_view) { return std::nullopt; });
  session_->resize(width, height);
}

void ViewerConnection::suspend(bool now) {
  if (std::exchange(suspended_, now) == now) return;
  pump_->hold(now);
  if (!now && missed_) pump_->submit(*std::exchange(missed_, std::nullopt));
}

// A viewer that was stopped by SIGSTOP could not say so; it does when it continues.
bool ViewerConnection::may_draw() {
  if (closed_ || suspended_ || !pump_) return false;
  if (run::has_its_terminal(static_cast<pid_t>(peer_process(socket_.get())))) return true;
  suspend(true);
  return false;
}

void ViewerConnection::welcome(const Hello& hello) {
  if (hello.version != kProtocolVersion) {
    say_farewell({Farewell::Kind::kRefused, 1,
                  "this run's engine is gputop " GPUTOP_VERSION ", which is incompatible with gputop " +
                      hello.gputop_version + "; use the gputop that started the run"});
    return;
  }
  if (::isatty(terminal_.get()) == 0) {
    say_farewell({Farewell::Kind::kRefused, 1, "the viewer passed no terminal"});
    return;
  }
  pump_ = std::make_unique<PumpDriver>(loop_, terminal_.get(), [this] { close(); });
  session_ = make_session_(*this, hello, [this](const Farewell& farewell) { say_farewell(farewell); });
  if (!session_) {
    say_farewell({Farewell::Kind::kRefused, 1, "gputop: this run is headless: its output goes where it was started"});
    return;
  }
  send_bytes(socket_.get(), encode(Welcome{.gputop_version = GPUTOP_VERSION, .run_name = run_name_}));
  resize(hello.columns, hello.rows);
  session_->start();
}

void ViewerConnection::heard(const Event& event) {
  if (session_) session_->heard(event);
}

void ViewerConnection::say_farewell(Farewell farewell) {
  if (closed_) return;
  if (pump_) {
    pump_->hold(true);
    farewell.asked = pump_->asked();
  }
  send_bytes(socket_.get(), encode(farewell));
  close();
}

// The objects stay until the server sweeps: one of their calls may still be running.
void ViewerConnection::close() {
  if (closed_) return;
  closed_ = true;
  if (pump_) pump_->hold(true);  // the terminal belongs to someone else now
  changed_();
}

void ViewerConnection::show(term::Frame frame) {
  if (may_draw()) {
    pump_->submit(std::move(frame));
  } else {
    missed_ = std::move(frame);
  }
}

std::optional<term::Frame> ViewerConnection::spare() {
  return pump_ ? pump_->take_spare() : std::nullopt;
}

void ViewerConnection::repaint() {
  if (may_draw()) pump_->repaint();
}

void ViewerConnection::say(std::string bytes) {
  if (may_draw()) pump_->say(std::move(bytes));
}

void ViewerConnection::set_mouse(bool on) {
  if (!closed_) send_bytes(socket_.get(), encode(MouseWanted{on}));
}

}  // namespace gputop
