#include "store/text_ahead.hpp"

#include <pthread.h>

#include <csignal>
#include <utility>

#include "gputop/core/scan.hpp"

namespace gputop::store {
namespace {

using Got = VerifiedText::Got;

constexpr std::size_t kPiece = std::size_t{256} << 10U;
constexpr std::size_t kMostReady = 4;

}  // namespace

TextAhead::TextAhead(VerifiedText& text) : text_(text) {
  // This thread gets no signals.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread{[this] { run(); }};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TextAhead::~TextAhead() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TextAhead::fill(Piece& piece) {
  while (piece.lines.size() < kPiece) {
    piece.behind = text_.next();
    if (piece.behind != Got::kLine) break;
    piece.lines += text_.line();
    piece.lines += '\n';
    piece.lines += text_.take_ready();
  }
  if (piece.behind == Got::kLoss) piece.loss = text_.loss();
}

void TextAhead::run() {
  for (bool more = true; more;) {
    Piece piece;
    {
      const std::lock_guard lock{mutex_};
      if (stopped_) return;
      if (!spent_.empty()) {
        piece.lines = std::move(spent_.front());
        spent_.pop_front();
        piece.lines.clear();
      }
    }
    fill(piece);
    more = piece.behind != Got::kEnd;
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return stopped_ || ready_.size() < kMostReady; });
    ready_.push_back(std::move(piece));
    changed_.notify_all();
  }
}

void TextAhead::fetch() {
  std::unique_lock lock{mutex_};
  spent_.push_back(std::move(piece_.lines));
  changed_.wait(lock, [&] { return !ready_.empty(); });
  piece_ = std::move(ready_.front());
  ready_.pop_front();
  next_ = 0;
  changed_.notify_all();
}

VerifiedText::Got TextAhead::next() {
  while (next_ == piece_.lines.size()) {
    if (piece_.behind == Got::kEnd) return Got::kEnd;
    if (std::exchange(piece_.behind, Got::kLine) == Got::kLoss) return Got::kLoss;
    fetch();
  }
  const std::size_t end = piece_.lines.find('\n', next_);
  line_ = slice(std::string_view{piece_.lines}, next_, end - next_);
  next_ = end + 1;
  return Got::kLine;
}

}  // namespace gputop::store
