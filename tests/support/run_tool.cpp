// run_tool: the run module as a program, for tests and the bench. Its engine copies the ring into files and takes
// orders from a FIFO, nothing else.
//   run_tool [--pipes] [--ring BYTES] [--size ROWSxCOLUMNS] [--out DIR] --root DIR -- COMMAND…
//   run_tool list DIR
// RUN_TOOL_FAIL=NAME:ERRNO fails the named system call of the start once in each process.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "gputop/run/hidden_mode.hpp"
#include "gputop/run/inherited.hpp"
#include "gputop/run/launch.hpp"
#include "run/syscall.hpp"

namespace {

namespace fs = std::filesystem;
using namespace gputop::run;

int planned_fault(const char* name) {
  static bool failed = false;
  const char* plan = std::getenv("RUN_TOOL_FAIL");
  const auto size = std::strlen(name);
  if (plan == nullptr || failed || std::strncmp(plan, name, size) != 0 || plan[size] != ':') return 0;
  failed = true;
  return std::atoi(plan + size + 1);
}

// One stream's recording: the file holds every byte that was not lost, so its size and the losses give the offset.
class Recording {
 public:
  Recording(const fs::path& file, const fs::path& losses) : losses_(losses) {
    fd_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct stat info {};
    ::fstat(fd_, &info);
    offset_ = static_cast<std::uint64_t>(info.st_size);
    std::ifstream lost{losses};
    for (std::uint64_t bytes = 0; lost >> bytes;) offset_ += bytes;
  }
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  void lose(std::uint64_t bytes) {
    std::ofstream{losses_, std::ios::app} << bytes << "\n";
    offset_ += bytes;
  }
  void append(const char* data, std::size_t size) {
    if (::write(fd_, data, size) != static_cast<ssize_t>(size)) ::_exit(9);
    offset_ += size;
  }

 private:
  int fd_ = -1;
  fs::path losses_;
  std::uint64_t offset_ = 0;
};

void obey(RunChannel& channel, const std::string& line) {
  std::istringstream words{line};
  std::string order;
  words >> order;
  if (order == "type") {
    channel.type(line.substr(5) + "\n");
  } else if (order == "flood") {
    std::size_t bytes = 0;
    words >> bytes;
    for (const std::string block(1000, 'x'); bytes > 0; bytes -= 1000) {
      while (!channel.type(block)) ::usleep(1000);
    }
  } else if (order == "resize") {
    unsigned rows = 0, columns = 0;
    words >> rows >> columns;
    while (!channel.resize(rows, columns)) ::usleep(1000);  // the queue is full
  } else if (order == "signal") {
    int number = 0, target = 0;
    words >> number >> target;
    channel.signal(number, static_cast<ControlMessage::Target>(target));
  }
}

void write_end(const RunChannel& channel, const fs::path& file) {
  const JobStatus status = channel.status();
  std::ofstream draft{file.string() + ".new"};
  draft << "{\"state\": " << static_cast<unsigned>(status.state)
        << ", \"exit_code\": " << (status.exit_code ? std::to_string(*status.exit_code) : "null")
        << ", \"wait_status\": " << (status.wait_status ? std::to_string(*status.wait_status) : "null")
        << ", \"max_rss_kib\": " << (status.max_rss_kib ? std::to_string(*status.max_rss_kib) : "null")
        << ", \"refused\": " << channel.input_refused() << ", \"starts\": " << channel.engine_starts()
        << ", \"discarded\": " << channel.discarded(0) << ", \"stray_count\": " << status.stray_count
        << ", \"strays\": [";
  for (std::size_t i = 0; i < status.strays.size(); ++i) draft << (i == 0 ? "" : ", ") << status.strays[i];
  draft << "]}\n";
  draft.close();
  fs::rename(file.string() + ".new", file);
}

int engine_main(RunChannel channel, const std::vector<std::string>& arguments) {
  const fs::path out = arguments.at(0);
  std::vector<Recording> recordings;
  for (std::size_t i = 0; i < channel.stream_count(); ++i) {
    const std::string number = std::to_string(i);
    recordings.emplace_back(out / ("stream" + number), out / ("lost" + number));
    channel.seek(i, recordings[i].offset());
  }
  std::ofstream{out / "engines", std::ios::app} << ::getpid() << " " << channel.generation() << "\n";
  const std::string fifo = (out / "orders").string();
  ::mkfifo(fifo.c_str(), 0600);
  const int orders = ::open(fifo.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  std::string waiting;
  std::vector<char> buffer(1U << 18U);
  while (true) {
    const auto status = channel.status();  // before reading: what it printed until then is read below
    channel.clear_wake();
    for (std::size_t i = 0; i < recordings.size(); ++i) {
      while (true) {
        const auto piece = channel.read(i, buffer);
        if (!channel.current()) return kEngineFenced;
        if (piece.lost > 0) recordings[i].lose(piece.lost);
        if (piece.bytes == 0) break;
        recordings[i].append(buffer.data(), piece.bytes);
        if (!channel.release(i, recordings[i].offset())) return kEngineFenced;
      }
    }
    if (status.ended_already() && !fs::exists(out / "linger")) {
      write_end(channel, out / "end");
      channel.done();
      return kEngineDone;
    }
    std::array<pollfd, 3> polls{
        pollfd{channel.wake_fd(), POLLIN, 0}, {channel.keeper_fd(), POLLIN, 0}, {orders, POLLIN, 0}};
    ::poll(polls.data(), polls.size(), status.ended_already() ? 50 : 1000);
    if (!channel.current()) return kEngineFenced;
    if (polls[1].revents != 0) {
      auto followed = channel.follow_keeper();
      for (; followed && *followed == RunChannel::Succession::kWaiting; followed = channel.follow_keeper())
        ::usleep(5'000);
      if (!followed) {
        std::ofstream{out / "errors", std::ios::app} << followed.error().message << "\n";
        ::usleep(100'000);
      }
    }
    if (polls[2].revents == 0) continue;
    std::array<char, 512> text{};
    const auto got = ::read(orders, text.data(), text.size());
    if (got > 0) waiting.append(text.data(), static_cast<std::size_t>(got));
    for (auto line = waiting.find('\n'); line != std::string::npos; line = waiting.find('\n')) {
      obey(channel, waiting.substr(0, line));
      waiting.erase(0, line + 1);
    }
  }
}

int complain(const gputop::Error& error) {
  std::fprintf(stderr, "run_tool: %s\n", error.message.c_str());
  return launch_exit_code(error);
}

int list(const fs::path& root) {
  for (const auto& run : list_runs({root})) {
    std::printf("%s %s %s keeper %d engine %d job %d\n", run.record.id.c_str(), run.record.name.c_str(),
                to_string(run.state).c_str(), run.record.keeper.pid, run.record.engine.pid, run.record.job.pid);
  }
  return 0;
}

int report(const gputop::Result<LaunchedRun>& run) {
  if (!run) return complain(run.error());
  std::printf("%s keeper %d job %d\n", run->id.c_str(), run->keeper, run->job);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  fault_hook = planned_fault;
  if (const auto code = run_hidden_mode(argc, argv, engine_main)) return *code;
  LaunchRequest request;
  request.inherited = capture_inherited();
  ::signal(SIGPIPE, SIG_IGN);  // as gputop does: the job must not notice
  const std::vector<std::string> arguments{argv + 1, argv + argc};
  if (arguments.size() == 2 && arguments[0] == "list") return list(arguments[1]);
  std::string out = "/dev/null";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      request.argv.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (word == "--pipes") {
      request.mode = Mode::kPipes;
      continue;
    }
    const std::string& value = arguments.at(++i);
    if (word == "--ring") request.ring_bytes = std::stoull(value);
    if (word == "--out") out = value;
    if (word == "--root") request.root = value;
    if (word == "--size") std::sscanf(value.c_str(), "%ux%u", &request.rows, &request.columns);
  }
  request.engine_arguments = {out};
  return report(launch(request));
}
