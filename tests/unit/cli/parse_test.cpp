#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/options.hpp"

using namespace gputop;
using namespace gputop::cli;
using Catch::Matchers::ContainsSubstring;

namespace {

auto parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "gputop");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parse(static_cast<int>(words.size()), argv.data());
}

Options options(std::vector<std::string> words) {
  auto result = parsed(std::move(words));
  REQUIRE(result);
  REQUIRE(std::holds_alternative<Options>(*result));
  return std::get<Options>(*result);
}

std::string problem(std::vector<std::string> words) {
  auto result = parsed(std::move(words));
  REQUIRE_FALSE(result);
  return result.error().message;
}

std::string answer(std::vector<std::string> words) {
  auto result = parsed(std::move(words));
  REQUIRE(result);
  REQUIRE(std::holds_alternative<Answer>(*result));
  return std::get<Answer>(*result).text;
}

}  // namespace

TEST_CASE("no words means: monitor this machine", "[cli]") {
  CHECK(options({}).command == Command::kMonitor);
  CHECK(options({}).source == "auto");
}

TEST_CASE("shared options work before and after the command", "[cli]") {
  CHECK(options({"--source", "sim", "snapshot", "--json"}).source == "sim");
  const auto after = options({"snapshot", "--json", "--source", "sim", "--gpu", "0,2"});
  CHECK(after.source == "sim");
  CHECK(after.gpus == std::vector<unsigned>{0, 2});
  CHECK(after.snapshot_format == SnapshotFormat::kJson);
}

TEST_CASE("durations have units and limits", "[cli]") {
  CHECK(options({"--interval", "500ms"}).interval == std::chrono::milliseconds{500});
  CHECK(options({"--interval", "1m"}).interval == std::chrono::minutes{1});
  CHECK_THAT(problem({"--interval", "fast"}), ContainsSubstring("\"fast\" is not a duration"));
  CHECK_THAT(problem({"--interval", "10ms"}), ContainsSubstring("outside"));
  CHECK_THAT(problem({"--interval", "2m"}), ContainsSubstring("outside"));
}

TEST_CASE("unknown words get a suggestion", "[cli]") {
  CHECK_THAT(problem({"snapsot"}), ContainsSubstring("unknown command 'snapsot' (did you mean 'snapshot'?)"));
  CHECK_THAT(problem({"snapshot", "--jsn"}), ContainsSubstring("did you mean '--json'?"));
  CHECK_THAT(problem({"--intervall", "1s"}), ContainsSubstring("did you mean '--interval'?"));
  CHECK_THAT(problem({"xyzzy"}), !ContainsSubstring("did you mean"));
}

TEST_CASE("a usage error says where help is", "[cli]") {
  CHECK_THAT(problem({"snapshot", "--nope"}), ContainsSubstring("try 'gputop snapshot --help'"));
  CHECK_THAT(problem({"replay"}), ContainsSubstring("RECORDING"));
}

TEST_CASE("replay speeds", "[cli]") {
  CHECK(options({"replay", "f", "--speed", "max"}).speed == 0.0);
  CHECK(options({"replay", "f", "--speed", "2.5"}).speed == 2.5);
  CHECK_FALSE(options({"replay", "f"}).speed);
  for (const char* bad : {"0", "-1", "fast", "1x", "inf", "nan"}) {
    INFO(bad);
    CHECK_THAT(problem({"replay", "f", "--speed", bad}), ContainsSubstring("is not a speed"));
  }
}

TEST_CASE("--gpu takes numbers only", "[cli]") {
  for (const char* bad : {"a", "0,", ",1", "0;1", "-1", "0x1"}) {
    INFO(bad);
    CHECK_THAT(problem({"--gpu", bad}), ContainsSubstring("is not a list of GPU numbers"));
  }
}

TEST_CASE("help and version are answers", "[cli]") {
  CHECK_THAT(answer({"--version"}), ContainsSubstring("gputop "));
  CHECK_THAT(answer({"--help"}), ContainsSubstring("snapshot"));
  CHECK_THAT(answer({"snapshot", "--help"}), ContainsSubstring("--json"));
}

TEST_CASE("the example run's words are its own", "[cli]") {
  const auto example = options({"example", "--batch-size", "32"});
  CHECK(example.command == Command::kExample);
  CHECK(example.example_arguments == std::vector<std::string>{"--batch-size", "32"});
}

TEST_CASE("estimate: every key of a request is a flag, and only those given are handed on", "[cli]") {
  const auto given =
      options({"estimate", "--gpu", "RTX 3090", "--model", "resnet50", "--json", "--config", "train.yaml"});
  CHECK(given.command == Command::kEstimate);
  CHECK(given.json);
  CHECK(given.apply.configs == std::vector<std::string>{"train.yaml"});
  CHECK(given.gpus.empty());  // the shared --gpu is a list of numbers; here it is a card
  CHECK(given.estimate == std::vector<std::pair<std::string, std::string>>{{"gpu", "RTX 3090"}, {"model", "resnet50"}});
  CHECK(options({"show", "--source", "sim", "--batch", "4"}).command == Command::kShow);
  CHECK_THAT(problem({"estimate", "--bath", "4"}), ContainsSubstring("did you mean '--batch'?"));
  CHECK_THAT(problem({"estimate", "--batch"}), ContainsSubstring("--batch"));
}

TEST_CASE("apply: a recording, a file or a command, and changes", "[cli]") {
  const auto recorded =
      options({"apply", "run.gputop", "--change", "batch_size=48", "--change", "workers=4", "--dry-run"});
  CHECK(recorded.command == Command::kApply);
  CHECK(recorded.apply.recording == "run.gputop");
  CHECK(recorded.apply.changes == std::vector<std::string>{"batch_size=48", "workers=4"});
  CHECK(recorded.apply.dry_run);
  const auto command = options({"apply", "--change", "batch_size=48", "--yes", "--", "python", "train.py", "--yes"});
  CHECK(command.job == std::vector<std::string>{"python", "train.py", "--yes"});
  CHECK(command.apply.yes);
  const auto file = options({"apply", "--config", "a.yaml", "--scale"});
  CHECK(file.apply.configs == std::vector<std::string>{"a.yaml"});
  CHECK(file.config.empty());
}
