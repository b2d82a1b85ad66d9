// Which PyTorch the run would use. Python says where it is, without importing it; its version.py says what it was built
// for.
#include <unistd.h>

#include <algorithm>
#include <array>

#include "gputop/base/answer.hpp"
#include "doctor/probe/probes.hpp"

namespace gputop::doctor {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The program that a shell would find.
fs::path on_path(const std::string& word, const ProbeOptions& options) {
  if (word.find('/') != std::string::npos) return ::access(word.c_str(), X_OK) == 0 ? fs::path{word} : fs::path{};
  const auto path = options.environment ? options.environment("PATH").value_or("") : "";
  for (std::size_t begin = 0; begin <= path.size();) {
    const auto end = std::min(path.find(':', begin), path.size());
    const fs::path candidate = fs::path{path.substr(begin, end - begin)} / word;
    std::error_code error;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error)) return candidate;
    begin = end + 1;
  }
  return {};
}

// python, python3, python3.13
bool is_python(const std::string& word) {
  const auto name = fs::path{word}.filename().string();
  return name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

// Programs that start a Python of their own choice, or elsewhere.
bool chooses_python(const std::string& word) {
  constexpr std::array<std::string_view, 14> kNames{"conda", "mamba",  "micromamba", "uv",     "uvx",         "poetry",    "pipenv",
                                                    "pdm",   "pixi",   "docker",     "podman", "singularity", "apptainer", "ssh"};
  return std::find(kNames.begin(), kNames.end(), fs::path{word}.filename().string()) != kNames.end();
}

// torchrun and accelerate are scripts whose first line names their Python.
fs::path python_of_script(const fs::path& script, const ProbeOptions& options) {
  auto line = Files{"/"}.text(script.string()).value_or("");
  line = line.substr(0, line.find('\n'));
  if (!line.starts_with("#!")) return {};
  line.erase(0, 2);
  for (std::size_t begin = 0; begin < line.size();) {
    const auto end = std::min(line.find(' ', begin), line.size());
    const auto word = line.substr(begin, end - begin);
    if (is_python(word)) return on_path(word, options);
    begin = end + 1;
  }
  return {};
}

// The Python that will run: of the command, or what a shell would start. `unknown` says why it is not known.
fs::path python_of(const ProbeOptions& options, std::string& unknown) {
  const auto& command = options.command;
  if (!command.empty() && chooses_python(command.front())) {
    unknown = command.front() + " chooses the Python: put gputop inside of it";
    return {};
  }
  for (const auto& word : command) {
    if (!is_python(word)) continue;
    auto python = on_path(word, options);
    if (python.empty()) unknown = word + " was not found";
    return python;
  }
  if (!command.empty()) {
    const auto launcher = on_path(command.front(), options);
    auto python = launcher.empty() ? fs::path{} : python_of_script(launcher, options);
    if (python.empty()) unknown = command.front() + (launcher.empty() ? " was not found" : " does not say which Python it starts");
    return python;
  }
  auto python = on_path("python3", options);
  if (python.empty()) python = on_path("python", options);
  if (python.empty()) unknown = "no Python found";
  return python;
}

// '2.15.0+cu130' after "name =" or "name: Type =".
std::string assigned(const std::string& text, std::string_view name) {
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.starts_with(name) || line.size() == name.size() || (line[name.size()] != ' ' && line[name.size()] != ':'))
      continue;
    const auto equals = line.find('=');
    const auto open = equals == std::string::npos ? equals : line.find_first_of("'\"", equals);
    if (open == std::string::npos) return {};
    const auto close = line.find(line[open], open + 1);
    return close == std::string::npos ? std::string{} : line.substr(open + 1, close - open - 1);
  }
  return {};
}

}  // namespace

void probe_torch(const ProbeOptions& options, Machine& machine) {
  auto& torch = machine.torch;
  if (options.quietly) {
    torch.unknown = "Python is not started beside a run";
    return;
  }
  const auto python = python_of(options, torch.unknown);
  torch.program = torch.python = python.string();
  if (python.empty()) return;
  // Without the folder that -c puts in front, which does not belong to the script. A shim (pyenv, conda) reports its
  // real program.
  const std::string script =
      "import sys\nsys.path = [p for p in sys.path if p]\nimport importlib.util as u\nfound = u.find_spec('torch')\n"
      "print(sys.executable)\nprint(found.origin if found and found.origin else '')\nprint('end')";
  const auto answer = answer_of({torch.python, "-c", script}, 1000ms);
  const auto first = answer ? answer->find('\n') : std::string::npos;
  const auto second = first == std::string::npos ? first : answer->find('\n', first + 1);
  if (second == std::string::npos || answer->find("end", second) == std::string::npos) {
    torch.unknown = torch.python + " did not say within 1 s";
    return;
  }
  if (first > 0) torch.python = answer->substr(0, first);
  const auto origin = answer->substr(first + 1, second - first - 1);
  if (origin.empty()) return;  // there is none
  const auto text = Files{fs::path{origin}.parent_path()}.text("version.py");
  if (text) {
    torch.version = assigned(*text, "__version__");
    torch.cuda = assigned(*text, "cuda");
  }
  if (torch.version.empty()) torch.unknown = "the version of PyTorch in " + origin + " is not known";
}

void ask_torch(Machine& machine) {
  if (machine.torch.program.empty() || machine.torch.cuda.empty()) return;
  const auto answer =
      answer_of({machine.torch.program, "-c", "import torch; print(torch._C._cuda_getArchFlags() or '')"}, 30s);
  if (!answer) return;
  for (std::size_t begin = 0; begin < answer->size();) {
    const auto end = std::min(answer->find_first_of(" \n", begin), answer->size());
    if (end > begin) machine.torch.architectures.push_back(answer->substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace gputop::doctor
