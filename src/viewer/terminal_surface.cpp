#include "gputop/viewer/terminal_surface.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace gputop {
namespace {

term::FramePump::Time clock_now() { return std::chrono::steady_clock::now(); }

}  // namespace

Result<std::unique_ptr<TerminalSurface>> TerminalSurface::open(Loop& loop, bool mouse) {
  auto terminal = term::Terminal::open({.mouse = mouse});
  if (!terminal) return terminal.error();
  return std::unique_ptr<TerminalSurface>{new TerminalSurface{loop, *std::move(terminal)}};
}

TerminalSurface::TerminalSurface(Loop& loop, std::unique_ptr<term::Terminal> terminal)
    : loop_(loop),
      terminal_(std::move(terminal)),
      pump_(terminal_->fd(), {.ask = true}),
      input_(loop.watch(terminal_->fd())),
      notices_(loop.watch(terminal_->notices_fd())),
      escape_(loop.make_timer()),
      wake_(loop.make_timer()) {}

void TerminalSurface::start(Handlers handlers) {
  handlers_ = std::move(handlers);
  decoder_ = std::make_unique<term::KeyDecoder>([this](const ftxui::Event& event) { handlers_.key(event); },
                                                [this](std::string text) { handlers_.paste(std::move(text)); },
                                                [this] {
                                                  pump_.on_reply(clock_now());
                                                  drive();
                                                });
  const auto [width, height] = terminal_->size();
  handlers_.resized(width, height);
  input_->when_readable([this] { read_keys(); });
  notices_->when_readable([this] { read_notices(); });
}

void TerminalSurface::read_keys() {
  std::array<char, 4096> bytes{};
  const auto count = ::read(terminal_->fd(), bytes.data(), bytes.size());
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) {
    handlers_.gone();
    return;
  }
  if (count > 0) decoder_->feed({bytes.data(), static_cast<std::size_t>(count)});
  if (decoder_->pending()) {
    escape_->at(loop_.now() + term::kEscapeWait, [this] { decoder_->flush(); });
  } else {
    escape_->cancel();
  }
  input_->when_readable([this] { read_keys(); });
}

void TerminalSurface::read_notices() {
  const auto notices = terminal_->take_notices();
  if (notices.resumed) repaint();
  if (notices.resized || notices.resumed) {
    const auto [width, height] = terminal_->size();
    handlers_.resized(width, height);
  }
  notices_->when_readable([this] { read_notices(); });
}

void TerminalSurface::show(term::Frame frame) {
  if (!terminal_->is_ours()) return;
  pump_.submit(std::move(frame), clock_now());
  drive();
}

void TerminalSurface::repaint() {
  pump_.repaint(clock_now());
  drive();
}

void TerminalSurface::set_mouse(bool on) { terminal_->set_mouse(on); }

void TerminalSurface::drive() {
  if (pump_.failed()) {
    handlers_.gone();
    return;
  }
  if (pump_.wants_write() && !awaiting_write_) {
    awaiting_write_ = true;
    input_->when_writable([this] {
      awaiting_write_ = false;
      pump_.on_writable(clock_now());
      drive();
    });
  }
  if (const auto wakes = pump_.wakes_at()) {
    wake_->at(loop_.now() + std::max(Duration{}, Duration{*wakes - clock_now()}), [this] {
      pump_.on_timer(clock_now());
      drive();
    });
  }
}

}  // namespace gputop
