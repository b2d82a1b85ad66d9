#include "gputop/run/launch.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "run/clocks.hpp"
#include "run/command.hpp"
#include "gputop/base/files.hpp"
#include "gputop/base/newer_calls.hpp"
#include "run/next_launch.hpp"
#include "run/pty.hpp"
#include "run/record.hpp"
#include "run/run_files.hpp"
#include "run/shared_map.hpp"
#include "run/spawn.hpp"
#include "run/syscall.hpp"

namespace gputop::run {
namespace {

namespace fs = std::filesystem;

// Every descriptor of a run that is being started; closed with this object unless a keeper has inherited them by then.
struct Opened {
  Descriptor shared;
  Descriptor wake;
  std::array<Descriptor, 2> input;
  std::array<Descriptor, 2> output;
  std::array<Descriptor, 2> job_end;
  Descriptor user_input;

  [[nodiscard]] RunFds table() const {
    RunFds fds;
    fds.shared = shared.get();
    fds.wake = wake.get();
    fds.user_input = user_input.get();
    for (std::size_t i = 0; i < 2; ++i) {
      fds.input[i] = input[i].get();
      fds.output[i] = output[i].get();
      fds.job_end[i] = job_end[i].get();
    }
    return fds;
  }
};

std::string new_id() {
  static constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";  // without look-alikes
  std::array<unsigned char, 6> random{};
  if (!fill_random(random)) random.fill(static_cast<unsigned char>(::getpid()));
  std::string id;
  for (const auto byte : random) id += kLetters[byte % kLetters.size()];
  return id;
}

constexpr std::size_t kLongestName = 200;  // bytes: it is in run.json, which has limited space, and in ps

// The start of the character that byte `at` belongs to.
std::size_t utf8_start(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

Result<fs::path> make_directory(const fs::path& root, std::string& id) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    id = new_id();
    const fs::path directory = root / id;
    if (sys("mkdir", [&] { return ::mkdir(directory.c_str(), 0700); }) == 0) return directory;
    if (errno != EEXIST) return io_error(directory.string());
  }
  return Error{Error::Kind::kIo, root.string() + ": no unused name for the run"};
}

// The job's stdout and stderr, each through its own pipe; one pipe if both go to the same file ("2>&1"), so lines stay
// in order. One that the user closed stays closed.
Status open_pipes(Opened& opened, const Inherited& inherited) {
  const bool one = !inherited.closed[1] && !inherited.closed[2] && is_same_file(STDOUT_FILENO, STDERR_FILENO);
  for (int stream = 0; stream < 2; ++stream) {
    const auto i = static_cast<std::size_t>(stream);
    if (inherited.closed[i + 1]) continue;
    if (one && stream == 1) {
      opened.job_end[1].reset(sys("dup_output", [&] { return ::fcntl(opened.job_end[0].get(), F_DUPFD_CLOEXEC, 3); }));
      return opened.job_end[1] ? success() : Status{io_error("output: dup")};
    }
    Pipe pipe;
    if (sys("job_pipe", [&] { return (pipe = Pipe::open()) ? 0 : -1; }) != 0) return io_error("output: pipe2");
    ::fcntl(pipe.reader.get(), F_SETFL, O_RDONLY | O_NONBLOCK);
    opened.input[i] = std::move(pipe.reader);
    opened.job_end[i] = std::move(pipe.writer);
    opened.output[i].reset(sys("dup_output", [&] { return ::fcntl(stream + 1, F_DUPFD_CLOEXEC, 3); }));
    if (!opened.output[i]) return io_error("output: dup");
  }
  return success();
}

Status open_all(Opened& opened, const LaunchRequest& request) {
  auto shared = SharedMap::create(request.mode, std::max(request.ring_bytes, std::size_t{512} << 10U));
  if (!shared) return shared.error();
  opened.shared = std::move(*shared);
  opened.wake.reset(sys("eventfd", [] { return ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }));
  if (!opened.wake) return io_error("keeper: eventfd");
  if (request.keeps_input && !request.inherited.closed[0]) {
    opened.user_input.reset(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  }
  if (request.mode == Mode::kPipes) return open_pipes(opened, request.inherited);
  auto pty = open_pty(request.rows, request.columns, request.terminal);
  if (!pty) return pty.error();
  opened.input[0] = std::move(pty->master);
  opened.job_end[0] = std::move(pty->slave);
  return success();
}

std::vector<std::string> job_environment(const LaunchRequest& request, const std::string& id) {
  auto result = own_environment();
  const auto set = [&](const std::string& name, const std::string& value) {
    std::erase_if(result, [&](const std::string& entry) { return entry.starts_with(name + "="); });
    result.push_back(name + "=" + value);
  };
  for (const auto& [name, value] : request.environment) set(name, value);
  set("GPUTOP_RUN", id);
  return result;
}

std::string short_name(const LaunchRequest& request) {
  auto name = request.name.empty() ? fs::path{request.argv.front()}.filename().string() : request.name;
  const auto cut = std::min(name.size(), kLongestName);
  name.resize(cut == name.size() ? cut : utf8_start(name, cut));
  return name;
}

Result<LaunchedRun> start(const LaunchRequest& request,
                          const std::string& file,
                          const std::string& id,
                          const fs::path& directory) {
  Opened opened;
  if (auto status = open_all(opened, request); !status) return status.error();
  auto shared = SharedMap::map(opened.shared.get());
  if (!shared) return shared.error();
  if (directory.native().size() >= (*shared)->directory.size()) {
    return Error{Error::Kind::kInvalid, directory.string() + ": the path is too long"};
  }
  std::copy(directory.native().begin(), directory.native().end(), (*shared)->directory.begin());
  std::error_code ignored;
  store_record({.id = id,
                .name = short_name(request),
                .cwd = fs::current_path(ignored).string(),
                .argv = request.argv,
                .engine_arguments = request.engine_arguments,
                .gputop_version = GPUTOP_VERSION,
                .mode = request.mode},
               **shared);
  store_launch({{}, file, request.argv}, (*shared)->launched);
  const KeeperCommand command{
      .name = short_name(request), .engine_arguments = request.engine_arguments, .file = file, .argv = request.argv};
  if (request.mode == Mode::kPipes) {
    return exec_keeper(command, opened.table(), job_environment(request, id), request.inherited);
  }
  const auto holder = spawn_keeper(command, opened.table(), job_environment(request, id), request.inherited);
  if (!holder) return holder.error();
  return LaunchedRun{.id = id,
                     .directory = directory,
                     .keeper = (*shared)->keeper.pid,
                     .holder = *holder,
                     .job = (*shared)->job_pid};
}

}  // namespace

Result<LaunchedRun> launch(const LaunchRequest& request) {
  if (request.argv.empty()) return Error{Error::Kind::kInvalid, "no command to run"};
  const auto file = resolve_command(request.argv.front(), std::getenv("PATH"));
  if (!file) return file.error();
  std::string id;
  auto directory = request.root.empty() ? Result<fs::path>{fs::path{}} : make_directory(request.root, id);
  if (!directory) return directory.error();
  if (id.empty()) id = new_id();
  auto prepared = request;
  if (request.prepare && !directory->empty()) {
    for (auto& variable : request.prepare(*directory)) prepared.environment.push_back(std::move(variable));
  }
  auto run = start(prepared, *file, id, *directory);
  if (!run) remove_run_files(directory->c_str());
  return run;
}

bool is_our_failure(const Error& error) {
  return error.kind != Error::Kind::kNotFound && error.kind != Error::Kind::kPermission &&
         error.kind != Error::Kind::kLost;  // lost: it may be running
}

int launch_exit_code(const Error& error) {
  switch (error.kind) {
    case Error::Kind::kNotFound: return 127;
    case Error::Kind::kPermission: return 126;
    default: return 125;
  }
}

}  // namespace gputop::run
