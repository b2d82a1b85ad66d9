// What the helper measures, and how it calls CUDA.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "calibrate/shared_page.hpp"

namespace gputop::calibrate {

struct Helper {
  int socket;
  cuda::SharedPage& page;
  cuda::Api api;
  cuda::Stream stream = nullptr;
  cuda::Moment from = nullptr;
  cuda::Moment to = nullptr;
  int major = 0;    // of the card's compute capability
  int runtime = 0;  // 13000

  void say(char kind, const std::string& text) const;
  // "cudaMalloc: out of memory (2)"
  [[nodiscard]] std::string in_words(cuda::Call call, int code) const;
  // Asks gputop to read the GPU's memory, and waits until it has.
  void let_memory_be_read(const char* key) const;
};

// While this object lives, the helper is inside a call.
class Inside {
 public:
  Inside(Helper& helper, cuda::Call call) : page_(helper.page) {
    page_.call.store(static_cast<int>(call), std::memory_order_relaxed);
    page_.progress.store(page_.progress.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() {
    page_.call.store(0, std::memory_order_relaxed);
    page_.progress.store(page_.progress.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  cuda::SharedPage& page_;
};

// The call's code: GPUTOP_CUDA(helper, cudaMalloc, &pointer, bytes)
#define GPUTOP_CUDA(helper, symbol, ...) \
  ([&] {                                 \
    const Inside inside{helper, cuda::Call::symbol}; \
    return (helper).api.symbol(__VA_ARGS__);         \
  }())

bool begin(Helper& helper);            // false: it has reported why nothing can be measured
void measure_copies(Helper& helper);   // and latencies
void measure_products(Helper& helper);
void finish(Helper& helper);

// The result of a call.
struct Outcome {
  cuda::Call call;
  int code;
};
// Times `work` on the GPU: once to warm up, then for about a fifth of a second, at least three times. Returns the best
// time in seconds. nullopt: a call failed, which was noted as the reason why `what` was not measured.
std::optional<double> best_time(Helper& helper, const std::string& what, const std::function<Outcome()>& work);

}  // namespace gputop::calibrate
