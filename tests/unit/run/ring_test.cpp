#include "run/ring.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

using namespace gputop::run;

namespace {

// Both ends of a ring of 16 bytes.
struct Ring {
  StreamState state;
  std::vector<char> data;
  RingWriter writer;
  RingReader reader;

  explicit Ring(std::size_t capacity = 16) : data(capacity) {
    writer = RingWriter{place()};
    reader = RingReader{place()};
  }
  RingPlace place() { return {&state, data.data(), data.size(), 0}; }
  // What fits, piece by piece, as the keeper reads.
  std::size_t write(std::string text) {
    std::size_t total = 0;
    while (!text.empty()) {
      const auto piece = writer.free_piece(text.size());
      if (piece.empty()) break;
      std::copy_n(text.begin(), piece.size(), piece.begin());
      writer.publish(piece.size());
      total += piece.size();
      text.erase(0, piece.size());
    }
    return total;
  }
  std::string read(std::size_t most = 100) {
    std::string text(most, '\0');
    text.resize(reader.read(text).bytes);
    return text;
  }
  void release() { state.released = reader.position(); }
};

}  // namespace

TEST_CASE("ring: what is written is read once, in order, across the wrap", "[run]") {
  Ring ring;
  std::string sent;
  std::string got;
  for (int i = 0; i < 200; ++i) {
    const std::string word = std::to_string(i) + ";";
    REQUIRE(ring.write(word) == word.size());
    sent += word;
    got += ring.read();
    ring.release();
  }
  CHECK(got == sent);
  CHECK(ring.read().empty());
}

TEST_CASE("ring: bytes that were read but not released are kept, and a full ring takes no more", "[run]") {
  Ring ring;
  CHECK(ring.write("0123456789abcdefXYZ") == 16);
  CHECK(ring.read() == "0123456789abcdef");
  CHECK(ring.writer.room() == 0);
  CHECK(ring.write("X") == 0);
  ring.state.released = 3;
  CHECK(ring.writer.room() == 3);
  CHECK(ring.write("XYZ") == 3);
  CHECK(ring.read() == "XYZ");
}

TEST_CASE("ring: the next engine starts at what the last one released, or where its recording says", "[run]") {
  Ring ring;
  ring.write("0123456789");
  ring.read(8);
  ring.state.released = 4;
  RingReader next{ring.place()};
  CHECK(next.position() == 4);
  next.seek(7);
  std::string text(10, '\0');
  const auto piece = next.read(text);
  CHECK(piece.offset == 7);
  CHECK(text.substr(0, piece.bytes) == "789");
  next.seek(1000);  // a recording from another run
  CHECK(next.position() == 10);
}

TEST_CASE("ring: overwriting gives way from the oldest byte and the reader is told how many it missed", "[run]") {
  Ring ring;
  ring.write("0123456789abcdef");
  ring.writer.overwrite(std::string_view{"ABCD"});
  std::string text(100, '\0');
  const auto piece = ring.reader.read(text);
  CHECK(piece.lost == 4);
  CHECK(piece.offset == 4);
  CHECK(text.substr(0, piece.bytes) == "456789abcdefABCD");
  CHECK(ring.reader.read(text).lost == 0);
}

TEST_CASE("ring: overwriting free room loses nothing", "[run]") {
  Ring ring;
  ring.writer.overwrite(std::string_view{"abc"});
  CHECK(ring.state.tail == 0);
  CHECK(ring.read() == "abc");
}

TEST_CASE("ring: an engine that claims to have released the future is not believed", "[run]") {
  Ring ring;
  ring.write("abc");
  ring.state.released = 1'000'000;
  CHECK(ring.writer.held() == 0);
  CHECK(ring.writer.room() == 16);
}

TEST_CASE("ring: what a keeper had read when it was killed is found by the next", "[run]") {
  Ring ring;
  ring.write("0123456789abc");
  ring.read();
  ring.release();
  SECTION("nothing had arrived yet") {
    REQUIRE(ring.writer.reading_piece(8).size() == 3);  // up to the wrap
    RingWriter next{ring.place()};
    next.recover();
    CHECK(ring.read().empty());
  }
  SECTION("two of three bytes had") {
    const auto piece = ring.writer.reading_piece(8);
    piece[0] = 'x';
    piece[1] = 'y';
    RingWriter next{ring.place()};
    next.recover();
    CHECK(ring.read() == "xy");
  }
  SECTION("they had been published: the old bytes behind them are not taken for new ones") {
    const auto piece = ring.writer.reading_piece(8);
    piece[0] = 'x';
    ring.writer.publish(1);
    RingWriter next{ring.place()};
    next.recover();
    CHECK(ring.read() == "x");
  }
}

TEST_CASE("ring: the keeper insists on what it has written, or its engine would wait for output that never comes", "[run]") {
  Ring ring;
  ring.write("out");
  CHECK(ring.read() == "out");
  ring.state.written = std::uint64_t{1} << 40U;
  ring.state.tail = 2;
  ring.writer.insist();
  CHECK(ring.reader.written() == 3);
  CHECK(ring.state.tail == 0);
}

TEST_CASE("ring: a memory that somebody else writes to leads neither end out of the ring", "[run]") {
  Ring ring{4096};
  REQUIRE(ring.write("0123456789") == 10);
  ring.state.capacity = 0;
  ring.state.tail = ~std::uint64_t{0} - 5;
  ring.state.released = ~std::uint64_t{0};
  CHECK(ring.writer.held() <= 4096);
  CHECK(ring.writer.reading_piece(8192).size() <= 4096);
  ring.writer.overwrite(std::string(3000, 'x'));
  ring.state.written = ~std::uint64_t{0};
  std::string all(65536, '\0');
  for (int i = 0; i < 3; ++i) CHECK(ring.reader.read(all).bytes <= 4096);
  RingWriter next{ring.place()};
  next.recover();
  CHECK(next.free_piece(65536).size() <= 4096);
}
