#include "gputop/rehearsal/rehearse.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "gputop/base/files.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/engine/lens_launch.hpp"
#include "gputop/run/run_dir.hpp"
#include "rehearsal/write_guard.hpp"

extern char** environ;

namespace gputop {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds kLook{20};
constexpr double kGraceSeconds = 20;  // beyond the time the rehearsal itself keeps: imports, a loader that hangs

// A folder that is gone with it.
class Scratch {
 public:
  Scratch() {
    auto pattern = (fs::temp_directory_path() / "gputop-rehearsal-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string read_file(const fs::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string wish_json(const RehearsalWish& wish, const fs::path& folder, const WriteGuard& guard) {
  nlohmann::json json = {{"trace", (folder / "trace").string()},      {"scratch", (folder / "files").string()},
                         {"guard", guard.report()},
                         {"steps", wish.options.steps},               {"timeout", wish.options.timeout_seconds},
                         {"batch_factor", wish.batch_factor},         {"change", wish.change},
                         {"brief", wish.brief}};
  if (wish.options.profile) json["watch"] = "cuda";
  if (wish.gpu) {
    json["name"] = wish.gpu->name;
    json["memory"] = wish.gpu->memory.value();
    if (wish.gpu->capability) json["capability"] = {wish.gpu->capability->major, wish.gpu->capability->minor};
  }
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> environment_for(const RehearsalWish& wish, const fs::path& folder, const WriteGuard& guard) {
  auto path = (run::lens_folder(folder) / "inject").string();
  if (const auto own = process_environment()("PYTHONPATH"); own && !own->empty()) path += ":" + *own;
  std::vector<std::pair<std::string, std::string>> variables{{"PYTHONPATH", path}};
  variables.emplace_back("GPUTOP_REHEARSAL", wish_json(wish, folder, guard));
  variables.emplace_back("PYTHONDONTWRITEBYTECODE", "1");
  // What would speak to the world, or write by itself.
  for (const auto* name : {"WANDB_MODE=disabled", "WANDB_DISABLED=true", "MLFLOW_TRACKING_URI=", "COMET_MODE=disabled",
                           "HF_HUB_DISABLE_TELEMETRY=1", "YOLO_OFFLINE=true"}) {
    const std::string_view text{name};
    const auto equals = text.find('=');
    variables.emplace_back(std::string{slice(text, 0, equals)}, std::string{slice(text, equals + 1)});
  }
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text{*entry};
    const auto name = slice(text, 0, text.find('='));
    const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& pair) { return pair.first == name; });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (auto& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

// In a group of its own, its output in a file. Returns when it has ended, or was ended after `seconds`: whether it was.
Result<bool> run_quietly(std::vector<std::string> job,
                         std::vector<std::string> environment,
                         const WriteGuard& guard,
                         const fs::path& output,
                         double seconds) {
  auto arguments = pointers(job);
  auto variables = pointers(environment);
  const auto self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return io_error("fork");
  if (child == 0) {
    ::setpgid(0, 0);
    guard.enter();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) ::_exit(127);
    const int nothing = ::open("/dev/null", O_RDONLY);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(nothing, 0);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execvpe(arguments.front(), arguments.data(), variables.data());
    ::_exit(127);
  }
  ::setpgid(child, child);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  bool ended = false;
  while (::waitpid(child, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) {
      ended = true;
      ::kill(-child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      break;
    }
    std::this_thread::sleep_for(kLook);
  }
  ::kill(-child, SIGKILL);  // a loader's workers outlive it for seconds
  return ended;
}

std::string last_line(const std::string& output) {
  auto text = std::string_view{output};
  while (!text.empty() && (last_char(text) == '\n' || last_char(text) == ' ')) skip_back(text, 1);
  const auto begin = text.rfind('\n');
  return std::string{begin == std::string_view::npos ? text : slice(text, begin + 1)};
}

// A trace is torn at its end when the job was ended.
std::string whole_lines(std::string text) {
  text.erase(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  return text;
}

}  // namespace

std::string why_no_rehearsal(const std::vector<std::string>& job) {
  if (job.empty()) return "no command";
  if (auto why = why_no_lens(true, job); !why.empty()) return why;
  const auto program = fs::path{job.front()}.filename().string();
  constexpr std::string_view kPrograms[] = {"torchrun", "accelerate", "yolo", "lightning", "fabric", "python", "pypy", "uv", "poetry"};
  for (const auto& known : kPrograms)
    if (program.starts_with(known)) return {};
  std::string path = job.front();
  std::ifstream script{path};
  std::string first;
  if (std::getline(script, first) && first.starts_with("#!") && first.find("python") != std::string::npos) return {};
  return program + " is not a Python program, and anything else would do its work";
}

Result<RehearsalTrace> rehearse(const RehearsalWish& wish) {
  const Scratch scratch;
  if (scratch.path().empty()) return io_error("no folder for the rehearsal");
  std::error_code failed;
  fs::create_directory(scratch.path() / "files", failed);
  if (const auto put = put_lens(scratch.path()); !put) return put.error();
  const auto output = scratch.path() / "output";
  const WriteGuard guard{scratch.path()};
  const auto ended = run_quietly(wish.job, environment_for(wish, scratch.path(), guard), guard, output, wish.options.timeout_seconds + kGraceSeconds);
  guard.clear();
  if (!ended) return ended.error();
  const auto said = last_line(read_file(output));
  std::error_code missing;
  if (!fs::exists(scratch.path() / "trace", missing)) {
    if (said.ends_with("No module named 'torch'")) {
      return Error{Error::Kind::kUnavailable, wish.job.front() + " finds no PyTorch: start gputop in the environment that trains"};
    }
    return Error{Error::Kind::kUnavailable,
                 *ended ? "it took longer than --timeout"
                        : "it ended without using PyTorch on a GPU" + (said.empty() ? "" : ": " + printable(said))};
  }
  auto trace = read_rehearsal(whole_lines(read_file(scratch.path() / "trace")));
  if (!trace) return trace;
  if (auto gap = guard.gap(); !gap.empty()) trace->assumptions.push_back(std::move(gap));
  const bool stepped = std::any_of(trace->events.begin(), trace->events.end(),
                                   [](const RehearsalEvent& event) { return event.kind == RehearsalEvent::Kind::kStep; });
  auto why = trace->fact("error");
  if (!why.empty() && !trace->fact("error_at").empty()) why = trace->fact("error_at") + ": " + why;
  if (stepped) {
    if (!why.empty() && trace->fact("end") == "exit")
      trace->assumptions.push_back("nothing after step " + trace->fact("steps") + " needs more memory: the rehearsal ended there with an error, " + why);
    return trace;
  }
  if (why.empty() && *ended) why = "it took longer than --timeout";
  if (why.empty()) why = trace->fact("end") == "exit" ? "it ended before an optimizer step" : trace->fact("end");
  if (why == "timeout") why = "no optimizer step within --timeout";
  return Error{Error::Kind::kUnavailable, printable(why)};
}

}  // namespace gputop
