// Reads a message whose fields are in the order that gputop itself writes, without building a tree: most of a long
// recording consists of ticks.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gputop/core/lens.hpp"

namespace gputop {

// For fields() of message_fields.hpp. Strict: anything unexpected makes it fail, and the caller falls back to the full
// parser.
class OrderedReader {
 public:
  explicit OrderedReader(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

  // `{"of":26767,` … `}`
  template <class Message>
  bool read_message(Message& message) {
    std::uint64_t speaker = 0;
    expect("{\"of\":");
    read(speaker);
    first_ = false;
    fields(*this, message);
    expect("}");
    return good_ && p_ == end_;
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if (!std::exchange(first_, false)) expect(",");
    expect("\"");
    expect(name);
    expect("\":");
    if (good_) read(value);
  }

 private:
  static constexpr std::size_t kMostItems = 4096;
  static constexpr std::size_t kLongestText = 4096;

  void expect(std::string_view text) {
    good_ =
        good_ && static_cast<std::size_t>(end_ - p_) >= text.size() && std::memcmp(p_, text.data(), text.size()) == 0;
    if (good_) p_ += text.size();
  }
  [[nodiscard]] bool next_is(char c) const { return p_ != end_ && *p_ == c; }

  void read(bool& value) {
    value = next_is('t');
    expect(value ? "true" : "false");
  }
  void read(std::string& value) {
    expect("\"");
    const char* const start = p_;
    while (p_ != end_ && *p_ != '"' && *p_ != '\\') ++p_;
    good_ = good_ && static_cast<std::size_t>(p_ - start) <= kLongestText;
    value.assign(start, p_);
    expect("\"");  // an escape fails here
  }
  void read(Bytes& value) {
    std::uint64_t bytes = 0;
    read(bytes);
    value = Bytes{bytes};
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void read(T& value) {
    const auto [next, problem] = std::from_chars(p_, end_, value);
    // A point or an exponent must not follow a whole number.
    good_ = good_ && problem == std::errc{} && next != end_ && (*next == ',' || *next == '}' || *next == ']');
    if constexpr (std::is_floating_point_v<T>) good_ = good_ && std::isfinite(value);
    p_ = next;
  }
  template <class T>
  void read(Reading<T>& value) {
    if (next_is('n')) return expect("null");
    read(value.emplace());
  }
  template <class T>
  void read(std::vector<T>& values) {
    expect("[");
    while (good_ && !next_is(']')) {
      if (!values.empty()) expect(",");
      if (values.size() == kMostItems) good_ = false;
      if (good_) read(values.emplace_back());
    }
    expect("]");
  }
  template <class T>
  requires std::is_class_v<T> && requires(OrderedReader& io, T& v) { fields(io, v); }
  void read(T& value) {
    expect("{");
    first_ = true;
    fields(*this, value);
    expect("}");
    first_ = false;
  }

  const char* p_;
  const char* end_;
  bool good_ = true;
  bool first_ = true;  // of the current object
};

}  // namespace gputop
