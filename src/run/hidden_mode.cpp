#include "gputop/run/hidden_mode.hpp"

#include <sys/prctl.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>

#include "run/hidden.hpp"
#include "run/holder.hpp"
#include "run/next_job.hpp"
#include "run/process_title.hpp"

namespace gputop::run {

std::vector<std::string> keeper_command(const KeeperCommand& command, const RunFds& fds) {
  std::vector<std::string> result{"gputop: keeper " + command.name, command.mode, format_fds(fds).data(), command.name,
                                  std::to_string(command.engine_arguments.size())};
  result.insert(result.end(), command.engine_arguments.begin(), command.engine_arguments.end());
  if (!command.file.empty()) result.push_back(command.file);
  result.insert(result.end(), command.argv.begin(), command.argv.end());
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::optional<int> run_hidden_mode(int argc, char** argv, EngineMain engine_main) {
  const std::span<char*> arguments{argv, static_cast<std::size_t>(argc)};
  if (argc < 3) return std::nullopt;
  const std::string_view mode = arguments[1];
  RunFds fds;
  if (mode == kEngineMode && parse_fds(arguments[2], fds)) {
    ::prctl(PR_SET_NAME, "gputop-engine");
    const std::vector<std::string> rest{arguments.begin() + 3, arguments.end()};
    auto channel = RunChannel::open(fds, rest);
    if (channel) {
      // The processes above may be stopped or gone by now. An engine takes a while to start, and the job waits for
      // them.
      channel->wake_keeper();
      [[maybe_unused]] const auto followed = channel->follow_keeper();
      // Only engines write run.json: they exit before the keeper removes it. If it cannot be written, the run
      // continues.
      [[maybe_unused]] const auto listed = channel->publish_record();
      return engine_main(std::move(*channel), rest);
    }
    std::fprintf(stderr, "gputop: %s\n", channel.error().message.c_str());
    return 1;
  }
  if (mode == kJobMode && parse_fds(arguments[2], fds)) return become_next_job(fds);
  if ((mode != kKeeperMode && mode != kAdoptMode) || argc < 5 || !parse_fds(arguments[2], fds)) return std::nullopt;
  std::size_t count = 0;
  std::from_chars(arguments[4], arguments[4] + std::strlen(arguments[4]), count);
  const bool adopt = mode == kAdoptMode;
  if (arguments.size() < 5 + count + (adopt ? 0 : 2)) return std::nullopt;
  std::vector<std::string> words{arguments.begin(), arguments.end()};  // copies, because titles overwrite the originals
  const auto copies = pointers(words);
  lend_process_title(argc, argv);
  KeeperStart start{.fds = fds, .adopt = adopt, .name = copies[3]};
  start.engine_arguments = std::span{copies}.subspan(5, count);
  if (!adopt) {
    start.file = copies[5 + count];
    start.argv = copies.data() + 5 + count + 1;
  }
  return Holder::run(start);
}

}  // namespace gputop::run
