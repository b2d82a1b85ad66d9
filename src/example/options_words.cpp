// The example's command line. A flag is a key of its YAML configuration with dashes: --batch-size 32.
#include <fstream>
#include <sstream>
#include <utility>

#include "gputop/example/example_options.hpp"

namespace gputop {
namespace {

constexpr std::string_view kHelp =
    R"(gputop example: the bundled training run. It is simulated: it needs no GPU and no PyTorch, prints what a
training script prints, and moves the GPU that `gputop --source sim` shows.

usage: gputop example [--config FILE] [--KEY VALUE]…

  --config FILE                    YAML with the keys below (see examples/simulated/train.yaml); flags win
  --batch-size N                   samples per step (8)
  --gradient-accumulation-steps N  steps per optimizer step (1)
  --num-workers N                  loader processes (2)
  --prefetch-factor N              batches each of them prepares ahead (2)
  --pin-memory BOOL                (true)
  --persistent-workers BOOL        (false)
  --precision P                    fp32, tf32, amp-fp16, amp-bf16 or bf16 (fp32)
  --gradient-checkpointing BOOL    (false)
  --optimizer NAME                 adamw, adam or sgd (adamw)
  --learning-rate X                (0.001)
  --epochs N                       (50)
  --steps-per-epoch N              (0: the whole data set)
  --card NAME                      the simulated GPU ("RTX 3090")
  --cpu-cores N                    of the simulated machine (8)
  --cpu-seconds-per-sample X       how much work one sample is for a worker
  --speed X                        10: ten simulated seconds in one (1)
  --seed N                         (0)
)";

Result<std::string> file_text(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Error{Error::Kind::kNotFound, "--config: cannot read " + path};
  return text.str();
}

// One key through the same door as the file's, so that there is one list of keys and one set of messages.
Result<ExampleOptions> with_flag(ExampleOptions base, std::string key, const std::string& value) {
  for (auto& c : key) c = c == '-' ? '_' : c;
  std::string quoted;
  for (const char c : value) quoted += c == '\'' ? std::string{"''"} : std::string{c};
  auto options = example_from_yaml(key + ": '" + quoted + "'", "command line", std::move(base));
  if (options) return options;
  const auto& message = options.error().message;  // "command line:1: batch_size: …"
  const auto place = message.find(": ");
  return Error{options.error().kind, place == std::string::npos ? message : message.substr(place + 2)};
}

}  // namespace

std::string_view example_help() {
  return kHelp;
}

Result<ExampleOptions> example_from_words(const std::vector<std::string>& words) {
  ExampleOptions options;
  std::vector<std::pair<std::string, std::string>> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& word = words[i];
    const auto equals = word.find('=');
    if (!word.starts_with("--")) return Error{Error::Kind::kInvalid, "example: unexpected argument '" + word + "'"};
    if (equals == std::string::npos && i + 1 == words.size()) {
      return Error{Error::Kind::kInvalid, "example: " + word + " wants a value"};
    }
    const auto key = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    flags.emplace_back(key, equals == std::string::npos ? words[++i] : word.substr(equals + 1));
  }
  for (const auto& [key, value] : flags) {
    if (key != "config") continue;
    const auto text = file_text(value);
    if (!text) return text.error();
    auto loaded = example_from_yaml(*text, value, std::move(options));
    if (!loaded) return loaded;
    options = *std::move(loaded);
  }
  for (const auto& [key, value] : flags) {
    if (key == "config") continue;
    auto changed = with_flag(std::move(options), key, value);
    if (!changed) return changed;
    options = *std::move(changed);
  }
  return options;
}

}  // namespace gputop
