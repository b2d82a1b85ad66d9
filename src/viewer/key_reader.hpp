// A terminal's bytes → keys, with the timer that tells a lone Escape from the start of a sequence.
#pragma once

#include <memory>
#include <string_view>

#include "gputop/stream/loop.hpp"
#include "gputop/term/key_decoder.hpp"

namespace gputop {

class KeyReader {
 public:
  KeyReader(Loop& loop,
            term::KeyDecoder::Keys keys,
            term::KeyDecoder::Paste paste,
            term::KeyDecoder::Reply reply,
            term::KeyDecoder::Background background)
      : loop_(loop),
        decoder_(std::move(keys), std::move(paste), std::move(reply), std::move(background)),
        escape_(loop.make_timer()) {}

  void feed(std::string_view bytes) {
    decoder_.feed(bytes);
    if (decoder_.pending()) {
      escape_->at(loop_.now() + term::kEscapeWait, [this] { decoder_.flush(); });
    } else {
      escape_->cancel();
    }
  }

 private:
  Loop& loop_;
  term::KeyDecoder decoder_;
  std::unique_ptr<Loop::Timer> escape_;
};

}  // namespace gputop
