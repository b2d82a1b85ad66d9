// The numbers of a line, each with the words before it and the unit behind it: "loss: 0.41", "Step [100/600]",
// "853.33/s".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gputop/core/scan.hpp"

namespace gputop::logs {

// Which data a figure is about. A word of its own ("Val Loss 0.4 Acc 0.88", "[valid] loss=1.2") holds until the next
// one; one that is part of a key ("val_loss=0.4") is about that key only.
enum class Role : std::uint8_t { kNone, kTraining, kHeldOut };

struct Field {
  std::string_view key;      // "" when no words stand before it
  std::string_view unit;     // "it/s", "ms", "GiB", "%"; kClock for "1:02:03"; "" when none
  double value = 0;          // seconds of a clock
  std::optional<double> of;  // the second number of "3/50" and "3 of 50"
  int digits = 0;            // significant ones of value
  bool whole = false;        // an integer, and so is `of`
  std::size_t begin = 0;     // where the number stands in the line
  Role role = Role::kNone;
  bool in_list = false;  // one of several in brackets: "loss: [0.05 0.07]"
};
inline constexpr std::string_view kClock = ":";

Role role_of_key(std::string_view key);  // of the key alone

// Reads a line field by field. Dates, versions, addresses, paths and hashes are no fields.
class FieldReader {
 public:
  explicit FieldReader(std::string_view line) : line_(line) {}

  // nullopt at the end of the line.
  std::optional<Field> next();

 private:
  std::optional<Field> number();
  [[nodiscard]] Role role_of(std::string_view key);
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] bool names_counter() const;
  [[nodiscard]] bool opens_list() const;
  [[nodiscard]] std::string_view unit_at(std::size_t from, bool has_key) const;
  [[nodiscard]] bool is_marked(std::size_t end) const;
  [[nodiscard]] std::size_t spaced_unit_end(std::size_t end) const;
  bool take_fraction(Field& field);
  void take_total_with_unit(Field& field);
  void take_share(Field& field);
  void skip_word();
  void skip_mark();
  [[nodiscard]] char at(std::size_t index) const { return char_at(line_, index); }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t key_begin_ = 0;
  std::size_t word_end_ = 0;  // behind the last word
  std::size_t role_end_ = 0;  // up to where words were looked at for their role
  Role section_ = Role::kNone;
};

}  // namespace gputop::logs
