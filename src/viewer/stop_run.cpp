#include "gputop/viewer/stop_run.hpp"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <thread>

#include "gputop/base/output.hpp"
#include "gputop/core/format.hpp"
#include "gputop/run/process.hpp"
#include "gputop/stream/unix_socket.hpp"
#include "gputop/viewer/protocol.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

bool is_alive(const run::ProcessId& process) {
  return run::is_alive(process.pid, process.start_ticks);
}

bool has_ended(const run::ProcessId& process, std::chrono::milliseconds patience) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (is_alive(process) && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(20ms);
  return !is_alive(process);
}

// True: the engine has sent this signal to the job.
bool request_end(const std::string& socket_path, int signal) {
  constexpr auto kPatience = 1000ms;
  const auto socket = connect_to(socket_path);
  if (!socket || !send_bytes(socket->get(), encode(EndRequested{static_cast<std::uint8_t>(signal)}))) return false;
  MessageDecoder decoder;
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    pollfd ready{socket->get(), POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
    const auto received = receive_bytes(socket->get());
    decoder.feed(received.bytes);
    const auto message = decoder.next();
    if (message && *message && std::holds_alternative<Done>(**message)) return true;
    if (!message || received.closed) return false;
  }
}

bool ask_engine(const run::ListedRun& run, int signal) {
  constexpr int kTries = 20;  // a starting or restarting engine will listen in a moment
  for (int i = 0; i < kTries; ++i) {
    if (request_end(run.socket().string(), signal)) return true;
    if (!is_alive(run.record.holder) && !is_alive(run.record.keeper)) return false;
    std::this_thread::sleep_for(50ms);
  }
  return false;
}

// Through the engine, so the run knows who ended it. Without an engine, the holder passes SIGTERM on and notes it: a
// restart that the job was about to make way for is not made.
void send_end(const run::ListedRun& run, int signal) {
  if (ask_engine(run, signal) || !is_alive(run.record.job)) return;
  if (is_alive(run.record.holder) && ::kill(run.record.holder.pid, SIGTERM) == 0) {
    if (signal == SIGTERM) return;
    std::this_thread::sleep_for(50ms);  // until it is noted
  }
  // Under a terminal, the job leads its own process group; headless, it shares the shell's.
  ::kill(run.record.mode == run::Mode::kPty ? -run.record.job.pid : run.record.job.pid, signal);
}

// The listed job is gone. Its keeper may be holding the run until someone decides whether to restart it, or may have
// just restarted it: that is not the end yet.
int end_the_rest(const run::ListedRun& run, int signal, std::chrono::milliseconds patience) {
  const auto name = printable(run.record.name);
  const auto& holder = run.record.holder;
  if (is_alive(holder)) ask_engine(run, signal);
  if (has_ended(holder, patience)) return print(name + " has ended\n");
  return failed({Error::Kind::kTimeout, name + " has not ended: its holder (pid " + std::to_string(holder.pid) +
                                            ") is still there; see gputop ls, and try again"});
}

// Only if there is someone to ask.
bool agreed(const std::string& question) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDERR_FILENO) == 0) return false;
  std::fputs(question.c_str(), stderr);
  const int answer = std::getchar();
  return answer == 'y' || answer == 'Y';
}

}  // namespace

int stop_run(const run::ListedRun& run, bool kill, std::chrono::milliseconds patience) {
  const auto name = printable(run.record.name);
  const auto& job = run.record.job;
  const int signal = kill ? SIGKILL : SIGTERM;
  if (!is_alive(job)) return end_the_rest(run, signal, patience);
  send_end(run, signal);
  if (has_ended(job, patience)) return print(name + " was stopped\n");
  const std::string deaf = name + " (pid " + std::to_string(job.pid) + ") does not end on SIGTERM";
  if (kill || !agreed(deaf + ". Kill it (SIGKILL)? [y/N] ")) {
    return failed({Error::Kind::kTimeout, deaf + "; gputop stop --kill " + run.record.id + " ends it by force"});
  }
  send_end(run, SIGKILL);
  if (has_ended(job, patience)) return print(name + " was killed\n");
  return failed({Error::Kind::kTimeout,
                 name + " (pid " + std::to_string(job.pid) +
                     ") does not end on SIGKILL either: " + "it is stuck in the kernel (a hanging device or disk?)"});
}

}  // namespace gputop
