#include "estimator/pickle.hpp"

#include <bit>
#include <string>
#include <unordered_map>
#include <utility>

#include "gputop/core/scan.hpp"

namespace gputop {
namespace {

constexpr std::size_t kMostPickledContainers = 1U << 26U;
constexpr std::size_t kMostPickled = 1U << 28U;

}  // namespace

// The stack machine of pickle, protocols 2 to 5, with the operations that make plain values.
class PickleMachine {
 public:
  explicit PickleMachine(std::string_view bytes) : left_{bytes} { pickle_.bytes_ = bytes; }

  Result<Pickle> run() {
    while (!left_.empty()) {
      const auto at = pickle_.bytes_.size() - left_.size();
      const auto code = static_cast<unsigned char>(first_char(left_));
      skip_front(left_, 1);
      if (code == '.') {
        if (stack_.size() != 1) return wrong(at, "it ends with " + std::to_string(stack_.size()) + " values");
        pickle_.root_ = stack_.back();
        return std::move(pickle_);
      }
      if (code == 'c' || code == 0x93 || code == 'R' || code == 'i' || code == 'o' || code == 'b' || code == 0x81 || code == 0x92 ||
          (code >= 0x82 && code <= 0x84) || code == 'P' || code == 'Q')
        return wrong(at, "it wants to import or call something, which gputop never does");
      if (!step(code)) return wrong(at, "operation " + std::to_string(code) + " is not valid there");
    }
    return wrong(pickle_.bytes_.size(), "it is cut off");
  }

 private:
  using Kind = PickleValue::Kind;

  static Error wrong(std::size_t at, const std::string& what) {
    return Error{Error::Kind::kCorrupt, "pickle, byte " + std::to_string(at) + ": " + what};
  }

  bool step(unsigned char code) {
    switch (code) {
      case 0x80: return skip(1);                       // PROTO
      case 0x95: return skip(8);                       // FRAME
      case '(': marks_.push_back(stack_.size()); return true;
      case '0': return pop();
      case 'N': return push({});
      case 0x88: return push({.kind = Kind::kBool, .number = 1});
      case 0x89: return push({.kind = Kind::kBool});
      case 'K': return integer(1);
      case 'M': return integer(2);
      case 'J': return integer(4);
      case 0x8a: return long_integer(1);
      case 0x8b: return long_integer(4);
      case 'G': return real();
      case 0x8c: case 'U': case 'C': return text(1);
      case 'X': case 'T': case 'B': return text(4);
      case 0x8d: case 0x8e: return text(8);
      case ']': return container(Kind::kList, {});
      case ')': return container(Kind::kList, {});
      case '}': return container(Kind::kDictionary, {});
      case 0x85: return tuple(1);
      case 0x86: return tuple(2);
      case 0x87: return tuple(3);
      case 't': return !marks_.empty() && tuple(since_mark());
      case 'a': return append(1, Kind::kList);
      case 's': return append(2, Kind::kDictionary);
      case 'e': return !marks_.empty() && append(since_mark(), Kind::kList);
      case 'u': return !marks_.empty() && append(since_mark(), Kind::kDictionary);
      case 0x94: return remember(memo_.size());
      case 'q': return numbered(1, &PickleMachine::remember);
      case 'r': return numbered(4, &PickleMachine::remember);
      case 'h': return numbered(1, &PickleMachine::recall);
      case 'j': return numbered(4, &PickleMachine::recall);
      default: return false;
    }
  }

  bool push(PickleValue value) {
    if (++made_ > kMostPickled) return false;
    stack_.push_back(value);
    return true;
  }
  bool pop() {
    if (stack_.empty() || (!marks_.empty() && marks_.back() == stack_.size())) return false;
    stack_.pop_back();
    return true;
  }
  bool skip(std::size_t count) {
    if (left_.size() < count) return false;
    skip_front(left_, count);
    return true;
  }
  // Little-endian, as all of pickle but its floats.
  std::optional<std::uint64_t> number(std::size_t width) {
    if (left_.size() < width) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8U | static_cast<unsigned char>(char_at(left_, i));
    skip_front(left_, width);
    return value;
  }
  bool integer(std::size_t width) {
    const auto value = number(width);
    if (!value) return false;
    const auto whole = width == 4 ? static_cast<std::int64_t>(static_cast<std::int32_t>(*value)) : static_cast<std::int64_t>(*value);
    return push({.kind = Kind::kInteger, .number = whole});
  }
  // Of any length; what does not fit into 64 bits is unknown.
  bool long_integer(std::size_t width) {
    const auto size = number(width);
    if (!size || left_.size() < *size) return false;
    const auto digits = slice(left_, 0, *size);
    skip_front(left_, *size);
    if (digits.empty()) return push({.kind = Kind::kInteger});
    const bool negative = (static_cast<unsigned char>(last_char(digits)) & 0x80U) != 0;
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      const auto byte = static_cast<unsigned char>(char_at(digits, i));
      if (i >= 8 && byte != (negative ? 0xFFU : 0U)) return push({});
      if (i < 8) value = value << 8U | byte;
    }
    const auto whole = static_cast<std::int64_t>(value);
    return (whole < 0) == negative ? push({.kind = Kind::kInteger, .number = whole}) : push({});
  }
  bool real() {
    if (left_.size() < 8) return false;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 8; ++i) bits = bits << 8U | static_cast<unsigned char>(char_at(left_, i));
    skip_front(left_, 8);
    return push({.kind = Kind::kFloat, .real = std::bit_cast<double>(bits)});
  }
  bool text(std::size_t width) {
    const auto size = number(width);
    if (!size || left_.size() < *size || *size > 0xFFFFFFFFU) return false;
    const auto at = static_cast<std::int64_t>(pickle_.bytes_.size() - left_.size());
    skip_front(left_, *size);
    return push({.kind = Kind::kText, .size = static_cast<std::uint32_t>(*size), .number = at});
  }
  bool container(Kind kind, std::vector<PickleValue> members) {
    if (pickle_.containers_.size() >= kMostPickledContainers) return false;
    pickle_.containers_.push_back(std::move(members));
    return push({.kind = kind, .number = static_cast<std::int64_t>(pickle_.containers_.size() - 1)});
  }
  // How many values lie above the last mark, which is taken away.
  std::size_t since_mark() {
    const auto count = stack_.size() - marks_.back();
    marks_.pop_back();
    return count;
  }
  // The values on top that no mark lies under.
  std::optional<std::vector<PickleValue>> take(std::size_t count) {
    const auto floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < floor + count) return std::nullopt;
    const auto first = stack_.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<PickleValue> values(first, stack_.end());
    stack_.erase(first, stack_.end());
    return values;
  }
  bool tuple(std::size_t count) {
    auto values = take(count);
    return values && container(Kind::kList, *std::move(values));
  }
  bool append(std::size_t count, Kind kind) {
    const auto values = take(count);
    if (!values || stack_.empty() || stack_.back().kind != kind) return false;
    if (kind == Kind::kDictionary && count % 2 != 0) return false;
    auto& members = pickle_.containers_[static_cast<std::size_t>(stack_.back().number)];
    members.insert(members.end(), values->begin(), values->end());
    return true;
  }
  bool remember(std::size_t at) {
    if (stack_.empty()) return false;
    memo_.insert_or_assign(at, stack_.back());
    return true;
  }
  bool recall(std::size_t at) {
    const auto found = memo_.find(at);
    return found != memo_.end() && push(found->second);
  }
  bool numbered(std::size_t width, bool (PickleMachine::*what)(std::size_t)) {
    const auto at = number(width);
    return at && (this->*what)(*at);
  }

  std::string_view left_;
  Pickle pickle_;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::size_t, PickleValue> memo_;
  std::size_t made_ = 0;
};

Result<Pickle> Pickle::read(std::string_view bytes) {
  if (bytes.size() < 2 || static_cast<unsigned char>(first_char(bytes)) != 0x80 || static_cast<unsigned char>(char_at(bytes, 1)) > 5)
    return Error{Error::Kind::kCorrupt, "not a pickle of protocol 2 to 5"};
  return PickleMachine{bytes}.run();
}

const std::vector<PickleValue>& Pickle::list(const PickleValue& value) const {
  return value.kind == PickleValue::Kind::kList ? containers_.at(static_cast<std::size_t>(value.number)) : nothing_;
}

PickleValue Pickle::member(const PickleValue& dictionary, std::string_view key) const {
  if (dictionary.kind != PickleValue::Kind::kDictionary) return {};
  const auto& members = containers_.at(static_cast<std::size_t>(dictionary.number));
  for (std::size_t i = 0; i + 1 < members.size(); i += 2)
    if (text(members[i]) == key) return members[i + 1];
  return {};
}

std::string_view Pickle::text(const PickleValue& value) const {
  return value.kind == PickleValue::Kind::kText ? slice(bytes_, static_cast<std::size_t>(value.number), value.size) : std::string_view{};
}

std::optional<std::uint64_t> Pickle::count(const PickleValue& value) {
  const bool plain = value.kind == PickleValue::Kind::kInteger && value.number >= 0;
  return plain ? std::optional{static_cast<std::uint64_t>(value.number)} : std::nullopt;
}

}  // namespace gputop
