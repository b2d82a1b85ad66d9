// Learning rates that the code scales with the batch, and accumulation that it works out itself: see run_code.hpp.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gputop/core/scan.hpp"
#include "gputop/knobs/run_code.hpp"
#include "knobs/numbers.hpp"
#include "knobs/python_literal.hpp"
#include "knobs/python_tokens.hpp"

namespace gputop::knobs {
namespace {

using Tokens = std::vector<PythonToken>;

bool has_any(const std::vector<std::string>& words, std::initializer_list<std::string_view> some) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return std::find(some.begin(), some.end(), word) != some.end(); });
}

bool is_batch(std::string_view name) {
  return has_any(words_of(name), {"batch", "batches", "bs", "bsz", "batchsize"});
}

bool is_rate(std::string_view name) {
  const auto words = words_of(name);
  const bool rate = has_any(words, {"lr", "blr"}) || (has_any(words, {"learning"}) && has_any(words, {"rate"}));
  return rate && !has_any(words, {"min", "final", "end", "warmup", "mult", "factor", "ratio", "decay", "scale", "size"});
}

// One logical line of Python: the tokens [first, last).
struct Line {
  std::size_t first;
  std::size_t last;
};

class RateReader {
 public:
  RateReader(const std::string& file, std::string_view text, Tokens tokens)
      : file_(file), text_(text), tokens_(std::move(tokens)) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].kind != PythonToken::Kind::kLineEnd && tokens_[i].kind != PythonToken::Kind::kEnd) continue;
      if (i > first) lines_.push_back({first, i});
      first = i + 1;
    }
  }

  BatchCode read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) read_line(i);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string_view word(std::size_t i) const {
    return i < tokens_.size() ? slice(text_, tokens_[i].begin, tokens_[i].end - tokens_[i].begin) : std::string_view{};
  }

  // The names of a span that stand for a value: the last of each chain (args.batch_size), and what a subscript names.
  [[nodiscard]] std::vector<std::string> names(std::size_t first, std::size_t last) const {
    std::vector<std::string> all;
    for (std::size_t i = first; i < last; ++i) {
      const bool name = tokens_[i].kind == PythonToken::Kind::kName && word(i + 1) != "." && word(i + 1) != "(" && word(i + 1) != "[";
      const bool subscript = tokens_[i].kind == PythonToken::Kind::kString && i > first && word(i - 1) == "[" && word(i + 1) == "]";
      if (name) all.emplace_back(word(i));
      if (subscript) all.push_back(python_string(word(i)));
    }
    return all;
  }
  [[nodiscard]] bool is_chain(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (tokens_[i].kind != PythonToken::Kind::kName && word(i) != ".") return false;
    }
    return last > first;
  }

  void read_line(std::size_t index) {
    const auto [first, last] = lines_[index];
    std::size_t mark = first;
    int depth = 0;
    for (; mark < last; ++mark) {
      const auto text = word(mark);
      if (text == "(" || text == "[" || text == "{") ++depth;
      if (text == ")" || text == "]" || text == "}") --depth;
      if (depth == 0 && (text == "=" || text == "*=" || text == "/=")) break;
    }
    std::string target;
    if (mark < last) {
      const auto left = names(first, mark);
      if (!left.empty()) target = left.back();
      const auto right = names(mark + 1, last);
      if (is_chain(mark + 1, last) && is_rate(target) && is_rate(right.back())) same_as_[target].insert(right.back());
      take_nominal(target, mark, last);
    }
    const bool in_place = mark < last && word(mark) != "=";
    for (std::size_t at = mark < last ? mark + 1 : first; at < last;) {
      std::size_t end = at;
      while (end < last && !is_one_of(word(end), {",", "=", "+"})) ++end;
      // In f(lr=a * b) the name before the inner "=" is what is set.
      const bool keyword = word(end) == "=" && end < last;
      take_product(index, target, at, end, in_place);
      if (keyword && end > at) {
        std::size_t stop = end + 1;
        while (stop < last && !is_one_of(word(stop), {",", "=", "+"})) ++stop;
        take_product(index, std::string{word(end - 1)}, end + 1, stop, false);
        end = stop;
      }
      at = end + 1;
    }
  }
  static bool is_one_of(std::string_view text, std::initializer_list<std::string_view> some) {
    return std::find(some.begin(), some.end(), text) != some.end();
  }

  // args.lr = args.blr * batch / 256: the rate that is given is blr. In place it is the target itself.
  void take_product(std::size_t index, const std::string& target, std::size_t first, std::size_t last, bool in_place) {
    bool multiplies = in_place;
    bool divides = false;
    for (std::size_t i = first; i < last; ++i) {
      multiplies = multiplies || word(i) == "*";
      divides = divides || word(i) == "/";
    }
    const auto all = names(first, last);
    const bool batch = std::any_of(all.begin(), all.end(), [&](const auto& name) { return is_batch(name) || derived_.contains(name); });
    if (!batch || target.empty()) return;
    if (!is_rate(target)) {
      if (multiplies || divides) derived_.insert(target);
      return;
    }
    if (!multiplies) return;
    const auto rate = std::find_if(all.begin(), all.end(), [](const auto& name) { return is_rate(name) && !is_batch(name); });
    if (rate == all.end() && !in_place) return;
    const std::string name = in_place ? target : *rate;
    const auto only_if = switch_of(index);
    std::set<std::string> sources{name};
    if (const auto other = same_as_.find(name); other != same_as_.end()) sources.insert(other->second.begin(), other->second.end());
    for (const auto& source : sources) {
      const std::string plain = simplified(source);
      const bool known = std::any_of(found_.rates.begin(), found_.rates.end(), [&](const auto& each) { return each.name == plain; });
      if (!known) found_.rates.push_back({plain, file_, tokens_[lines_[index].first].line, only_if});
    }
  }

  // `if args.scale_lr:` around the line: what has to be on; `if not args.unscale_lr:`: "!unscalelr".
  [[nodiscard]] std::string switch_of(std::size_t index) const {
    int indent = tokens_[lines_[index].first].indent;
    for (std::size_t i = index; i-- > 0 && indent > 0;) {
      const auto [first, last] = lines_[i];
      if (tokens_[first].indent >= indent) continue;
      indent = tokens_[first].indent;
      const bool off = word(first + 1) == "not";
      const bool asks = word(first) == "if" && word(last - 1) == ":" && is_chain(first + (off ? 2 : 1), last - 1);
      if (asks && has_any(words_of(word(last - 2)), {"scale", "scaling", "auto", "unscale"})) {
        return (off ? "!" : "") + simplified(word(last - 2));
      }
    }
    return {};
  }

  // nbs = 64, and then accumulate = max(round(nbs / batch_size), 1)
  void take_nominal(const std::string& target, std::size_t mark, std::size_t last) {
    if (word(mark) == "=" && last == mark + 2) {
      const auto number = read_number(word(mark + 1));
      const auto* whole = number ? std::get_if<std::int64_t>(&number->value) : nullptr;
      if (whole != nullptr && *whole > 0) numbers_[target] = *whole;
      return;
    }
    if (found_.nominal || !has_any(words_of(target), {"accumulate", "accumulation", "accum"})) return;
    for (std::size_t i = mark + 2; i + 1 < last; ++i) {
      const auto number = numbers_.find(word(i - 1));
      if ((word(i) == "/" || word(i) == "//") && number != numbers_.end() && is_batch(word(i + 1))) {
        found_.nominal = NominalBatch{number->second, file_, tokens_[i].line};
      }
    }
  }

  const std::string& file_;
  std::string_view text_;
  Tokens tokens_;
  std::vector<Line> lines_;
  std::set<std::string, std::less<>> derived_;  // names that were worked out from the batch
  std::map<std::string, std::set<std::string>, std::less<>> same_as_;
  std::map<std::string, std::int64_t, std::less<>> numbers_;
  BatchCode found_;
};

}  // namespace

BatchCode batch_code(const std::string& file, std::string_view python) {
  auto tokens = python_tokens(python);
  return tokens ? RateReader{file, python, *std::move(tokens)}.read() : BatchCode{};
}

}  // namespace gputop::knobs
