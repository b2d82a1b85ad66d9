#include "gputop/run/run_channel.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "gputop/run/process.hpp"
#include "run/clocks.hpp"
#include "run/command.hpp"
#include "gputop/base/files.hpp"
#include "run/next_launch.hpp"
#include "run/record.hpp"
#include "run/run_channel_parts.hpp"
#include "run/run_files.hpp"
#include "run/spawn.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

std::atomic<SharedRun*> dying_note{nullptr};  // for signal handlers
constexpr std::uint32_t kMostLeftOut = 8;     // pieces of output

}  // namespace

RunChannel::RunChannel(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RunChannel::RunChannel(RunChannel&&) noexcept = default;
RunChannel& RunChannel::operator=(RunChannel&&) noexcept = default;
RunChannel::~RunChannel() = default;

Result<RunChannel> RunChannel::open(const RunFds& fds, const std::vector<std::string>& engine_arguments) {
  auto parts = std::make_unique<Parts>();
  parts->fds = fds;
  parts->inherited = capture_inherited();
  parts->engine_arguments = engine_arguments;
  parts->generation = fds.generation;
  keep_through_exec(fds, false);
  auto map = SharedMap::map(fds.shared);
  if (!map) return map.error();
  parts->shared = std::move(*map);
  dying_note = &*parts->shared;
  parts->shared->fate.judge(parts->shared->engine_faulted.exchange(0) != 0);
  RunChannel channel{std::move(parts)};
  for (std::size_t i = 0; i < channel.stream_count(); ++i) {
    channel.parts_->readers[i] = RingReader{channel.parts_->shared.ring(i)};
  }
  channel.parts_->keeper = open_pidfd(channel.parts_->shared->keeper.pid);
  return channel;
}

int RunChannel::wake_fd() const {
  return parts_->fds.wake;
}
int RunChannel::keeper_fd() const {
  return parts_->keeper.get();
}

void RunChannel::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(parts_->fds.wake, &one, sizeof one);
}

void RunChannel::clear_wake() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(parts_->fds.wake, &count, sizeof count);
  parts_->shared->engine_waiting = 1;
  beat();
  for (std::size_t i = 0; i < kStreams; ++i) {
    StreamState& stream = parts_->shared->streams[i];
    if (stream.broken == 0 || stream.broken_seen != 0) continue;
    if (parts_->fds.input[i] >= 0)
      ::close(std::exchange(parts_->fds.input[i], -1));  // ours was the last one: the job gets EPIPE
    stream.broken_seen = 1;
  }
}

Mode RunChannel::mode() const {
  return parts_->shared.mode();
}
std::size_t RunChannel::stream_count() const {
  return parts_->shared.streams();
}
std::string RunChannel::directory() const {
  return parts_->shared->directory.data();
}
std::string RunChannel::socket_path() const {
  return inside_run(directory(), kSocketName).string();
}
RunRecord RunChannel::record() const {
  return current_record(*parts_->shared);
}
Status RunChannel::publish_record() const {
  if (directory().empty()) return success();
  const auto now = record();
  parts_->listed = {now.holder.pid, now.spare.pid, now.keeper.pid};
  return write_record(now, directory());
}

bool RunChannel::keep_listed() const {
  const SharedRun& shared = *parts_->shared;
  if (directory().empty()) return false;
  const bool gone = ::access((std::filesystem::path{directory()} / kRecordName).c_str(), F_OK) != 0;
  if (!gone && parts_->listed == std::array<pid_t, 3>{shared.holder.pid, shared.spare.pid, shared.keeper.pid})
    return false;
  return publish_record().ok() && gone;
}

bool RunChannel::current() const {
  return parts_->shared->generation == parts_->generation;
}
std::uint64_t RunChannel::generation() const {
  return parts_->generation;
}
std::uint64_t RunChannel::engine_starts() const {
  return parts_->shared->engine_starts;
}

std::uint64_t RunChannel::position(std::size_t stream) const {
  return parts_->readers[stream].position();
}
std::uint64_t RunChannel::written(std::size_t stream) const {
  return parts_->readers[stream].written();
}
void RunChannel::seek(std::size_t stream, std::uint64_t offset) {
  parts_->readers[stream].seek(offset);
}

RunChannel::Piece RunChannel::read(std::size_t stream, std::span<char> into) {
  beat();
  const auto piece = parts_->readers[stream].read(into);
  return {piece.offset, piece.bytes, piece.lost};
}

bool RunChannel::release(std::size_t stream, std::uint64_t offset) {
  if (!current()) return false;
  auto& released = parts_->shared->streams[stream].released;
  if (offset > released) released = std::min(offset, position(stream));
  return true;
}

bool RunChannel::under_pressure(std::size_t stream) const {
  const StreamState& state = parts_->shared->streams[stream];
  return written(stream) - state.released > parts_->readers[stream].capacity() / 2;
}

void RunChannel::beat() {
  ++parts_->shared->heartbeat;
}

JobStatus RunChannel::status() const {
  const SharedRun& shared = *parts_->shared;
  JobStatus status;
  status.state = shared.job_state;  // read first: what it promises is written before it
  status.pid = shared.job_pid;
  status.start_ticks = shared.job_start_ticks;
  status.started = WallTime{std::chrono::milliseconds{shared.started_wall_ms}};
  status.started_monotonic_ns = shared.started_monotonic_ns;
  status.launched_monotonic_ns = shared.launched_monotonic_ns;
  status.held = status.state == JobState::kHeld;
  status.end_asker = shared.end_asker;
  status.end_signal = shared.end_signal;
  status.end_asked_ns = shared.end_asked_ns;
  status.passed_on = shared.passed_on;
  status.passed_on_from = shared.passed_on_from;
  status.passed_on_ns = shared.passed_on_ns;
  if (!status.ended_already() && !status.held) return status;
  status.launch_problem = shared.launch_problem.data();
  const JobEnd& end = shared.end;
  status.ended = WallTime{std::chrono::milliseconds{end.ended_wall_ms}};
  status.ended_monotonic_ns = end.ended_monotonic_ns;
  if (status.state != JobState::kEndedUnknown && end.wait_status != -1) {
    status.wait_status = end.wait_status;
    status.exit_code = WIFEXITED(end.wait_status) ? WEXITSTATUS(end.wait_status) : 128 + WTERMSIG(end.wait_status);
    status.user_us = end.user_us;
    status.system_us = end.system_us;
    status.max_rss_kib = end.max_rss_kib;
  }
  status.stray_count = shared.stray_count;
  for (std::size_t i = 0; i < std::min<std::size_t>(status.stray_count, kStrayLimit); ++i) {
    status.strays.push_back(shared.strays[i]);
  }
  return status;
}

std::vector<std::int64_t> RunChannel::daemons() const {
  const SharedRun& shared = *parts_->shared;
  std::array<pid_t, 64> found{};
  const std::array<pid_t, 4> not_daemons{shared.job_pid, shared.keeper.pid, shared.spare.pid, shared.engine.pid};
  const auto count = children(shared.holder.pid, not_daemons, found);
  return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::uint64_t RunChannel::input_refused() const {
  return parts_->shared->input_refused;
}
std::uint64_t RunChannel::discarded(std::size_t stream) const {
  return parts_->shared->streams[stream].discarded;
}

bool RunChannel::send(const ControlMessage& message) {
  return current() && ::send(parts_->fds.control[1], &message, sizeof message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
                          static_cast<ssize_t>(sizeof message);
}

bool RunChannel::type(std::string_view bytes) {
  while (!bytes.empty()) {
    ControlMessage message{.kind = ControlMessage::Kind::kInput};
    message.length = static_cast<std::uint32_t>(std::min(bytes.size(), message.data.size()));
    std::copy_n(bytes.begin(), message.length, message.data.begin());
    if (!send(message)) return false;
    bytes.remove_prefix(message.length);
  }
  return true;
}

bool RunChannel::resize(unsigned rows, unsigned columns) {
  ControlMessage message{.kind = ControlMessage::Kind::kResize};
  message.first = static_cast<std::int32_t>(rows);
  message.second = static_cast<std::int32_t>(columns);
  return send(message);
}

bool RunChannel::signal(int number, ControlMessage::Target target) {
  ControlMessage message{.kind = ControlMessage::Kind::kSignal};
  message.first = number;
  message.second = static_cast<std::int32_t>(target);
  return send(message);
}

bool RunChannel::end(EndAsker asker, int number, ControlMessage::Target target) {
  if (!current()) return false;
  parts_->shared->end_signal = number;  // before the signal, because the job may be gone as soon as it is sent
  parts_->shared->end_asked_ns = monotonic_ns();
  parts_->shared->end_asker = asker;
  const bool sent = signal(number, target);
  [[maybe_unused]] const auto listed = publish_record();
  return sent;
}

Status RunChannel::relaunch(const std::vector<std::string>& argv, const Variables& environment) {
  if (argv.empty()) return Error{Error::Kind::kInvalid, "no command to run"};
  const auto file = resolve_command(argv.front(), std::getenv("PATH"));
  if (!file) return file.error();
  if (!current()) return Error{Error::Kind::kLost, "this engine was replaced"};
  if (!store_launch({environment, *file, argv}, parts_->shared->next))
    return Error{Error::Kind::kInvalid, "the command line is too long to restart the run"};
  if (!follow(Follow::kLaunch, true)) return Error{Error::Kind::kLost, "the run's keeper does not answer: try again"};
  return success();
}

bool RunChannel::follow(Follow what) {
  return follow(what, false);
}

bool RunChannel::follow(Follow what, bool anew) {
  ControlMessage message{.kind = ControlMessage::Kind::kFollow};
  message.first = static_cast<std::int32_t>(what);
  message.second = static_cast<std::int32_t>(launches());
  message.anew = anew ? 1 : 0;
  if (current()) parts_->shared->follow = std::uint64_t{launches()} << 32U | static_cast<std::uint32_t>(what);
  const bool sent = send(message);
  message.anew = 0;
  parts_->follow = message;
  return sent;
}

void RunChannel::repeat_follow() {
  if (parts_->follow) send(*parts_->follow);
}

std::uint32_t RunChannel::launches() const {
  return parts_->shared->launches;
}
std::uint64_t RunChannel::launched_at(std::size_t stream) const {
  return parts_->shared->launched_at[stream];
}

std::optional<std::vector<std::string>> RunChannel::argv() const {
  auto launched = stored_launch(parts_->shared->launched);
  return launched ? std::optional{std::move(launched->argv)} : std::nullopt;
}

void RunChannel::note_relaunch() {
  if (!current()) return;
  auto& shared = *parts_->shared;
  shared.launched = shared.next;
  auto known = record();
  known.argv = argv().value_or(known.argv);
  store_record(known, shared);
  [[maybe_unused]] const auto listed = publish_record();
}

void RunChannel::begin_output(std::size_t stream, std::uint64_t begin, std::uint64_t end) {
  auto& fate = parts_->shared->fate;
  fate.reading = {static_cast<std::uint32_t>(stream), begin, end, 0};
  fate.work = EngineWork::kOutput;
}
void RunChannel::begin(EngineWork work) {
  auto& fate = parts_->shared->fate;
  (work == EngineWork::kHistory) ? fate.reads_history = 1 : (fate.work = work, 0U);
}
void RunChannel::end_work() {
  parts_->shared->fate.work = EngineWork::kNone;
}
void RunChannel::end_history() {
  parts_->shared->fate.reads_history = 0;
}
bool RunChannel::is_deadly(EngineWork work) const {
  return parts_->shared->fate.is_deadly(work);
}

RunChannel::Caution RunChannel::caution(std::size_t stream) const {
  const auto& fate = parts_->shared->fate;
  if (fate.left_out >= kMostLeftOut) return {.leave_out = true};
  const auto at = position(stream);
  const auto* const suspect = fate.suspect_from(static_cast<std::uint32_t>(stream), at);
  if (suspect == nullptr) return {};
  if (at < suspect->begin) return {.most = suspect->begin - at};
  const bool guilty = suspect->blame >= kEnoughBlame;
  return {.most = suspect->end - at, .by_lines = !guilty, .leave_out = guilty};
}

bool RunChannel::note_left_out() {
  return ++parts_->shared->fate.left_out < kMostLeftOut;
}

void RunChannel::note_nvml_death(const char* function, int signal) {
  SharedRun* const shared = dying_note;
  if (shared == nullptr) return;
  auto& name = shared->nvml_function;
  const std::size_t length = ::strnlen(function, name.size() - 1);
  std::copy_n(function, length, name.begin());
  name[length] = '\0';
  shared->nvml_signal = signal;
  ++shared->nvml_deaths;
}

RunChannel::NvmlDeaths RunChannel::nvml_deaths() const {
  const SharedRun& shared = *parts_->shared;
  const auto& name = shared.nvml_function;
  return {shared.nvml_deaths, std::string{name.data(), ::strnlen(name.data(), name.size())}, shared.nvml_signal};
}

void RunChannel::done() {
  if (current()) parts_->shared->done_generation = parts_->generation;
}

}  // namespace gputop::run
