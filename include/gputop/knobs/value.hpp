// A setting's value, and how one is written in the manner of the text it replaces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "gputop/core/result.hpp"

namespace gputop::knobs {

// What a text says: nothing (null, None), a switch, a number, a word.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

enum class ValueType : std::uint8_t { kInteger, kNumber, kSwitch, kWord };

// Whose rules of writing hold: YAML 1.1 has more spellings of true than JSON, Python has None.
enum class Dialect : std::uint8_t { kYaml, kJson, kToml, kPython, kWords /* a command line, the environment */ };

// An unquoted scalar of this dialect. Numbers may have underscores where the dialect allows them; hexadecimal, octal
// and binary are read, too. What is none of all is a word.
Value read_scalar(std::string_view raw, Dialect dialect);

std::optional<double> as_number(const Value& value);
// Equal, with numbers compared as numbers (8 and 8.0) and words by their letters.
bool same_value(const Value& a, const Value& b);
std::string to_text(const Value& value);  // for people: 0.002, true, "–" for nothing

// The bytes to put in place of `raw` (what stands between the quotes, if `quoted`) so that it says `value` and looks
// like its predecessor: 1e-3 → 2e-3, True → False, yes → no. Errors: a value that needs quotes where there are none
// and that cannot get them, a number in a form whose meaning depends on the reader (017).
Result<std::string> write_like(std::string_view raw, bool quoted, const Value& value, Dialect dialect);

}  // namespace gputop::knobs
