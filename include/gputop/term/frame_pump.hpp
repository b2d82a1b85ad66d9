// Brings the newest frame to a terminal that may be slow, without ever blocking or falling behind.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "gputop/term/diff_writer.hpp"
#include "gputop/term/line_model.hpp"

namespace gputop::term {

// Knows what the terminal shows once all sent bytes have arrived. At most one frame is being sent; newer ones replace
// each other until it has arrived. A loop drives it: poll fd for writing while wants_write(), call on_timer() at
// wakes_at(), on_reply() when the KeyDecoder saw the terminal's answer. One thread; the fd is borrowed, non-blocking
// and outlives this.
class FramePump {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Options {
    // After a large frame, ask the terminal "are you there?" (DSR) and wait for its answer before the next one: the
    // only way to see a backlog in ssh and beyond. A terminal that never answers is not asked again.
    bool ask = false;
  };

  FramePump(int fd, Options options) : fd_(fd), ask_(options.ask) {}

  void submit(Frame frame, Time now);
  // A frame that is no longer needed: painting into it is much cheaper than creating a new one.
  [[nodiscard]] std::optional<Frame> take_spare() { return std::exchange(spare_, std::nullopt); }
  void on_writable(Time now) { advance(now); }
  void on_timer(Time now) { advance(now); }
  void on_reply(Time now);

  // Bytes that draw nothing (a title, the clipboard), before the next frame.
  void say(std::string bytes, Time now);

  // The terminal's contents are unknown (resumed, Ctrl-L): repaints the last frame.
  void repaint(Time now);

  [[nodiscard]] bool wants_write() const { return sent_ < bytes_.size() && !failed_; }
  [[nodiscard]] std::optional<Time> wakes_at() const { return wakes_at_; }
  [[nodiscard]] bool idle() const { return failed_ || (sent_ == bytes_.size() && !newest_ && said_.empty()); }
  // An answer is still to come; whoever gets the terminal next would read it.
  [[nodiscard]] bool awaits_reply() const { return questions_ > 0; }
  // How long somebody who is about to leave the terminal should wait for that answer.
  [[nodiscard]] std::chrono::milliseconds answer_patience(Time now) const;
  // The terminal is gone (hung up): nothing more will be written.
  [[nodiscard]] bool failed() const { return failed_; }

  struct Counts {
    std::uint64_t frames_sent = 0;
    std::uint64_t frames_replaced = 0;  // never sent, because a newer one came first
    std::uint64_t bytes_sent = 0;
    std::uint32_t questions_sent = 0;  // completely; so many answers will come, if any do
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  void advance(Time now);
  void write_some(Time now);
  void start_frame(Time now);
  // when the way will be free again; nullopt: now
  [[nodiscard]] std::optional<Time> busy_until(Time now);

  int fd_;
  bool ask_;
  bool answers_ = false;  // has answered before
  bool silent_ = false;   // did not answer when asked
  bool prompt_ = false;   // its last answer came at once
  bool failed_ = false;
  std::optional<Frame> shown_;   // once bytes_ has arrived
  std::optional<Frame> newest_;  // waits to be sent
  std::optional<Frame> spare_;   // to be painted into
  std::string said_;             // to be sent after the current frame
  std::string bytes_;            // of the frame being sent
  std::size_t sent_ = 0;
  bool asking_ = false;  // bytes_ ends with a question
  int questions_ = 0;    // still without an answer
  std::size_t since_question_ = 0;
  Time asked_at_;
  LineModel line_;
  std::optional<Time> wakes_at_;
  Counts counts_;
};

}  // namespace gputop::term
