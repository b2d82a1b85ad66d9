// How a single value is stored in a recording: its rounding, and how to read it back. A codec is two static functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "gputop/core/gpu.hpp"
#include "gputop/core/reading.hpp"
#include "gputop/core/scan.hpp"
#include "gputop/core/time.hpp"
#include "gputop/core/units.hpp"
#include "store/json_text.hpp"
#include "store/line_time.hpp"
#include "store/scanner.hpp"

namespace gputop::store {

// Converts a unit to a number and back.
template <class T>
double to_number(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(value.value());
  }
}
template <class T>
bool from_number(double number, T& value) {
  if constexpr (std::is_floating_point_v<T>) {
    value = number;
  } else if constexpr (std::is_floating_point_v<typename T::rep>) {
    value = T{number};
  } else {  // bytes
    if (!(number >= 0 && number < 9e18)) return false;
    value = T{static_cast<typename T::rep>(std::llround(number))};
  }
  return true;
}

// A number rounded to this many decimals.
template <int kDecimals>
struct Decimals {
  template <class T>
  static void write(std::string& out, const T& value) {
    write_decimals(out, to_number(value), kDecimals);
  }
  template <class T>
  static bool read(Scanner& in, T& value) {
    double number = 0;
    return in.read(number) && from_number(number, value);
  }
};

// A number rounded to this many significant digits.
template <int kDigits>
struct Significant : Decimals<0> {
  template <class T>
  static void write(std::string& out, const T& value) {
    write_significant(out, to_number(value), kDigits);
  }
};

// A percentage in steps of five: enough to see which cores are busy, and noise rarely changes it.
struct FivePercent : Decimals<0> {
  static void write(std::string& out, const Percent& value) {
    write_decimals(out, std::round(value.value() / 5) * 5, 0);
  }
};

// An integer, exactly.
struct Whole {
  static void write(std::string& out, std::uint64_t value) { write_unsigned(out, value); }
  static void write(std::string& out, unsigned value) { write_unsigned(out, value); }
  static void write(std::string& out, std::int64_t value) { write_integer(out, value); }
  static void write(std::string& out, int value) { write_integer(out, value); }
  static void write(std::string& out, const Bytes& value) { write_unsigned(out, value.value()); }
  static void write(std::string& out, const ThrottleReasons& value) { write_unsigned(out, value.bits()); }

  static bool read(Scanner& in, std::uint64_t& value) { return in.read(value); }
  static bool read(Scanner& in, std::int64_t& value) { return in.read(value); }
  static bool read(Scanner& in, unsigned& value) { return read_narrow<std::uint64_t>(in, value); }
  static bool read(Scanner& in, int& value) { return read_narrow<std::int64_t>(in, value); }
  static bool read(Scanner& in, Bytes& value) { return read_as<Bytes>(in, value); }
  static bool read(Scanner& in, ThrottleReasons& value) { return read_as<ThrottleReasons>(in, value); }

 private:
  template <class Wide, class Narrow>
  static bool read_narrow(Scanner& in, Narrow& value) {
    Wide wide = 0;
    if (!in.read(wide) || wide > std::numeric_limits<Narrow>::max() || wide < std::numeric_limits<Narrow>::min()) {
      return false;
    }
    value = static_cast<Narrow>(wide);
    return true;
  }
  template <class T>
  static bool read_as(Scanner& in, T& value) {
    std::uint64_t bits = 0;
    if (!in.read(bits)) return false;
    value = T{bits};
    return true;
  }
};

struct Flag {
  static void write(std::string& out, bool value) { out += value ? "true" : "false"; }
  static bool read(Scanner& in, bool& value) { return in.read(value); }
};

struct Text {
  static void write(std::string& out, const std::string& value) { write_string(out, value); }
  static bool read(Scanner& in, std::string& value) { return in.read(value); }
};

// One character from /proc, such as a process's state.
struct Letter {
  static void write(std::string& out, char value) { write_string(out, std::string_view{&value, 1}); }
  static bool read(Scanner& in, char& value) {
    std::string text;
    if (!in.read(text) || text.empty()) return false;
    value = first_char(text);
    return true;
  }
};

// An enumeration by name; a name from a newer version is read as kUnknown.
template <class Enum, Enum kLast, Enum kUnknown>
struct Named {
  static void write(std::string& out, Enum value) { write_string(out, to_string(value)); }
  static bool read(Scanner& in, Enum& value) {
    std::string name;
    if (!in.read(name)) return false;
    value = kUnknown;
    for (int i = 0; i <= static_cast<int>(kLast); ++i) {
      if (to_string(static_cast<Enum>(i)) == name) value = static_cast<Enum>(i);
    }
    return true;
  }
};

// Whole seconds.
struct Seconds {
  static void write(std::string& out, const Duration& value) { write_decimals(out, to_seconds(value), 0); }
  static bool read(Scanner& in, Duration& value) {
    std::int64_t seconds = 0;
    if (!in.read(seconds) || seconds < 0 ||
        seconds > std::chrono::floor<std::chrono::seconds>(kLongestDuration).count())
      return false;
    value = std::chrono::seconds{seconds};
    return true;
  }
};

// Milliseconds since 1970.
struct CivilTime {
  static void write(std::string& out, const WallTime& value) { write_integer(out, value.time_since_epoch().count()); }
  static bool read(Scanner& in, WallTime& value) {
    std::int64_t milliseconds = 0;
    if (!in.read(milliseconds) || !is_time(milliseconds)) return false;
    value = WallTime{std::chrono::milliseconds{milliseconds}};
    return true;
  }
};

// A reading that may be unknown; unknown is null.
template <class Codec, class T>
void write_cell(std::string& out, const Reading<T>& value) {
  if (value) {
    Codec::write(out, *value);
  } else {
    out += "null";
  }
}
template <class Codec, class T>
void write_cell(std::string& out, const T& value) {
  Codec::write(out, value);
}
template <class Codec, class T>
bool read_cell(Scanner& in, Reading<T>& value) {
  if (in.take_null()) {
    value.reset();
    return true;
  }
  if (!value) value.emplace();
  return Codec::read(in, *value);
}
template <class Codec, class T>
bool read_cell(Scanner& in, T& value) {
  return Codec::read(in, value);
}

// A list of cells, such as the load of every core.
template <class Codec, std::size_t kMost>
struct List {
  template <class T>
  static void write(std::string& out, const std::vector<T>& values) {
    out += '[';
    for (std::size_t i = 0; i < values.size() && i < kMost; ++i) {
      if (i > 0) out += ',';
      write_cell<Codec>(out, values[i]);
    }
    out += ']';
  }
  template <class T>
  static bool read(Scanner& in, std::vector<T>& values) {
    if (!in.take('[')) return false;
    std::size_t count = 0;
    for (; !in.take(']'); ++count) {
      if (count == kMost || (count > 0 && !in.take(','))) return false;
      if (count == values.size()) values.emplace_back();
      if (!read_cell<Codec>(in, values[count])) return false;
    }
    values.resize(count);
    return true;
  }
};

// Only the number of elements; the elements are in their own table.
template <std::size_t kMost>
struct Count {
  template <class T>
  static void write(std::string& out, const std::vector<T>& values) {
    write_unsigned(out, std::min(values.size(), kMost));
  }
  template <class T>
  static bool read(Scanner& in, std::vector<T>& values) {
    std::uint64_t count = 0;
    if (!in.read(count) || count > kMost) return false;
    values.resize(count);
    return true;
  }
};

}  // namespace gputop::store
