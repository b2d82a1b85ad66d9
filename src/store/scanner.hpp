// Reads the JSON of recordings value by value, without building a tree: samples are most of a recording, and ten days
// of them must be read in seconds. Strict: no white space, and every call says whether the text matched.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gputop::store {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  // Steps over c if it is next.
  bool take(char c) {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  bool take_null();
  [[nodiscard]] bool at_end() const { return p_ == end_; }
  // Bytes left: an upper bound for the number of elements.
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }

  bool read(double& value) {
    // Nearly all numbers are just a few digits.
    const char* p = p_;
    unsigned digits = 0;
    while (p != end_ && p - p_ < 6 && *p >= '0' && *p <= '9') digits = digits * 10 + static_cast<unsigned>(*p++ - '0');
    if (p == p_ || p == end_ || (*p != ',' && *p != ']')) return read_any(value);
    value = digits;
    p_ = p;
    return true;
  }
  bool read(std::uint64_t& value);
  bool read(std::int64_t& value);
  bool read(bool& value);
  bool read(std::string& value);
  // A key without escapes, and its colon. The view is into the text.
  bool read_key(std::string_view& key);
  // Skips any value, whatever its shape.
  bool skip();
  // The same; returns a view into the text.
  bool read_raw(std::string_view& value) {
    const char* const start = p_;
    if (!skip()) return false;
    value = {start, static_cast<std::size_t>(p_ - start)};
    return true;
  }

 private:
  bool read_any(double& value);
  bool skip_string();
  // From after a "[" to after its "]". False, without doing anything: it contains more than numbers.
  bool skip_numbers();

  const char* p_;
  const char* end_;
};

}  // namespace gputop::store
