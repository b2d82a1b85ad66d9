// Settings that the code divides by the number of ranks: see run_code.hpp.
#include <algorithm>
#include <array>
#include <optional>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/run_code.hpp"
#include "knobs/python_tokens.hpp"

namespace gputop::knobs {
namespace {

using Kind = PythonToken::Kind;

class DivisionReader {
 public:
  DivisionReader(const std::string& file, std::string_view text, std::vector<PythonToken> tokens)
      : file_(file), text_(text), tokens_(std::move(tokens)) {}

  std::vector<RankDivision> read() {
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      const auto mark = word(i);
      const bool in_place = mark == "//=" || mark == "/=";
      if (mark != "//" && mark != "/" && !in_place) continue;
      const auto name = numerator(i - 1);
      const auto whose = divisor(i + 1);
      if (!name || !whose || (!in_place && !becomes_one_ranks(name->first))) continue;
      const RankDivision found{simplified(name->last), *whose, file_, tokens_[i].line};
      const bool known = std::any_of(found_.begin(), found_.end(), [&](const auto& each) { return each.name == found.name; });
      if (!known) found_.push_back(found);
    }
    return std::move(found_);
  }

 private:
  struct Chain {
    std::size_t first;  // token: args of args.batch_size
    std::string last;   // batch_size
  };

  [[nodiscard]] std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? slice(text_, tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : std::string_view{};
  }
  [[nodiscard]] bool is_name(std::size_t i) const { return tokens_[i].kind == Kind::kName; }

  static bool has(const std::vector<std::string>& words, std::initializer_list<std::string_view> some) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& each) {
      return std::find(some.begin(), some.end(), each) != some.end();
    });
  }

  // args.batch_size, opt["batch_size"], and (args.workers + ngpus - 1), which rounds up.
  [[nodiscard]] std::optional<Chain> numerator(std::size_t end) const {
    if (word(end) == ")" && end >= 2 && word(end - 1) == "1" && word(end - 2) == "-") {
      while (end > 0 && word(end) != "+") {
        if (word(end) == "(") return std::nullopt;
        --end;
      }
      if (end == 0) return std::nullopt;
      return chain(end - 1);
    }
    return chain(end);
  }
  [[nodiscard]] std::optional<Chain> chain(std::size_t end) const {
    std::string last;
    if (word(end) == "]" && end >= 2 && tokens_[end - 1].kind == Kind::kString) {
      auto raw = word(end - 1);
      last = raw.size() > 2 ? slice(raw, 1, raw.size() - 2) : std::string_view{};
    } else if (is_name(end)) {
      last = word(end);
    } else {
      return std::nullopt;
    }
    std::size_t first = end;
    while (first > 0) {
      const auto before = word(first - 1);
      const bool part = before == "." || before == "[" || before == "]" || tokens_[first].kind == Kind::kString ||
                        (is_name(first - 1) && (word(first) == "." || word(first) == "["));
      if (!part) break;
      --first;
    }
    // n / batch_size / world_size counts steps, lr * batch_size / world_size is a rate.
    for (std::size_t i = first; i-- > 0;) {
      if (word(i) == "(" || is_name(i)) {
        if (word(i) == "return") break;
        continue;
      }
      static constexpr std::array<std::string_view, 6> kProduct{"/", "//", "*", "%", "-", "+"};
      if (std::find(kProduct.begin(), kProduct.end(), word(i)) != kProduct.end()) return std::nullopt;
      break;
    }
    return Chain{first, std::move(last)};
  }

  // world_size, max(1, cfg.NUM_GPUS), torch.cuda.device_count(), ngpus_per_node
  [[nodiscard]] std::optional<Whose> divisor(std::size_t at) const {
    std::vector<std::string> words;
    int depth = 0;
    constexpr std::size_t kLongest = 16;
    for (std::size_t i = at; i < at + kLongest && i < tokens_.size(); ++i) {
      if (word(i) == "(" || word(i) == "[") ++depth;
      if (word(i) == ")" || word(i) == "]") --depth;
      const bool ends = depth < 0 || tokens_[i].kind == Kind::kLineEnd || (depth == 0 && (word(i) == "," || word(i) == "if"));
      if (ends) break;
      if (!is_name(i) && tokens_[i].kind != Kind::kString) continue;
      for (auto& each : words_of(word(i))) words.push_back(std::move(each));
    }
    if (has(words, {"accum", "accumulation", "accumulate", "acc", "batch", "time", "steps", "micro"})) return std::nullopt;
    const bool all = has(words, {"world", "replicas", "nprocs", "processes"});
    const bool gpus = has(words, {"gpus", "gpu", "ngpus", "ngpu", "devices"}) ||
                      (has(words, {"device"}) && has(words, {"count"}));
    if (!all && !gpus) return std::nullopt;
    const bool of_node = has(words, {"node"}) || (gpus && !all && !has(words, {"total", "all", "global"}));
    return of_node ? Whose::kNode : Whose::kAll;
  }

  // batch_size=…, per_gpu = …, return …: what comes of it is one rank's share of the same thing.
  [[nodiscard]] bool becomes_one_ranks(std::size_t first) const {
    // An argument without a name: make_loader(path, batch_size // world_size).
    if (first > 0 && (word(first - 1) == "," || (word(first - 1) == "(" && first > 1 && is_name(first - 2)))) {
      const auto own = words_of(word(first));
      if (word(first + 1) != "." && has(own, {"batch", "workers"})) return true;
    }
    for (std::size_t i = first; i-- > 0;) {
      if (word(i) == "return") return true;
      if (tokens_[i].kind == Kind::kLineEnd || word(i) == ",") return false;
      if (word(i) != "=") continue;
      if (i == 0) return false;
      const auto target = numerator_name(i - 1);
      return has(words_of(target), {"batch", "bs", "bsz", "batchsize", "per", "local", "workers", "nw", "num"});
    }
    return false;
  }
  [[nodiscard]] std::string_view numerator_name(std::size_t end) const {
    return word(end) == "]" && end > 0 ? word(end - 1) : word(end);
  }

  const std::string& file_;
  std::string_view text_;
  std::vector<PythonToken> tokens_;
  std::vector<RankDivision> found_;
};

}  // namespace

std::vector<RankDivision> rank_divisions(const std::string& file, std::string_view python) {
  auto tokens = python_tokens(python);
  return tokens ? DivisionReader{file, python, *std::move(tokens)}.read() : std::vector<RankDivision>{};
}

}  // namespace gputop::knobs
