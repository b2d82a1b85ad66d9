#include "gputop/prometheus/curl.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "gputop/base/descriptor.hpp"
#include "gputop/base/files.hpp"
#include "gputop/config/environment.hpp"
#include "gputop/config/text_file.hpp"
#include "gputop/core/format.hpp"
#include "gputop/core/scan.hpp"

namespace gputop::prometheus {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kMostBytes = std::size_t{512} << 20U;
constexpr std::size_t kLongestSecret = 65536;

// Quoted as in curl's config files.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// Without the trailing newline that editors add; "" if neither the file nor the variable exists.
Result<std::string> secret(const std::string& file, std::string_view variable) {
  if (file.empty()) return process_environment()(variable).value_or("");
  auto text = read_text_file(file, kLongestSecret);
  if (!text) return text.error();
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  return text;
}

Result<pid_t> spawn(const Pipe& in, const Pipe& out, const Pipe& error) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.reader.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.writer.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error.writer.get(), STDERR_FILENO);
  // -q: a .curlrc may contain anything.
  std::array<char, 5> name{"curl"};
  std::array<char, 3> alone{"-q"};
  std::array<char, 9> config{"--config"};
  std::array<char, 2> dash{"-"};
  std::array<char*, 5> arguments{name.data(), alone.data(), config.data(), dash.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, "curl", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed == ENOENT)
    return Error{Error::Kind::kUnavailable, "curl is not installed: gputop uses it to query Prometheus (install curl)"};
  if (failed != 0) return io_error("cannot start curl", failed);
  return child;
}

// Reads both until they are closed. false: not in time, or too much.
bool drain(const Pipe& out, const Pipe& error, std::string& answer, std::string& complaint, Clock::time_point deadline) {
  std::array<pollfd, 2> waiting{pollfd{out.reader.get(), POLLIN, 0}, pollfd{error.reader.get(), POLLIN, 0}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || answer.size() > kMostBytes) return false;
    const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(left));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].revents == 0) continue;
      std::array<char, 65536> bytes{};
      const auto count = ::read(waiting[i].fd, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        waiting[i].fd = -1;
      } else {
        (i == 0 ? answer : complaint).append(bytes.data(), static_cast<std::size_t>(count));
      }
    }
  }
  return true;
}

// "curl: (7) Failed to connect …" without curl's own prefix.
std::string reason_in(std::string_view complaint) {
  const auto line = slice(complaint, 0, complaint.find('\n'));
  const auto behind = line.find(") ");
  return printable(line.starts_with("curl: (") && behind != std::string_view::npos ? slice(line, behind + 2) : line);
}

Result<std::string> body_of(std::string answer) {
  const auto newline = answer.rfind('\n');
  const auto code = slice(std::string_view{answer}, newline == std::string::npos ? 0 : newline + 1);
  const std::string status{code};
  // For these codes the body says what is wrong with the query.
  if (status == "200" || status == "400" || status == "422") {
    answer.resize(newline == std::string::npos ? 0 : newline);
    return answer;
  }
  if (status == "401" || status == "403")
    return Error{Error::Kind::kPermission,
                 "Prometheus rejected the login (HTTP " + status + "): --user with --password-file, or --token-file"};
  return Error{Error::Kind::kUnavailable, "Prometheus answers with HTTP " + printable(status)};
}

}  // namespace

Status check(const Access& access) {
  if (!access.url.starts_with("http://") && !access.url.starts_with("https://"))
    return Error{Error::Kind::kInvalid, "--prometheus: \"" + printable(access.url) +
                                            "\" is not an http:// or https:// address (try http://localhost:9090)"};
  if (!access.ca_file.empty() && ::access(access.ca_file.c_str(), R_OK) != 0)
    return Error{Error::Kind::kInvalid, "--ca-file: " + access.ca_file + ": " + std::strerror(errno)};
  const auto config = curl_config(access, "/", {});
  return config ? success() : Status{config.error()};
}

Result<std::string> curl_config(const Access& access, const std::string& path, const Curl::Parameters& parameters) {
  auto base = access.url;
  while (base.ends_with('/')) base.pop_back();
  const auto seconds = [](std::chrono::milliseconds time) { return format_number(static_cast<double>(time.count()) / 1000, 3); };
  std::string text = "silent\nshow-error\nget\nglobeoff\n";
  text += "proto = \"=http,https\"\n";
  text += "max-time = " + seconds(access.timeout) + "\n";
  text += "user-agent = \"gputop/" GPUTOP_VERSION "\"\n";
  text += "write-out = \"\\n%{http_code}\"\n";
  text += "url = " + in_quotes(base + path) + "\n";
  for (const auto& [name, value] : parameters) text += "data-urlencode = " + in_quotes(name + "=" + value) + "\n";
  if (!access.ca_file.empty()) text += "cacert = " + in_quotes(access.ca_file) + "\n";
  if (!access.user.empty()) {
    const auto password = secret(access.password_file, "GPUTOP_PROMETHEUS_PASSWORD");
    if (!password) return password.error();
    text += "user = " + in_quotes(access.user + ":" + *password) + "\n";
  } else {
    const auto token = secret(access.token_file, "GPUTOP_PROMETHEUS_TOKEN");
    if (!token) return token.error();
    if (!token->empty()) text += "header = " + in_quotes("Authorization: Bearer " + *token) + "\n";
  }
  return text;
}

Result<std::string> Curl::get(const std::string& path, const Parameters& parameters) {
  const auto config = curl_config(access_, path, parameters);
  if (!config) return config.error();
  Pipe in = Pipe::open();
  Pipe out = Pipe::open();
  Pipe error = Pipe::open();
  if (!in || !out || !error) return io_error("no pipe for curl");
  pid_t child = 0;
  {
    const std::lock_guard lock{mutex_};
    if (cancelled_) return Error{Error::Kind::kLost, "cancelled"};
    const auto spawned = spawn(in, out, error);
    if (!spawned) return spawned.error();
    child = child_ = *spawned;
  }
  in.reader.reset();
  out.writer.reset();
  error.writer.reset();
  std::string answer;
  std::string complaint;
  write_whole(in.writer.get(), *config);  // if it exited early, its output says why
  in.writer.reset();
  const bool whole = drain(out, error, answer, complaint, Clock::now() + access_.timeout + 2s);
  int status = 0;
  {
    const std::lock_guard lock{mutex_};  // no one may signal a process that has been waited for
    if (!whole) ::kill(child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = 0;
  }
  if (!whole) return Error{Error::Kind::kTimeout, "Prometheus did not answer in time"};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return Error{Error::Kind::kUnavailable, complaint.empty() ? "curl was killed" : reason_in(complaint)};
  return body_of(std::move(answer));
}

void Curl::cancel() {
  const std::lock_guard lock{mutex_};
  cancelled_ = true;
  if (child_ > 0) ::kill(child_, SIGKILL);
}

}  // namespace gputop::prometheus
