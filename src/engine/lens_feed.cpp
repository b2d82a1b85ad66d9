#include "engine/lens_feed.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>
#include <vector>

#include "engine/lens_phase.hpp"
#include "gputop/lens/message.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestMessage = 64 * 1024;
constexpr std::size_t kMostConnections = 1024;
constexpr int kMessagesPerTurn = 32;
// The run is not trusted: if messages other than ticks are not rare, it is disconnected.
constexpr int kMostMessages = 2000;
// Ticks come twice a second. Their counts only grow, so the recording does not need all of them.
constexpr Duration kEager = 10s;  // all of them, for this long after a process's first
constexpr Duration kTickEvery = 2s;
constexpr Duration kTickEveryOfMany = 5s;
constexpr std::size_t kMany = 4;  // processes
constexpr Duration kPhasesEvery = 1s;
constexpr std::size_t kMostSteps = 64;  // of a rank in one tick

// Moves the single steps of a skipped tick into the next one.
void keep_steps(const std::vector<LensSync>& before, std::vector<LensSync>& now) {
  if (before.empty() || now.empty() || before.front().first + before.front().own.size() != now.front().first) return;
  auto& sync = now.front();
  const auto count = std::min(before.front().own.size(), kMostSteps - std::min(kMostSteps, sync.own.size()));
  const std::array columns{&LensSync::own, &LensSync::input, &LensSync::exchange, &LensSync::cpu, &LensSync::items};
  for (const auto column : columns) {
    if ((before.front().*column).size() != before.front().own.size()) return;
  }
  for (const auto column : columns) {
    const auto& old = before.front().*column;
    (sync.*column).insert((sync.*column).begin(), old.end() - static_cast<std::ptrdiff_t>(count), old.end());
  }
  sync.first -= count;
}

}  // namespace

struct LensFeed::Connection {
  Descriptor socket;
  std::unique_ptr<Loop::Watch> watch;
  std::int64_t pid = 0;
  Instant since;
  Instant published{};     // the last tick
  Reading<LensTick> held;  // arrived since then and not published
  std::unique_ptr<Loop::Timer>
      timer;  // publishes the held tick, with the time it arrived, if it stays the last for long
  int messages = 0;
  std::int64_t own_pid = 0;  // in its own PID namespace
  PhaseWatch phase;
};

LensFeed::LensFeed(Loop& loop, Engine& engine, std::string path, std::string folder)
    : loop_(loop), engine_(engine), path_(std::move(path)), folder_(std::move(folder)), phases_(loop.make_timer()) {}

LensFeed::~LensFeed() = default;

Status LensFeed::listen() {
  auto socket = listen_at(path_, SocketKind::kMessages);
  if (!socket) return socket.error();
  watch_.reset();  // of the previous socket, which is closed now
  listener_ = *std::move(socket);
  watch_ = loop_.watch(listener_.get());
  watch_->when_readable([this] { accept(); });
  phases_->at(loop_.now() + kPhasesEvery, [this] { look_at_phases(); });
  return success();
}

LensFeed::Sent LensFeed::send(const LensCommand& command) {
  Sent sent{++last_id_};
  const auto text = to_json(command, sent.id);
  for (const auto& connection : connections_) {
    const auto put = ::send(connection.socket.get(), text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (put == static_cast<ssize_t>(text.size())) ++sent.processes;
  }
  return sent;
}

void LensFeed::accept() {
  take_connection();
  watch_->when_readable([this] { accept(); });
}

void LensFeed::drain() {
  constexpr int kTurns = 8;  // rounds of messages, so that no connection starves
  if (!watch_) return;
  while (take_connection()) {
  }
  for (int turn = 0; turn < kTurns; ++turn) {
    for (auto next = connections_.begin(); next != connections_.end();) read(*next++);  // which may remove it
  }
}

bool LensFeed::take_connection() {
  auto socket = accept_own(listener_.get());
  if (!socket) return false;
  if (connections_.size() < kMostConnections) {
    auto& connection = connections_.emplace_back();
    connection.socket = std::move(*socket);
    connection.watch = loop_.watch(connection.socket.get());
    connection.pid = peer_process(connection.socket.get());
    connection.since = loop_.now();
    connection.watch->when_readable([this, &connection] { read(connection); });
  }
  return true;
}

void LensFeed::read(Connection& connection) {
  std::vector<char> buffer(kLongestMessage);
  for (int i = 0; i < kMessagesPerTurn; ++i) {
    const auto got = ::recv(connection.socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
      take_carefully(connection, {buffer.data(), static_cast<std::size_t>(got)});
      if (!watch_) return;  // disabled
      continue;
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) break;
    release(connection);
    connections_.remove_if([&](const Connection& other) { return &other == &connection; });
    return;
  }
  connection.watch->when_readable([this, &connection] { read(connection); });
}

// Stops listening if reading a message fails: the run's figures then come from other sources.
void LensFeed::take_carefully(Connection& connection, std::string_view text) {
  at_work_(true);
  try {
    take(connection, text);
  } catch (const std::exception& failure) {
    const SourceStatus off{.source = "lens",
                           .state = SourceStatus::State::kUnavailable,
                           .message = std::string{"the lens is disabled for this run: reading its message failed ("} +
                                      failure.what() + ")"};
    watch_.reset();
    engine_.publish({loop_.now(), off});
    loop_.post([this] { connections_.clear(); });  // one of them is being read
  }
  at_work_(false);
}

void LensFeed::take(Connection& connection, std::string_view text) {
  auto message = parse_lens_message(text);
  if (!message) return;
  if (auto* tick = std::get_if<LensTick>(&*message)) {
    if (!is_due(connection, *tick)) return;
  } else if (++connection.messages > kMostMessages) {
    return;
  } else {
    release(connection);  // in the order in which they arrived
  }
  if (const auto* hello = std::get_if<LensHello>(&*message); hello && connection.pid == 0)
    connection.pid = hello->own_pid;
  if (const auto* hello = std::get_if<LensHello>(&*message)) connection.own_pid = hello->own_pid;
  engine_.publish({loop_.now(), LensReported{connection.pid, std::move(*message)}});
}

// For ranks that train together: one that hangs blocks all of them, and none of their lenses reports anything.
void LensFeed::look_at_phases() {
  phases_->at(loop_.now() + kPhasesEvery, [this] { look_at_phases(); });
  const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  for (auto& connection : connections_) {
    const auto phase = connection.own_pid == 0 ? std::nullopt : read_phase(folder_, connection.own_pid);
    if (!phase) continue;
    auto said = connection.phase.look(*phase, now);
    if (said) engine_.publish({loop_.now(), LensReported{connection.pid, *std::move(said)}});
  }
}

void LensFeed::release(Connection& connection) {
  if (!connection.held) return;
  connection.timer->cancel();
  connection.published = loop_.now();
  LensMessage tick = *std::exchange(connection.held, std::nullopt);
  engine_.publish({loop_.now(), LensReported{connection.pid, std::move(tick)}});
}

bool LensFeed::is_due(Connection& connection, LensTick& tick) {
  for (auto& loader : tick.loaders) {
    if (!connection.held) break;
    for (const auto& held : connection.held->loaders) {
      if (held.id == loader.id) loader.longest = std::max(loader.longest, held.longest);
    }
  }
  if (connection.held) keep_steps(connection.held->sync, tick.sync);
  const Instant now = loop_.now();
  const Duration every = connections_.size() > kMany && tick.sync.empty() ? kTickEveryOfMany : kTickEvery;
  if (now - connection.since > kEager && now - connection.published < every) {
    connection.held = tick;
    if (!connection.timer) connection.timer = loop_.make_timer();
    connection.timer->at(connection.published + every, [this, &connection] { release(connection); });
    return false;
  }
  connection.held.reset();
  connection.published = now;
  return true;
}

}  // namespace gputop
