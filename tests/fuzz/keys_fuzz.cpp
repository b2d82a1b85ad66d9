// libFuzzer: any bytes from the terminal, cut anywhere, with waits between; a paste comes whole, and ends where it ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gputop/core/scan.hpp"
#include "gputop/term/key_decoder.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gputop;
  std::string_view bytes{reinterpret_cast<const char*>(data), size};
  std::size_t keys = 0;
  term::KeyDecoder decoder{[&](const ftxui::Event&) { ++keys; },
                           [&](const std::string& text) {
                             if (text.size() > size || text.find("\x1b[201~") != text.npos) std::abort();
                           },
                           [] {}};
  while (!bytes.empty()) {
    const auto head = static_cast<unsigned char>(first_char(bytes));
    skip_front(bytes, 1);
    decoder.feed(slice(bytes, 0, head % 32));
    skip_front(bytes, head % 32);
    if (head >= 0xE0 && decoder.pending()) decoder.flush();
  }
  if (keys > size) std::abort();  // no byte is two keys
  return 0;
}
