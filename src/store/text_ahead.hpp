// Verified text, unpacked and checked by a thread of its own a few pieces ahead of who reads it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "store/verified_text.hpp"

namespace gputop::store {

// The text is the thread's from the constructor to the destructor: nobody else may touch it meanwhile.
class TextAhead {
 public:
  explicit TextAhead(VerifiedText& text);
  ~TextAhead();
  TextAhead(const TextAhead&) = delete;
  TextAhead& operator=(const TextAhead&) = delete;

  // As those of VerifiedText.
  VerifiedText::Got next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] const VerifiedText::Loss& loss() const { return piece_.loss; }

 private:
  // Lines, and what came behind them.
  struct Piece {
    std::string lines;
    VerifiedText::Got behind = VerifiedText::Got::kLine;
    VerifiedText::Loss loss;
  };
  void run();
  void fill(Piece& piece);
  void fetch();

  VerifiedText& text_;  // the thread's
  Piece piece_;         // the reader's
  std::size_t next_ = 0;
  std::string_view line_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Under the mutex:
  std::deque<Piece> ready_;
  std::deque<std::string> spent_;  // room that was used once
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace gputop::store
