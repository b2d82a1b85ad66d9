// The unit behind a number: see FieldReader in field.hpp.
#include "gputop/core/scan.hpp"
#include "logs/field.hpp"
#include "logs/text.hpp"
#include "logs/vocabulary.hpp"

namespace gputop::logs {

// "it/s", "samples per second", "ms/step", "s / it", "src tok/s", "%", "/s"; a blank may stand before it.
std::string_view FieldReader::unit_at(std::size_t from, bool has_key) const {
  if (at(from) == ' ' &&
      (is_alpha(at(from + 1)) || at(from + 1) == '%' || (at(from + 1) == '/' && is_alpha(at(from + 2)))))
    ++from;
  auto end = from;
  if (at(end) == '%') return slice(line_, from, 1);
  while (is_alpha(at(end)) || (at(end) == '/' && is_alpha(at(end + 1))) ||
         ((at(end) == '_' || at(end) == '\xC2' || at(end) == '\xB5') && end > from))
    ++end;
  if (end == from) return {};
  const auto word = slice(line_, from, end - from);
  // The unit must not be the next key: "step 10 loss: 3", "1.23 time=4".
  auto behind = end;
  while (is_blank(at(behind))) ++behind;
  const bool apart = at(behind) == ':' && is_blank(at(end)) && is_blank(at(behind + 1)) && contains(word, "/");
  const bool is_key =
      (at(behind) == ':' && !apart) || at(behind) == '=' || at(end) == '_';  // "9357.35 words/s : L.r. 3e-4"
  const bool attached = from > 0 && !is_blank(at(from - 1));
  if (is_key && (!attached || first_char(word) == '/')) return {};  // "epoch=0/micro_step=40"
  const bool marked = contains(word, "/") && is_marked(from);       // "Speed: 312.45 samples/sec 12312.31 tokens/sec"
  if (has_key && !attached && is_digit(at(behind)) && !marked) return {};  // "loss 3.2 tok/s 1234"
  if (slice(line_, end, 5) == " per ") {
    auto longer = end + 5;
    while (is_alpha(at(longer))) ++longer;
    if (longer > end + 5) return slice(line_, from, longer - from);
  }
  if (const auto longer = spaced_unit_end(end); longer > end && !is_key) return slice(line_, from, longer - from);
  if (attached || contains(word, "/")) return word;
  // A lone word behind a blank is a unit only when it is one that loggers use; else it is the next key.
  for (const std::string_view unit :
       {"s",       "ms", "us",      "sec",   "secs",    "seconds", "second", "min",   "days",       "day", "hours",
        "minutes", "it", "batches", "batch", "samples", "images",  "tokens", "steps", "iterations", "GiB", "GB",
        "MiB",     "MB", "G",       "M",     "bytes",   "fps",     "tps",    "wps",   "ips"}) {
    if (word == unit) return word;
  }
  // "91300 iter, 7 epoch / 20 epochs": at the end of a piece only.
  const bool last = at(behind) == '\0' || at(behind) == ',' || at(behind) == '/';
  return last && is_any(word, "iter", "epoch", "epochs") ? word : std::string_view{};
}

// Whether a colon or an equals sign stands before the number that ends here.
bool FieldReader::is_marked(std::size_t end) const {
  const auto before = slice(line_, 0, end);
  auto number = before.find_last_not_of(" 0123456789.,eE+-");
  return number != std::string_view::npos && (char_at(before, number) == ':' || char_at(before, number) == '=');
}

// Where a unit ends that goes on behind its first word: "s / it", "src tok/s". `end` when it does not.
std::size_t FieldReader::spaced_unit_end(std::size_t end) const {
  if (at(end) != ' ') return end;
  const bool slash = at(end + 1) == '/' && at(end + 2) == ' ' && is_alpha(at(end + 3));
  auto longer = end + (slash ? 3 : 1);
  const auto begin = longer;
  while (is_alpha(at(longer)) || (at(longer) == '/' && longer > begin)) ++longer;
  const auto more = slice(line_, begin, longer - begin);
  if (at(longer) == ':' || at(longer) == '=') return end;
  return slash || more.ends_with("/s") || more.ends_with("/sec") ? longer : end;
}

}  // namespace gputop::logs
