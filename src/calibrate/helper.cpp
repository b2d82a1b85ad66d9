// gputop's side of the helper: starts it, stores its results, ends it if a call does not return.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

#include "calibrate/shared_page.hpp"
#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/base/newer_calls.hpp"
#include "gputop/calibrate/calibrate.hpp"
#include "gputop/core/format.hpp"
#include "gputop/sources/nvml_helper.hpp"

namespace gputop::calibrate {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// The helper sees this one GPU, as its device 0.
std::vector<std::string> environment_of(const std::string& uuid) {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const bool ours = variable.starts_with("CUDA_VISIBLE_DEVICES=") || variable.starts_with("CUDA_LAUNCH_BLOCKING=") ||
                      variable.starts_with("CUDA_DEVICE_ORDER=");
    if (!ours) variables.emplace_back(variable);
  }
  if (!uuid.empty()) variables.push_back("CUDA_VISIBLE_DEVICES=" + uuid);
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> all;
  for (auto& word : words) all.push_back(word.data());
  all.push_back(nullptr);
  return all;
}

// 0, or errno.
int spawn(const MeasureOptions& options, int socket, int page, pid_t& pid) {
  constexpr int kSocket = 3;
  constexpr int kPage = 4;
  std::vector<std::string> words{"gputop: calibrate",       cuda::kHelperMode,
                                 std::to_string(kSocket),   std::to_string(kPage),
                                 options.libraries.runtime.string(), options.libraries.math.string()};
  auto variables = environment_of(options.uuid);
  auto argv = pointers(words);
  auto envp = pointers(variables);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int fd = 0; fd < 3; ++fd) posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&files, socket, kSocket);
  posix_spawn_file_actions_adddup2(&files, page, kPage);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = ::posix_spawn(&pid, own_program(), &files, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

// Not below 10: the helper's descriptors 3 and 4 are copied from here.
Descriptor out_of_the_way(Descriptor file) {
  return Descriptor{::fcntl(file.get(), F_DUPFD_CLOEXEC, 10)};
}

class HelperTalk {
 public:
  HelperTalk(const MeasureOptions& options, Measured& measured) : options_(options), measured_(measured) {}

  // False: there is nothing more to come.
  bool take(std::string_view line, int socket, pid_t pid) {
    if (line.size() < 2) return true;
    const auto text = line.substr(2);
    switch (line.front()) {
      case cuda::kStage:
        if (options_.progress) options_.progress(printable(text));
        break;
      case cuda::kRuntime: measured_.values.runtime = printable(text); break;
      case cuda::kNote: measured_.values.notes.push_back(printable(text)); break;
      case cuda::kValue: value(text); break;
      case cuda::kMemory: memory(text, socket, pid); break;
      case cuda::kFailure: {
        int code = 0;
        const auto blank = std::min(text.find(' '), text.size());
        std::from_chars(text.data(), text.data() + blank, code);
        measured_.failure = Failure{code, printable(text.substr(std::min(blank + 1, text.size()))), ""};
        return false;
      }
      case cuda::kEnd: return false;
      default: break;
    }
    return true;
  }
  void note_memory_before() {
    if (options_.memory_used) before_ = options_.memory_used(0).all;
  }

 private:
  void set(std::string_view key, double number) {
    each_measure(measured_.values, [&](std::string_view name, std::string_view, std::string_view, Reading<double>& member) {
      if (name == key) member = number;
    });
  }
  void value(std::string_view text) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos) return;
    double number = 0;
    const auto rest = text.substr(blank + 1);
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error == std::errc{} && number > 0 && number < 1e30) set(text.substr(0, blank), number);
  }
  void memory(std::string_view key, int socket, pid_t pid) {
    const auto now = options_.memory_used ? options_.memory_used(pid) : MemorySeen{};
    if (now.helper) {
      set(key, static_cast<double>(now.helper->value()));
    } else if (const auto before = before_.value_or(now.all.value_or(Bytes{})); now.all && *now.all > before) {
      set(key, static_cast<double>((*now.all - before).value()));
    } else {
      measured_.values.notes.emplace_back("the memory of a CUDA context was not measured: NVML does not show it");
    }
    [[maybe_unused]] const auto sent = ::send(socket, "", 1, MSG_NOSIGNAL);
  }

  const MeasureOptions& options_;
  Measured& measured_;
  Reading<Bytes> before_;
};

constexpr auto kBetweenCalls = 60s;

enum class Ending { kDone, kGone, kHung };

Ending listen(HelperTalk& session, const cuda::SharedPage& page, std::chrono::milliseconds patience, int socket, pid_t pid) {
  std::string pending;
  auto progress = page.progress.load();
  auto moved = Clock::now();
  for (;;) {
    pollfd ready{socket, POLLIN, 0};
    const int count = ::poll(&ready, 1, 50);
    if (count > 0) {
      char buffer[1024];
      const auto got = ::recv(socket, buffer, sizeof buffer, MSG_DONTWAIT);
      if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return Ending::kGone;
      if (got > 0) pending.append(buffer, static_cast<std::size_t>(got));
      for (auto end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
        const bool more = session.take(std::string_view{pending}.substr(0, end), socket, pid);
        pending.erase(0, end + 1);
        moved = Clock::now();
        if (!more) return Ending::kDone;
      }
    }
    if (const auto now = page.progress.load(); now != progress) {
      progress = now;
      moved = Clock::now();
    }
    // Between two calls it only fills memory, which may take long on a loaded machine.
    if (Clock::now() - moved > (page.call.load() != 0 ? patience : patience + kBetweenCalls)) return Ending::kHung;
  }
}

// How it died; nullopt: it cannot be ended, because it is stuck in the kernel.
std::optional<int> end(pid_t pid, Ending ending) {
  const auto wait = [&](std::chrono::milliseconds time) -> std::optional<int> {
    for (const auto until = Clock::now() + time; Clock::now() < until; std::this_thread::sleep_for(10ms)) {
      int status = 0;
      if (::waitpid(pid, &status, WNOHANG) == pid) return status;
    }
    return std::nullopt;
  };
  if (ending != Ending::kHung) {
    if (const auto status = wait(2000ms)) return status;
  }
  ::kill(pid, SIGKILL);
  return wait(2000ms);
}

std::string how(int status) {
  if (WIFSIGNALED(status)) return std::string{"crashed ("} + ::strsignal(WTERMSIG(status)) + ")";
  return "called exit()";
}

}  // namespace

Measured measure(const MeasureOptions& options) {
  Measured measured;
  measured.values.uuid = options.uuid;
  measured.values.library = options.libraries.runtime.string();
  const auto give_up = [&](const std::string& what) {
    measured.failure = Failure{0, io_error(what).message, ""};
    return measured;
  };
  bool sealable = false;
  const auto page = out_of_the_way(Descriptor{open_memory("gputop-calibrate", sealable)});
  if (!page || ::ftruncate(page.get(), sizeof(cuda::SharedPage)) != 0) return give_up("no memory could be shared");
  void* const shared = ::mmap(nullptr, sizeof(cuda::SharedPage), PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0);
  if (shared == MAP_FAILED) return give_up("no memory could be shared");
  const auto& state = *static_cast<const cuda::SharedPage*>(shared);
  int sockets[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return give_up("no helper could be started");
  const auto ours = out_of_the_way(Descriptor{sockets[0]});
  pid_t pid = -1;
  HelperTalk session{options, measured};
  session.note_memory_before();
  {
    const auto theirs = out_of_the_way(Descriptor{sockets[1]});
    errno = spawn(options, theirs.get(), page.get(), pid);
    if (errno != 0) return give_up("no helper could be started");
  }
  const auto ending = listen(session, state, options.patience, ours.get(), pid);
  const std::string call = cuda::name_of(static_cast<cuda::Call>(state.call.load()));
  const auto status = end(pid, ending);
  const std::string where = call.empty() ? "between two calls" : "in " + call;
  if (ending == Ending::kHung) {
    measured.failure = Failure{0, "CUDA hangs " + where + ": it did not come back within " +
                                      std::to_string(options.patience.count() / 1000) + " s" +
                                      (status ? "" : ", and its process cannot be ended: it is stuck in the driver"),
                               call.empty() ? "?" : call};
  } else if (ending == Ending::kGone) {
    measured.failure = Failure{0, "CUDA " + how(status.value_or(0)) + " " + where, call.empty() ? "?" : call};
  }
  ::munmap(shared, sizeof(cuda::SharedPage));
  return measured;
}

}  // namespace gputop::calibrate
