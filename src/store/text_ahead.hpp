// Verified text, unpacked and checked by its own thread a few pieces ahead of the reader.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "store/verified_text.hpp"

namespace gputop::store {

// The thread owns the text from the constructor to the destructor: nothing else may touch it in between.
class TextAhead {
 public:
  explicit TextAhead(VerifiedText& text);
  ~TextAhead();
  TextAhead(const TextAhead&) = delete;
  TextAhead& operator=(const TextAhead&) = delete;

  // Same as in VerifiedText.
  VerifiedText::Got next();
  [[nodiscard]] std::string_view line() const { return line_; }
  [[nodiscard]] const VerifiedText::Loss& loss() const { return piece_.loss; }

 private:
  // Lines, and the step that followed them.
  struct Piece {
    std::string lines;
    VerifiedText::Got behind = VerifiedText::Got::kLine;
    VerifiedText::Loss loss;
  };
  void run();
  void fill(Piece& piece);
  void fetch();

  VerifiedText& text_;  // used by the thread only
  Piece piece_;         // used by the reader only
  std::size_t next_ = 0;
  std::string_view line_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by the mutex:
  std::deque<Piece> ready_;
  std::deque<std::string> spent_;  // buffers to reuse
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace gputop::store
