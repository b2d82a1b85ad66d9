#include "gputop/store/recording_writer.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "store/recording_session.hpp"

namespace gputop {
namespace {

using Clock = std::chrono::steady_clock;
using store::Gap;
using store::RecordingSession;

// Minutes of readings at one per second, or as much job output as a disk writes in a fraction of a second.
constexpr std::size_t kMostQueued = 1024;
constexpr std::size_t kMostQueuedBytes = std::size_t{4} << 20U;
constexpr std::string_view kTooSlow = "the disk did not accept the readings in time";

}  // namespace

struct RecordingWriter::Shared {
  explicit Shared(RecordingSession&& recording) : session(std::move(recording)) {}

  std::mutex mutex;
  std::condition_variable changed;
  // Guarded by the mutex:
  std::deque<Event> queue;
  std::size_t queued_bytes = 0;
  std::optional<Gap> dropped;
  State state;
  std::uint64_t flushes_asked = 0;
  std::uint64_t flushes_done = 0;
  bool closing = false;
  bool done = false;
  Status end = success();
  std::thread thread;
  std::atomic<std::uint64_t> steps{0};
  // Used by the thread only:
  RecordingSession session;

  void drop_oldest();
  void run();
  // One iteration without the mutex: moves what was queued into the session.
  void work(std::deque<Event> events, const std::optional<Gap>& gap, bool flush);
};

// On the writing thread, without the mutex: a disk that hangs blocks only this thread.
void RecordingWriter::Shared::work(std::deque<Event> events, const std::optional<Gap>& gap, bool flush) {
  if (gap) session.add_gap(*gap);
  for (const auto& event : events) {
    session.append(event, Clock::now());
    ++steps;
  }
  session.tick(Clock::now());
  if (flush) session.flush(Clock::now());
}

// Takes everything queued under the mutex, works without it, and publishes the new state under it.
void RecordingWriter::Shared::run() {
  std::unique_lock lock{mutex};
  while (true) {
    const auto awake = [&] { return !queue.empty() || closing || flushes_done != flushes_asked; };
    if (const auto due = session.due()) {
      changed.wait_until(lock, *due, awake);
    } else {
      changed.wait(lock, awake);
    }
    auto events = std::exchange(queue, {});
    queued_bytes = 0;
    // What was appended up to here is settled once the session has flushed, or has given up on the disk.
    const auto taken = state.appended;
    const auto gap = std::exchange(dropped, {});
    const auto flushes = flushes_asked;
    const bool last = closing;
    const bool flush = flushes != flushes_done;
    lock.unlock();
    work(std::move(events), gap, flush);
    const Status ended = last ? session.finish(Clock::now()) : success();
    lock.lock();
    flushes_done = flushes;
    ++steps;
    state.paused = session.paused();
    state.reason = session.reason();
    state.bytes_written = session.bytes_written();
    // A paused disk settles events too: the ring must be released, or the job would wait for a full disk.
    if (session.paused() || session.is_flushed()) state.settled = taken;
    if (last) {
      end = ended;
      done = true;
    }
    changed.notify_all();
    if (last) return;
  }
}

Result<RecordingWriter> RecordingWriter::create(const std::string& path) {
  auto file = store::open_output_file(path);
  if (!file) return file.error();
  return create(path, *std::move(file));
}

Result<RecordingWriter::Resumed> RecordingWriter::resume(const std::string& path) {
  auto file = store::reopen_output_file(path);
  const bool gone = !file && file.error().kind == Error::Kind::kNotFound;
  if (gone) file = store::open_output_file(path);
  if (!file) return file.error();
  RecordingTail tail;
  if (!gone) {
    auto read = read_recording_tail(path);  // the lock keeps other writers out now
    if (!read) return read.error();
    tail = *read;
  }
  auto writer = create(path, *std::move(file), tail.output);
  if (!writer) return writer.error();
  return Resumed{tail, *std::move(writer)};
}

Result<RecordingWriter> RecordingWriter::create(const std::string& path,
                                                std::unique_ptr<store::OutputFile> file,
                                                const OutputEnds& recorded) {
  auto encoder = store::RecordingEncoder::create();
  if (!encoder) return encoder.error();
  (*encoder)->continue_output(recorded);
  auto shared = std::make_shared<Shared>(RecordingSession{path, std::move(file), *std::move(encoder)});
  // This thread inherits our signal mask and must get no signals. SIGXFSZ, which a file size limit raises in the
  // writing thread, would end the process; blocked, the write fails with an error that we handle.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status started = success();
  try {
    shared->thread = std::thread{[shared] { shared->run(); }};
  } catch (const std::system_error& refused) {
    started = Error{Error::Kind::kUnavailable,
                    "cannot record to " + path + ": no thread for it: " + refused.code().message()};
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) return started.error();
  return RecordingWriter{std::move(shared)};
}

RecordingWriter::RecordingWriter(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;

// Swaps, so the previous recording is closed by the temporary's destructor.
RecordingWriter& RecordingWriter::operator=(RecordingWriter&& other) noexcept {
  std::swap(shared_, other.shared_);
  return *this;
}

RecordingWriter::~RecordingWriter() {
  if (!shared_) return;
  static_cast<void>(close());
  const std::lock_guard lock{shared_->mutex};
  if (shared_->thread.joinable()) shared_->thread.detach();  // blocked in a hanging disk
}

// Readings go first: a gap says that they are missing. Only a queue without readings loses other events.
void RecordingWriter::Shared::drop_oldest() {
  auto oldest = std::find_if(queue.begin(), queue.end(), store::is_sample);
  if (oldest == queue.end()) oldest = queue.begin();
  Gap::extend(dropped, oldest->at, std::string{kTooSlow});
  queued_bytes -= store::weight_of(*oldest);
  queue.erase(oldest);
  ++state.dropped;
}

void RecordingWriter::append(Event event) {
  const std::lock_guard lock{shared_->mutex};
  if (shared_->closing) return;
  const auto weight = store::weight_of(event);
  while (!shared_->queue.empty() &&
         (shared_->queue.size() >= kMostQueued || shared_->queued_bytes + weight > kMostQueuedBytes)) {
    shared_->drop_oldest();
  }
  shared_->queue.push_back(std::move(event));
  shared_->queued_bytes += weight;
  ++shared_->state.appended;
  shared_->changed.notify_all();
}

void RecordingWriter::flush_soon() {
  const std::lock_guard lock{shared_->mutex};
  if (shared_->closing) return;
  ++shared_->flushes_asked;
  shared_->changed.notify_all();
}

// Waits for this very request: flushes_done counts requests, not flushes.
bool RecordingWriter::flush(std::chrono::milliseconds patience) {
  std::unique_lock lock{shared_->mutex};
  if (shared_->closing) return shared_->done;
  const auto mine = ++shared_->flushes_asked;
  shared_->changed.notify_all();
  const bool tried = shared_->changed.wait_for(lock, patience, [&] { return shared_->flushes_done >= mine; });
  return tried && !shared_->state.paused;
}

// The thread is joined only if it is done; otherwise the destructor detaches it, and it keeps Shared alive.
Status RecordingWriter::close(std::chrono::milliseconds patience) {
  std::unique_lock lock{shared_->mutex};
  shared_->closing = true;
  shared_->changed.notify_all();
  if (!shared_->changed.wait_for(lock, patience, [&] { return shared_->done; })) {
    return Error{Error::Kind::kTimeout, "the end of the recording is missing: the disk did not answer in time"};
  }
  const Status end = shared_->end;
  std::thread finished = std::move(shared_->thread);
  lock.unlock();
  if (finished.joinable()) finished.join();
  return end;
}

RecordingWriter::State RecordingWriter::state() const {
  const std::lock_guard lock{shared_->mutex};
  auto state = shared_->state;
  state.steps = shared_->steps;
  state.has_room = shared_->queue.size() < kMostQueued / 2 && shared_->queued_bytes < kMostQueuedBytes / 2;
  return state;
}

}  // namespace gputop
