// gputop's side of the helper: starts it, passes its events on, handles its crashes. See nvml_helper.hpp.
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/core/format.hpp"
#include "gputop/sources/detached_thread.hpp"
#include "gputop/sources/nvml_guard.hpp"
#include "gputop/sources/nvml_helper.hpp"
#include "sources/nvml/helper_words.hpp"
#include "sources/nvml/wire.hpp"

namespace gputop {
namespace {

using namespace std::chrono_literals;
using Severity = Noted::Severity;

constexpr Duration kSilence = 15s;  // unanswered ticks for this long: the helper is stopped or hangs
constexpr Duration kTrySpawnAgain = 5s;
constexpr Duration kTryMuchLater = 300s;
constexpr unsigned kMostDeaths = 24;  // of all helpers together

// Without these functions there is nothing to read.
bool is_essential(std::string_view function) {
  return function.empty() || function == "dlopen" || function.starts_with("nvmlInit") ||
         function.starts_with("nvmlDeviceGetCount") || function.starts_with("nvmlDeviceGetHandleByIndex");
}

// Shared with the thread that listens to the helper, which may still be in a call after the source is gone.
class NvmlHelper : public std::enable_shared_from_this<NvmlHelper> {
 public:
  NvmlHelper(NvmlOptions options, NvmlCrash crash) : options_(std::move(options)), crash_(std::move(crash)) {
    if (!crash_.function.empty()) deaths_[crash_.function] = 1;
    reason_ = crash_in_words(crash_) + ": GPU readings come from a helper process";
  }

  void start(Instant now, Source::Sink sink) {
    {
      const std::lock_guard guard{sink_mutex_};
      sink_ = std::move(sink);
    }
    now_ = now;
    emit(Noted{Severity::kWarning, reason_});
    if (start_detached([self = shared_from_this()] { self->serve(); })) return;
    emit(unavailable("no thread could be started to listen to the GPU helper: raise the limit of processes (ulimit -u)"));
  }

  void tick(Instant now) {
    const std::lock_guard guard{mutex_};
    now_ = now;
    if (!socket_) return;
    if (now - heard_ > kSilence) ::kill(pid_, SIGKILL);
    send(now);
  }

  void stop() {
    {
      const std::lock_guard guard{mutex_};
      stopping_ = true;
      if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
      wake_.notify_all();
    }
    const std::lock_guard guard{sink_mutex_};
    sink_ = nullptr;
  }

 private:
  SourceStatus unavailable(std::string why) const {
    return {"nvml", SourceStatus::State::kUnavailable, std::move(why), "", false, false};
  }

  void emit(Payload payload) {
    Instant at;
    {
      const std::lock_guard guard{mutex_};
      at = now_;
    }
    pass_on({at, std::move(payload)});
  }
  void pass_on(Event event) {
    const std::lock_guard guard{sink_mutex_};
    if (sink_) sink_(std::move(event));
  }

  void send(Instant at) {
    const auto count = at.time_since_epoch().count();
    [[maybe_unused]] const auto sent = ::send(socket_.get(), &count, sizeof count, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  // Runs on its own thread.
  void serve() {
    for (;;) {
      std::array<int, 2> sockets{-1, -1};
      const bool paired = ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets.data()) == 0;
      Descriptor ours{sockets[0]};
      Descriptor theirs{sockets[1]};
      const pid_t pid = paired ? spawn(theirs.get()) : -1;
      theirs.reset();
      if (pid < 0) {
        emit(unavailable(io_error("the GPU helper could not be started").message));
        if (!pause(kTrySpawnAgain)) return;
        continue;
      }
      const int socket = ours.get();
      take(pid, std::move(ours));
      const auto crash = listen(socket);
      let_go();
      int status = 0;
      ::kill(pid, SIGKILL);
      while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
      if (!judge(crash, status)) return;
    }
  }

  // False: stopped in the meantime.
  bool pause(Duration time) {
    std::unique_lock lock{mutex_};
    return !wake_.wait_for(lock, time, [&] { return stopping_; });
  }

  void take(pid_t pid, Descriptor socket) {
    const std::lock_guard guard{mutex_};
    pid_ = pid;
    socket_ = std::move(socket);
    if (stopping_) ::shutdown(socket_.get(), SHUT_RDWR);
    heard_ = now_;
    send(now_);
    send(now_);
  }
  void let_go() {
    const std::lock_guard guard{mutex_};
    socket_.reset();
    pid_ = -1;
  }

  pid_t spawn(int theirs) {
    const int there = theirs > 3 ? theirs - 1 : theirs + 1;  // its number in the helper
    std::vector<std::string> words{"gputop: NVML", std::string{nvml::kHelperMode}, std::to_string(there), options_.library,
                                   std::to_string(options_.first_reading_waits.count())};
    for (const auto gpu : options_.gpus) words.push_back(std::to_string(gpu));
    words.insert(words.end(), options_.avoid.begin(), options_.avoid.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_adddup2(
        &files, theirs, there);  // keeps it open across exec; dup2 to the same number works only since glibc 2.29
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t pid = -1;
    const int error = ::posix_spawn(&pid, own_program(), &files, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    errno = error;
    return error == 0 ? pid : -1;
  }

  // Listens until it exits. Returns what it reported about its crash, if anything.
  std::optional<NvmlCrash> listen(int socket) {
    std::vector<char> buffer(nvml::kMostDatagram);
    std::optional<NvmlCrash> crash;
    for (;;) {
      const auto got = ::recv(socket, buffer.data(), buffer.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return crash;
      {
        const std::lock_guard guard{mutex_};
        heard_ = now_;
      }
      const std::string_view bytes{buffer.data(), static_cast<std::size_t>(got)};
      if (bytes.front() == nvml::kCrashed && bytes.size() >= 2) {
        crash = NvmlCrash{printable(bytes.substr(2)), bytes[1]};
        continue;
      }
      auto event = nvml::decode_event(bytes);
      if (!event) continue;
      if (auto* status = std::get_if<SourceStatus>(&event->payload); status && status->message.empty()) {
        status->message = reason_;
      }
      pass_on(*std::move(event));
    }
  }

  // False: stopped, so no other helper is started.
  bool judge(const std::optional<NvmlCrash>& said, int status) {
    {
      const std::lock_guard guard{mutex_};
      if (stopping_) return false;
    }
    const NvmlCrash crash = said.value_or(NvmlCrash{"", WIFSIGNALED(status) ? WTERMSIG(status) : 0});
    if (crash.signal == SIGKILL || crash.signal == SIGTERM) {  // killed by someone else, or silent
      emit(Noted{Severity::kWarning, "the GPU helper was killed and is being restarted"});
      return pause(1s);
    }
    const bool again = ++deaths_[crash.function] >= 2;
    const auto words = crash_in_words(crash);
    if ((again && is_essential(crash.function)) || ++all_deaths_ >= kMostDeaths) {
      emit(unavailable(words + ", also in a process of its own: there are no GPU readings. The driver's library may be "
                               "damaged: see whether nvidia-smi works, or reinstall the driver"));
      all_deaths_ = 0;
      return pause(kTryMuchLater);  // the driver may be replaced while a run continues
    }
    if (again) {
      options_.avoid.push_back(crash.function);
      reason_ = words + " again and again: it is not called any more, the other GPU readings come from a helper process";
      emit(Noted{Severity::kWarning, reason_});
    } else {
      emit(Noted{Severity::kWarning, words + " in its helper process, which is being restarted"});
    }
    return true;
  }

  NvmlOptions options_;
  NvmlCrash crash_;
  std::string reason_;  // why there is a helper, for the user; owned by the listening thread once it runs
  std::map<std::string, unsigned> deaths_;  // by function
  unsigned all_deaths_ = 0;

  std::mutex sink_mutex_;
  Source::Sink sink_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  Instant now_;    // of the last tick
  Instant heard_;  // the tick at which it was last heard
  pid_t pid_ = -1;
  Descriptor socket_;
};

class NvmlHelperSource final : public Source {
 public:
  NvmlHelperSource(NvmlOptions options, NvmlCrash crash)
      : helper_(std::make_shared<NvmlHelper>(std::move(options), std::move(crash))) {}
  ~NvmlHelperSource() override { helper_->stop(); }

  [[nodiscard]] std::string_view name() const override { return "nvml"; }
  void start(Instant now, Sink sink) override { helper_->start(now, std::move(sink)); }
  void tick(Instant now) override { helper_->tick(now); }
  void stop() override { helper_->stop(); }

 private:
  std::shared_ptr<NvmlHelper> helper_;
};

}  // namespace

std::string crash_in_words(const NvmlCrash& crash) {
  const std::string where = crash.function.empty() ? "" : " in " + crash.function;
  if (crash.signal == kStandstill) return "a process that had loaded NVML stood still" + where;
  if (crash.function.empty() && crash.signal == 0) return "the GPU helper ended";
  return crash.signal == 0 ? "NVML called exit()" + where
                           : "NVML crashed" + where + " (" + death_in_words(crash.signal) + ")";
}

std::unique_ptr<Source> make_nvml_helper_source(NvmlOptions options, NvmlCrash crash) {
  return std::make_unique<NvmlHelperSource>(std::move(options), std::move(crash));
}

}  // namespace gputop
