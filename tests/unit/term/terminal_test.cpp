#include "gputop/term/terminal.hpp"

#include <fcntl.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "unit/term/pty_session.hpp"

namespace gputop::term {
namespace {

using test::PtySession;

constexpr auto kEntered = "\x1b[?1049h";
constexpr auto kLeft = "\x1b[?1049l\x1b[?25h";

void wait_for_ever() {
  for (;;) ::pause();
}

// A job that takes the terminal over and then does something.
PtySession with_terminal(const std::function<void(Terminal&)>& then) {
  return PtySession{[&] {
    auto terminal = Terminal::open({.mouse = true});
    if (!terminal) std::_Exit(99);
    then(**terminal);
  }};
}

TEST_CASE("Terminal: leaving restores modes and screen", "[term]") {
  PtySession session{[] {
    auto terminal = Terminal::open({.mouse = true});
    if (!terminal) std::_Exit(99);
    char key = 0;
    while (::read((*terminal)->fd(), &key, 1) != 1) {
    }
  }};
  session.learn_job();
  REQUIRE(session.wait_for("\x1b[?1006h"));
  CHECK(session.raw());
  CHECK(session.output().find(kEntered) != std::string::npos);
  session.type("q");
  CHECK(session.wait() == 0);
  CHECK(session.modes_restored());
  CHECK(session.output().ends_with(kLeft));
}

TEST_CASE("Terminal: every kind of death restores modes and screen", "[term]") {
  const int number = GENERATE(SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGHUP, SIGINT, SIGQUIT);
  INFO("signal " << number);
  auto session = with_terminal([&](Terminal&) { ::raise(number); });
  session.learn_job();
  const int status = session.wait();
  CHECK(WIFSIGNALED(status));
  if (WIFSIGNALED(status)) CHECK(WTERMSIG(status) == number);
  CHECK(session.modes_restored());
  CHECK(session.output().find(kEntered) != std::string::npos);
  CHECK(session.output().find(kLeft) != std::string::npos);
}

TEST_CASE("Terminal: a signal from outside restores too", "[term]") {
  auto session = with_terminal([](Terminal&) { wait_for_ever(); });
  session.learn_job();
  REQUIRE(session.wait_for("\x1b[?1006h"));
  session.signal(SIGTERM);
  CHECK(WTERMSIG(session.wait()) == SIGTERM);
  CHECK(session.modes_restored());
  CHECK(session.output().ends_with(kLeft));
}

TEST_CASE("Terminal: exit without destructors and uncaught exceptions restore first", "[term]") {
  SECTION("quick_exit") {
    auto session = with_terminal([](Terminal&) { std::quick_exit(3); });
    session.learn_job();
    CHECK(WEXITSTATUS(session.wait()) == 3);
    CHECK(session.modes_restored());
    CHECK(session.output().ends_with(kLeft));
  }
  SECTION("terminate") {
    auto session = with_terminal([](Terminal&) {
      // As an exception that nobody catches does.
      try {
        throw std::runtime_error("on purpose");
      } catch (...) {
        std::terminate();
      }
    });
    session.learn_job();
    CHECK(WTERMSIG(session.wait()) == SIGABRT);
    CHECK(session.modes_restored());
    // The message comes after the screen is back, where it can be read.
    const auto left = session.output().find(kLeft);
    REQUIRE(left != std::string::npos);
    CHECK(session.output().find("on purpose", left) != std::string::npos);
  }
}

TEST_CASE("Terminal: a forked child that exits does not touch the screen", "[term]") {
  auto session = with_terminal([](Terminal&) {
    if (::fork() == 0) std::quick_exit(0);
    ::wait(nullptr);
    [[maybe_unused]] const auto n = ::write(STDOUT_FILENO, "done", 4);
    wait_for_ever();
  });
  session.learn_job();
  REQUIRE(session.wait_for("done"));
  CHECK(session.output().find(kLeft) == std::string::npos);
  CHECK(session.raw());
}

TEST_CASE("Terminal: suspended and continued", "[term]") {
  const bool by_signal = GENERATE(true, false);
  auto session = with_terminal([&](Terminal& terminal) {
    if (!by_signal) terminal.suspend();
    for (;;) {
      pollfd news{terminal.notices_fd(), POLLIN, 0};
      ::poll(&news, 1, -1);
      if (!terminal.take_notices().resumed) continue;
      [[maybe_unused]] const auto n = ::write(terminal.fd(), terminal.is_ours() ? "back" : "lost", 4);
      wait_for_ever();
    }
  });
  session.learn_job();
  if (by_signal) {
    REQUIRE(session.wait_for("\x1b[?1006h"));
    session.signal(SIGTSTP);
  }
  CHECK(WIFSTOPPED(session.wait()));
  CHECK(session.modes_restored());
  CHECK(session.output().ends_with(kLeft));
  session.forget_output();
  session.signal(SIGCONT);
  CHECK(session.wait_for("back"));
  CHECK(session.raw());
  CHECK(session.output().find(kEntered) != std::string::npos);
}

TEST_CASE("Terminal: in the background, where no shell could bring it to the front, it is refused", "[term]") {
  PtySession session{[] {
    const pid_t parent = ::getpid();
    if (::fork() != 0) return;
    ::setpgid(0, 0);
    while (::getppid() == parent) ::usleep(1000);  // then the group is an orphan: the kernel does not stop it
    const auto terminal = Terminal::open({.behind = "stops"});
    const std::string_view text = terminal ? "taken" : "refused";
    [[maybe_unused]] const auto n = ::write(STDOUT_FILENO, text.data(), text.size());
  }};
  session.learn_job();
  CHECK(session.wait_for("refused"));
  CHECK(session.output().find(kEntered) == std::string::npos);
  CHECK(session.modes_restored());
}

TEST_CASE("Terminal: a new size is noticed", "[term]") {
  auto session = with_terminal([](Terminal& terminal) {
    for (;;) {
      pollfd news{terminal.notices_fd(), POLLIN, 0};
      ::poll(&news, 1, -1);
      if (!terminal.take_notices().resized) continue;
      const auto [width, height] = terminal.size();
      const std::string text = std::to_string(width) + "x" + std::to_string(height);
      [[maybe_unused]] const auto n = ::write(terminal.fd(), text.data(), text.size());
      wait_for_ever();
    }
  });
  session.learn_job();
  REQUIRE(session.wait_for("\x1b[?1006h"));
  winsize size{33, 101, 0, 0};
  ::ioctl(session.slave(), TIOCSWINSZ, &size);
  CHECK(session.wait_for("101x33"));
}

TEST_CASE("Terminal: the shell's own file stays blocking", "[term]") {
  auto session = with_terminal([](Terminal& terminal) {
    const bool ours = (::fcntl(terminal.fd(), F_GETFL) & O_NONBLOCK) != 0;
    const bool theirs = (::fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK) != 0;
    std::quick_exit(ours && !theirs ? 0 : 1);
  });
  session.learn_job();
  CHECK(WEXITSTATUS(session.wait()) == 0);
}

TEST_CASE("Terminal: a screen that is not read does not keep us from leaving", "[term]") {
  auto session = with_terminal([](Terminal& terminal) {
    const std::string flood(1'000'000, 'x');
    while (::write(terminal.fd(), flood.data(), flood.size()) > 0) {
    }
    std::quick_exit(0);
  });
  session.learn_job();
  CHECK(session.wait() == 0);
  CHECK(session.modes_restored());
  CHECK(session.output().ends_with(kLeft));
}

TEST_CASE("plausible_size: what the terminal says, else the environment, else 80×24", "[term]") {
  std::map<std::string, std::string, std::less<>> variables;
  const Environment environment = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
  CHECK(plausible_size(0, 0, environment) == TerminalSize{80, 24});
  CHECK(plausible_size(1, 1, environment) == TerminalSize{1, 1});
  CHECK(plausible_size(65535, 65535, environment) == TerminalSize{1000, 1000});
  variables = {{"COLUMNS", "132"}, {"LINES", "rubbish"}};
  CHECK(plausible_size(0, 0, environment) == TerminalSize{132, 24});
  variables = {{"COLUMNS", "-4"}, {"LINES", "99999999999"}};
  CHECK(plausible_size(0, 0, environment) == TerminalSize{80, 24});
}

}  // namespace
}  // namespace gputop::term
