#include "viewer/terminal_surface.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace gputop {

Result<std::unique_ptr<TerminalSurface>> TerminalSurface::open(Loop& loop, bool mouse) {
  auto terminal = term::Terminal::open({.mouse = mouse});
  if (!terminal) return terminal.error();
  return std::unique_ptr<TerminalSurface>{new TerminalSurface{loop, *std::move(terminal)}};
}

TerminalSurface::TerminalSurface(Loop& loop, std::unique_ptr<term::Terminal> terminal)
    : terminal_(std::move(terminal)),
      pump_(loop, terminal_->fd(), [this] { handlers_.gone(); }),
      keys_(
          loop,
          [this](const ftxui::Event& event) { handlers_.key(event); },
          [this](std::string text) { handlers_.paste(std::move(text)); },
          [this] { pump_.replied(); },
          [this](std::string_view answer) { handlers_.background(answer); }),
      input_(loop.watch(terminal_->fd())),
      notices_(loop.watch(terminal_->notices_fd())) {}

TerminalSurface::~TerminalSurface() {
  if (terminal_->is_ours() && pump_.pump().awaits_reply() && !pump_.pump().failed()) take_late_answer();
}

// The terminal still answers pending questions, and the shell would take the answers for typed text.
void TerminalSurface::take_late_answer() {
  const auto now = std::chrono::steady_clock::now();
  const auto end = now + pump_.pump().answer_patience(now);
  while (pump_.pump().awaits_reply()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd waiting{terminal_->fd(), POLLIN, 0};
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) return;
    std::array<char, 4096> bytes{};
    const auto count = ::read(terminal_->fd(), bytes.data(), bytes.size());
    if (count <= 0) return;
    handlers_.key = [](const ftxui::Event&) {};
    handlers_.paste = [](const std::string&) {};
    handlers_.background = [](std::string_view) {};
    keys_.feed({bytes.data(), static_cast<std::size_t>(count)});
  }
}

void TerminalSurface::start(Handlers handlers) {
  handlers_ = std::move(handlers);
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
  if (count > 0) keys_.feed({bytes.data(), static_cast<std::size_t>(count)});
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
  if (terminal_->is_ours()) pump_.submit(std::move(frame));
}

void TerminalSurface::repaint() {
  pump_.repaint();
}
void TerminalSurface::set_mouse(bool on) {
  terminal_->set_mouse(on);
}

}  // namespace gputop
