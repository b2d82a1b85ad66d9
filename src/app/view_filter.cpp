#include "gputop/app/view_filter.hpp"

#include <algorithm>

#include "gputop/core/utf8.hpp"

namespace gputop {
namespace {

constexpr std::size_t kDeepest = 32;      // nested groups
constexpr std::size_t kMostRepeats = 64;  // {m,n}

char32_t lower(char32_t c) {
  return c >= U'A' && c <= U'Z' ? c + 32 : c;
}

// Invalid bytes stand for themselves, so every text consists of characters.
char32_t next_character(std::string_view& text) {
  const auto [code, length] = decode_utf8(text);
  const char32_t character = length == 0 ? static_cast<unsigned char>(text[0]) : code;
  text.remove_prefix(std::max<std::size_t>(1, length));
  return character;
}

}  // namespace

// Recursive descent over the expression (bounded depth); emits a program of states.
class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view expression) {
    for (auto rest = expression; !rest.empty();) text_.push_back(next_character(rest));
  }

  Result<Pattern> run() {
    if (text_.size() > Pattern::kLongest) {
      return fail("is longer than " + std::to_string(Pattern::kLongest) + " characters");
    }
    pattern_.any_case_ = std::none_of(text_.begin(), text_.end(), [](char32_t c) { return c >= U'A' && c <= U'Z'; });
    if (!alternatives(0)) return fail(problem_);
    if (at_ < text_.size()) return fail("has a ) without its (");
    emit({Pattern::Step::Kind::kMatch});
    if (pattern_.steps_.size() > Pattern::kMostSteps) return fail("is too large once its repeats are counted");
    return std::move(pattern_);
  }

 private:
  using Step = Pattern::Step;
  using Kind = Pattern::Step::Kind;

  Error fail(std::string_view why) const {
    return {Error::Kind::kInvalid,
            "filter " + std::string{why} + (at_ > 0 ? " (at character " + std::to_string(at_) + ")" : "")};
  }
  bool refuse(std::string_view why) {
    if (problem_.empty()) problem_ = why;
    return false;
  }
  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  std::size_t emit(Step step) {
    pattern_.steps_.push_back(step);
    return pattern_.steps_.size() - 1;
  }
  [[nodiscard]] std::size_t end() const { return pattern_.steps_.size(); }

  // a|b|c: every branch but the last starts with a split and ends with a jump past the whole.
  bool alternatives(std::size_t depth) {
    if (depth > kDeepest) return refuse("nests too deep");
    std::vector<std::size_t> jumps;
    std::size_t begin = end();
    if (!sequence(depth)) return false;
    while (more() && text_[at_] == U'|') {
      ++at_;
      insert(begin, {Kind::kSplit, 0, begin + 1, 0});
      jumps.push_back(emit({Kind::kJump}));
      pattern_.steps_[begin].second = end();
      begin = end();
      if (!sequence(depth)) return false;
    }
    for (const auto jump : jumps) pattern_.steps_[jump].first = end();
    return true;
  }

  bool sequence(std::size_t depth) {
    while (more() && text_[at_] != U'|' && text_[at_] != U')') {
      const auto begin = end();
      if (!atom(depth) || !repeats(begin)) return false;
      if (end() > Pattern::kMostSteps) return refuse("is too large once its repeats are counted");
    }
    return true;
  }

  bool atom(std::size_t depth) {
    const char32_t c = text_[at_++];
    switch (c) {
      case U'(':
        if (!alternatives(depth + 1)) return false;
        if (!more()) return refuse("has a ( without its )");
        ++at_;
        return true;
      case U'[': return set();
      case U'.': emit({Kind::kAny}); return true;
      case U'^': emit({Kind::kBegin}); return true;
      case U'$': emit({Kind::kEnd}); return true;
      case U'*':
      case U'+':
      case U'?': return refuse("repeats nothing");
      case U'\\': return escape();
      default: emit({Kind::kCharacter, c}); return true;
    }
  }

  bool escape() {
    if (!more()) return refuse("ends in a backslash");
    const char32_t c = text_[at_++];
    Pattern::Set set;
    if (!class_ranges(c, set)) {
      emit({Kind::kCharacter, c});
      return true;
    }
    set.negated = c == U'D' || c == U'W' || c == U'S';
    add_set(std::move(set));
    return true;
  }

  static bool class_ranges(char32_t c, Pattern::Set& set) {
    switch (lower(c)) {
      case U'd': set.ranges.emplace_back(U'0', U'9'); return true;
      case U'w':
        set.ranges.insert(set.ranges.end(), {{U'a', U'z'}, {U'A', U'Z'}, {U'0', U'9'}, {U'_', U'_'}});
        return true;
      case U's': set.ranges.insert(set.ranges.end(), {{U'\t', U'\r'}, {U' ', U' '}}); return true;
      default: return false;
    }
  }

  bool set() {
    Pattern::Set set;
    if (more() && text_[at_] == U'^') {
      set.negated = true;
      ++at_;
    }
    for (bool first = true; more() && (first || text_[at_] != U']'); first = false) {
      char32_t low = text_[at_++];
      if (low == U'\\' && more()) {
        low = text_[at_++];
        if (low < U'a' ? false : class_ranges(low, set)) continue;
      }
      char32_t high = low;
      if (at_ + 1 < text_.size() && text_[at_] == U'-' && text_[at_ + 1] != U']') {
        high = text_[at_ + 1];
        at_ += 2;
      }
      if (high < low) return refuse("has a range that runs backwards");
      set.ranges.emplace_back(low, high);
    }
    if (!more()) return refuse("has a [ without its ]");
    ++at_;
    add_set(std::move(set));
    return true;
  }

  void add_set(Pattern::Set set) {
    pattern_.sets_.push_back(std::move(set));
    emit({Kind::kSet, 0, pattern_.sets_.size() - 1, 0});
  }

  // One repeat after an atom: * + ? {m} {m,} {m,n}. A brace that is not a repeat stands for itself.
  bool repeats(std::size_t begin) {
    if (!more()) return true;
    switch (text_[at_]) {
      case U'*':
        ++at_;
        star(begin);
        break;
      case U'+':
        ++at_;
        emit({Kind::kSplit, 0, begin, end() + 1});
        break;
      case U'?':
        ++at_;
        optional(begin);
        break;
      case U'{': return counted(begin);
      default: return true;
    }
    if (more() && text_[at_] == U'?') ++at_;  // lazy or greedy makes no difference to whether it matches
    if (more() && (text_[at_] == U'*' || text_[at_] == U'+')) return refuse("repeats a repeat");
    return true;
  }

  void star(std::size_t begin) {
    insert(begin, {Kind::kSplit, 0, begin + 1, 0});
    emit({Kind::kJump, 0, begin, 0});
    pattern_.steps_[begin].second = end();
  }
  void optional(std::size_t begin) {
    insert(begin, {Kind::kSplit, 0, begin + 1, 0});
    pattern_.steps_[begin].second = end();
  }

  bool counted(std::size_t begin) {
    std::size_t look = at_ + 1;
    const auto number = [&](std::size_t& value) {
      const auto start = look;
      for (value = 0; look < text_.size() && text_[look] >= U'0' && text_[look] <= U'9'; ++look) {
        value = std::min<std::size_t>(value * 10 + (text_[look] - U'0'), kMostRepeats + 1);
      }
      return look > start;
    };
    std::size_t least = 0;
    if (!number(least)) return true;
    std::size_t most = least;
    bool endless = false;
    if (look < text_.size() && text_[look] == U',') {
      ++look;
      endless = !number(most);
    }
    if (look >= text_.size() || text_[look] != U'}') return true;
    at_ = look + 1;
    if (least > kMostRepeats || most > kMostRepeats) {
      return refuse("repeats more than " + std::to_string(kMostRepeats) + " times");
    }
    if (!endless && most < least) return refuse("has a repeat that runs backwards");
    return expand(begin, least, most, endless);
  }

  bool expand(std::size_t begin, std::size_t least, std::size_t most, bool endless) {
    const std::vector<Step> body(pattern_.steps_.begin() + static_cast<std::ptrdiff_t>(begin), pattern_.steps_.end());
    pattern_.steps_.resize(begin);
    const auto append = [&] {
      const auto at = end();
      for (auto step : body) {
        if (step.kind == Kind::kSplit || step.kind == Kind::kJump) {
          step.first = step.first - begin + at;
          step.second = step.second - begin + at;
        }
        emit(step);
      }
      return at;
    };
    if (body.size() * (std::max(least, most) + 1) > Pattern::kMostSteps) {
      return refuse("is too large once its repeats are counted");
    }
    for (std::size_t i = 0; i < least; ++i) append();
    if (endless) {
      star(append());
    } else {
      for (std::size_t i = least; i < most; ++i) optional(append());
    }
    return true;
  }

  // Everything after the new step moves by one.
  void insert(std::size_t at, Step step) {
    auto& steps = pattern_.steps_;
    for (std::size_t i = at; i < steps.size(); ++i) {
      if (steps[i].kind != Kind::kSplit && steps[i].kind != Kind::kJump) continue;
      if (steps[i].first >= at) ++steps[i].first;
      if (steps[i].kind == Kind::kSplit && steps[i].second >= at) ++steps[i].second;
    }
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), step);
  }

  std::vector<char32_t> text_;
  std::size_t at_ = 0;
  std::string problem_;
  Pattern pattern_;
};

Result<Pattern> Pattern::compile(std::string_view expression) {
  return PatternCompiler{expression}.run();
}

bool Pattern::accepts(const Step& step, char32_t c) const {
  switch (step.kind) {
    case Step::Kind::kAny: return true;
    case Step::Kind::kCharacter: return step.character == c || (any_case_ && step.character == lower(c));
    case Step::Kind::kSet: {
      const auto& set = sets_[step.first];
      const auto inside = [&](char32_t one) {
        return std::any_of(set.ranges.begin(), set.ranges.end(),
                           [&](const auto& range) { return one >= range.first && one <= range.second; });
      };
      return (inside(c) || (any_case_ && inside(lower(c)))) != set.negated;
    }
    default: return false;
  }
}

// Adds a state and all states it reaches without reading a character. The stack is explicit; its depth is at most the
// program's length.
void Pattern::follow(std::vector<std::size_t>& states,
                     std::vector<std::uint32_t>& seen,
                     std::uint32_t generation,
                     std::size_t state,
                     bool at_begin,
                     bool at_end) const {
  std::vector<std::size_t> open{state};
  while (!open.empty()) {
    const auto now = open.back();
    open.pop_back();
    if (seen[now] == generation) continue;
    seen[now] = generation;
    const auto& step = steps_[now];
    switch (step.kind) {
      case Step::Kind::kJump: open.push_back(step.first); break;
      case Step::Kind::kSplit:
        open.push_back(step.second);
        open.push_back(step.first);
        break;
      case Step::Kind::kBegin:
        if (at_begin) open.push_back(now + 1);
        break;
      case Step::Kind::kEnd:
        if (at_end) open.push_back(now + 1);
        break;
      default: states.push_back(now);
    }
  }
}

bool Pattern::matches(std::string_view text) const {
  text = text.substr(0, kLongestText);
  std::vector<std::size_t> states;
  std::vector<std::size_t> next;
  std::vector<std::uint32_t> seen(steps_.size(), 0);
  std::uint32_t generation = 1;
  follow(states, seen, generation, 0, true, text.empty());
  while (true) {
    for (const auto state : states) {
      if (steps_[state].kind == Step::Kind::kMatch) return true;
    }
    if (text.empty()) return false;
    const char32_t c = next_character(text);
    ++generation;
    next.clear();
    for (const auto state : states) {
      if (accepts(steps_[state], c)) follow(next, seen, generation, state + 1, false, text.empty());
    }
    follow(next, seen, generation, 0, false, text.empty());  // a match may begin anywhere
    states.swap(next);
  }
}

}  // namespace gputop
