// The words of training logs: what is counted, in which units, and what is held out.
#pragma once

#include <string_view>

#include "gputop/core/reading.hpp"
#include "logs/meaning.hpp"
#include "logs/words.hpp"

namespace gputop::logs {

template <class... Word>
bool is_any(std::string_view word, Word... words) {
  return ((word == words) || ...);
}

// All words lower case.
bool is_step_word(std::string_view word);
bool is_sample_word(std::string_view word);
bool is_token_word(std::string_view word);
bool is_second(std::string_view word);
bool is_device_word(std::string_view word);  // "tokens per GPU per second": what a rate may be shared among
bool is_held_out(const Words& words);
bool is_of_training(const Words& words);
bool names_epoch_and_step(std::string_view key);  // "epoch/iter", "Epoch batch"

Reading<double> time_unit(std::string_view word);  // seconds in one of this unit
Reading<double> byte_word(std::string_view word);  // bytes in one of this unit, in a key: "gib"
Meaning rate_meaning(std::string_view word);       // of so many of these a second
double take_prefix(std::string_view& word);        // 1000 and "it" of "kit", else 1

}  // namespace gputop::logs
