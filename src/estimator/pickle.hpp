// Reads a Python pickle as data: numbers, text, lists, tuples and dictionaries. Nothing is imported, made or called: a pickle
// that asks for that is an error. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gputop/core/result.hpp"

namespace gputop {

struct PickleValue {
  enum class Kind : std::uint8_t { kNone, kBool, kInteger, kFloat, kText, kList, kDictionary };
  Kind kind = Kind::kNone;
  std::uint32_t size = 0;   // of a text
  std::int64_t number = 0;  // the integer; of a text its offset, of a list or dictionary its index in `containers`
  double real = 0;
};

class Pickle {
 public:
  // The text of values stays in `bytes`, which must outlive the pickle.
  static Result<Pickle> read(std::string_view bytes);

  [[nodiscard]] const PickleValue& root() const { return root_; }
  // The members of a list or tuple; nothing for other values.
  [[nodiscard]] const std::vector<PickleValue>& list(const PickleValue& value) const;
  // None for an absent key, and for a value that is no dictionary.
  [[nodiscard]] PickleValue member(const PickleValue& dictionary, std::string_view key) const;
  [[nodiscard]] std::string_view text(const PickleValue& value) const;  // "" for other values
  [[nodiscard]] static std::optional<std::uint64_t> count(const PickleValue& value);  // an integer that is not negative

 private:
  friend class PickleMachine;
  std::string_view bytes_;
  std::vector<std::vector<PickleValue>> containers_;  // of a dictionary: key, value, key, value, …
  std::vector<PickleValue> nothing_;
  PickleValue root_;
};

}  // namespace gputop
