#include "gputop/stream/node_streams.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <map>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

extern char** environ;

namespace gputop {
namespace {

constexpr std::size_t kLongestLine = std::size_t{16} << 20U;
constexpr std::string_view kFrom = "{\"from\":\"";

// Splits into words like a shell, with quotes and nothing else.
Result<std::vector<std::string>> words_of(const std::string& text) {
  std::vector<std::string> words;
  char quote = '\0';
  bool in_word = false;
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        words.back() += c;
      }
    } else if (c == ' ' || c == '\t') {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back();
      in_word = true;
      if (c == '"' || c == '\'') {
        quote = c;
      } else {
        words.back() += c;
      }
    }
  }
  if (quote != '\0') return Error{Error::Kind::kInvalid, "--via: unclosed quote: " + text};
  return words;
}

}  // namespace

Result<std::vector<std::string>> command_on(const std::string& way, const std::string& name, const std::vector<std::string>& command) {
  auto words = words_of(way);
  if (!words) return words.error();
  bool named = false;
  for (auto& word : *words) {
    const auto open = word.find('{');
    const auto close = word.find('}', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos) continue;
    word.replace(open, close - open + 1, name);
    named = true;
  }
  if (!named)
    return Error{Error::Kind::kInvalid, "--via needs a placeholder for the node's name, such as 'ssh {host}'"};
  words->insert(words->end(), command.begin(), command.end());
  return words;
}

std::string from_line(const std::string& name) {
  std::string line{kFrom};
  for (const char c : printable(name)) {
    if (c != '"' && c != '\\') line += c;
  }
  return line + "\"}";
}

std::string name_in(std::string_view line) {
  if (!line.starts_with(kFrom) || !line.ends_with("\"}")) return {};
  return std::string{slice(line, kFrom.size(), line.size() - kFrom.size() - 2)};
}

struct NodeStreams::Child {
  pid_t pid = 0;
  Descriptor pipe;
  std::unique_ptr<Loop::Watch> watch;
  std::string rest;
  std::map<std::string, std::string> from;  // by the prefix that srun --label puts before a node's lines
  std::string complaint;                    // its last output that is not one of our lines
};

namespace {

// "2: {…}" → "2: " and the rest.
std::string take_label(std::string_view& line) {
  const auto digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || !slice(line, digits).starts_with(": ")) return {};
  std::string label{slice(line, 0, digits)};
  line = slice(line, digits + 2);
  return label;
}

}  // namespace

NodeStreams::NodeStreams(Loop& loop, Handlers handlers) : loop_(loop), handlers_(std::move(handlers)) {}

NodeStreams::~NodeStreams() {
  for (auto& child : children_) {
    child->watch.reset();
    child->pipe.reset();
    if (child->pid > 0) ::kill(child->pid, SIGTERM);
  }
  for (auto& child : children_) {
    // srun first asks its steps to end; wait at most this long for it.
    for (int i = 0; child->pid > 0 && ::waitpid(child->pid, nullptr, WNOHANG) == 0; ++i) {
      if (i == 50) ::kill(child->pid, SIGKILL);
      ::usleep(100'000);
    }
  }
}

Status NodeStreams::start(const std::vector<std::string>& command) {
  Pipe pipe = Pipe::open();
  if (!pipe) return io_error("no pipe");
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, pipe.writer.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, pipe.writer.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // Ctrl-C on our screen must not reach it; and a background srun would be stopped when it reads from our terminal.
#ifdef POSIX_SPAWN_SETSID
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
#else
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
#endif
  pid_t pid = 0;
  const int failed = ::posix_spawnp(&pid, words.front(), &actions, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return Error{Error::Kind::kNotFound, command.front() + " cannot be started: " + std::strerror(failed)};
  }
  ::fcntl(pipe.reader.get(), F_SETFL, O_NONBLOCK);
  auto& child = *children_.emplace_back(std::make_unique<Child>());
  child.pid = pid;
  child.pipe = std::move(pipe.reader);
  child.watch = loop_.watch(child.pipe.get());
  child.watch->when_readable([this, &child] { read(child); });
  return success();
}

void NodeStreams::read(Child& child) {
  std::string bytes(std::size_t{64} << 10U, '\0');
  const auto got = ::read(child.pipe.get(), bytes.data(), bytes.size());
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
    child.watch.reset();
    child.pipe.reset();
    handlers_.problem("the stream of a node has ended" + (child.complaint.empty() ? std::string{} : ": " + child.complaint));
    return;
  }
  child.rest.append(bytes, 0, got > 0 ? static_cast<std::size_t>(got) : 0);
  std::size_t begin = 0;
  for (auto end = child.rest.find('\n'); end != std::string::npos; end = child.rest.find('\n', begin)) {
    take(child, slice(std::string_view{child.rest}, begin, end - begin));
    begin = end + 1;
  }
  child.rest.erase(0, begin);
  if (child.rest.size() > kLongestLine) child.rest.clear();
  child.watch->when_readable([this, &child] { read(child); });
}

void NodeStreams::take(Child& child, std::string_view line) {
  auto& from = child.from[take_label(line)];
  if (const auto name = name_in(line); !name.empty()) {
    from = name;
  } else if (line.starts_with("{") && !from.empty()) {
    handlers_.line(from, line);
  } else if (!line.empty()) {
    child.complaint = printable(line);
    handlers_.problem(child.complaint);
  }
}

}  // namespace gputop
