// Which PyTorch the run would use, without starting Python: version.py says what it was built for.
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>

#include "doctor/probe/probes.hpp"

extern char** environ;  // NOLINT: POSIX's name

namespace gputop::doctor {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The program that a shell would find.
fs::path on_path(const std::string& word, const ProbeOptions& options) {
  if (word.find('/') != std::string::npos) return word;
  const auto path = options.environment ? options.environment("PATH").value_or("") : "";
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path{path.substr(begin, end - begin)} / word;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    begin = end + 1;
  }
  return {};
}

bool is_python(const std::string& word) {
  return fs::path{word}.filename().string().starts_with("python");
}

// '2.15.0+cu130' behind "name =" or "name: Type =".
std::string assigned(const std::string& text, std::string_view name) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(name) || line.size() == name.size() || (line[name.size()] != ' ' && line[name.size()] != ':'))
      continue;
    const auto open = line.find_first_of("'\"", line.find('='));
    if (open == std::string::npos) return {};
    const auto close = line.find(line[open], open + 1);
    return close == std::string::npos ? std::string{} : line.substr(open + 1, close - open - 1);
  }
  return {};
}

// The folders that a python of this prefix imports from.
std::vector<fs::path> package_folders(const fs::path& python) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& program : {python, fs::canonical(python, error)}) {
    const auto prefix = program.parent_path().parent_path();
    for (fs::directory_iterator entry{prefix / "lib", error}, end; !error && entry != end; entry.increment(error)) {
      const auto name = entry->path().filename().string();
      if (!name.starts_with("python3")) continue;
      folders.push_back(entry->path() / "site-packages");
      folders.push_back(entry->path() / "dist-packages");
    }
    error.clear();
  }
  return folders;
}

}  // namespace

void probe_torch(const ProbeOptions& options, Machine& machine) {
  fs::path python;
  for (const auto& word : options.command) {
    if (is_python(word)) {
      python = on_path(word, options);
      break;
    }
  }
  if (python.empty()) python = on_path("python3", options);
  if (python.empty()) return;
  machine.torch.python = python.string();
  for (const auto& folder : package_folders(python)) {
    const auto text = Files{folder}.text("torch/version.py");
    if (!text) continue;
    machine.torch.version = assigned(*text, "__version__");
    machine.torch.cuda = assigned(*text, "cuda");
    return;
  }
}

void ask_torch(Machine& machine) {
  if (machine.torch.python.empty() || machine.torch.cuda.empty()) return;
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe[0]);
  posix_spawn_file_actions_addclose(&actions, pipe[1]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::string program = machine.torch.python;
  std::string option = "-c";
  std::string script = "import torch; print(torch._C._cuda_getArchFlags() or '')";
  std::array<char*, 4> arguments{program.data(), option.data(), script.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::string answer;
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (failed == 0 && answer.size() < 4096) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd waiting{pipe[0], POLLIN, 0};
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) <= 0) break;
    std::array<char, 512> bytes{};
    const auto got = ::read(pipe[0], bytes.data(), bytes.size());
    if (got <= 0) break;
    answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  if (failed != 0) return;
  ::kill(child, SIGKILL);  // it has answered, or has had its time
  ::waitpid(child, nullptr, 0);
  for (std::size_t begin = 0; begin < answer.size();) {
    const auto end = std::min(answer.find_first_of(" \n", begin), answer.size());
    if (end > begin) machine.torch.architectures.push_back(answer.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace gputop::doctor
