// Older output: found in a recording by its text, whatever frame it stands in.
#include <catch2/catch_test_macros.hpp>

#include <fstream>

#include "store/recording_encoder.hpp"
#include "support/temporary_directory.hpp"
#include "viewer/output_search.hpp"

using namespace gputop;
using What = LookBack::What;

namespace {

constexpr std::uint64_t kAll = 1U << 30U;

// A recording of a job that printed these pieces, ten minutes between the frames.
class Recorded {
 public:
  // Each piece in a frame of its own.
  explicit Recorded(const std::vector<std::string>& pieces) : path_(folder_.file("r.gputop")) {
    std::ofstream file{path_, std::ios::binary};
    auto encoder = *store::RecordingEncoder::create();
    encoder->append({Instant{}, StreamStarted{}});
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      encoder->append({Instant{} + std::chrono::minutes{20} * i, OutputWritten{0, total_, pieces[i]}});
      total_ += pieces[i].size();
    }
    encoder->finish();
    file << encoder->bytes();
  }
  std::unique_ptr<ui::PastOutput> find(LookBack wanted, std::uint64_t edge = kAll, bool stop = false) const {
    OutputSearch search{*RecordedOutput::open(path_),
                        {.columns = 60, .rows = 5, .edge = std::min(edge, total_)},
                        [stop](int) { return !stop; }};
    return search.find(wanted);
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  test::TemporaryDirectory folder_;
  std::string path_;
  std::uint64_t total_ = 0;
};

std::string found_line(const std::unique_ptr<ui::PastOutput>& past) {
  return past && past->found ? past->terminal.line(*past->found).text : "–";
}

LookBack text(std::string words, bool older = true, std::optional<std::uint64_t> from = std::nullopt) {
  return {.what = What::kText, .text = std::move(words), .older = older, .from = from};
}

std::vector<std::string> hours(int count) {
  std::vector<std::string> pieces;
  for (int i = 0; i < count; ++i) {
    std::string piece;
    for (int line = 0; line < 20; ++line) {
      piece += "hour " + std::to_string(i) + " step " + std::to_string(line) + "\r\n";
    }
    pieces.push_back(piece);
  }
  return pieces;
}

}  // namespace

TEST_CASE("output search: the newest line with the text, and from it to older and to newer ones", "[search]") {
  const Recorded recorded{hours(30)};
  auto past = recorded.find(text("step 7"));
  CHECK(found_line(past) == "hour 29 step 7");
  past =
      recorded.find({.what = What::kText, .text = "step 7", .older = true, .from = past->begin, .frame = past->frame});
  CHECK(found_line(past) == "hour 28 step 7");
  past =
      recorded.find({.what = What::kText, .text = "step 7", .older = false, .from = past->end, .frame = past->frame});
  CHECK(found_line(past) == "hour 29 step 7");
  CHECK(found_line(recorded.find(text("step 7", false, 0))) == "hour 0 step 7");
  CHECK(found_line(recorded.find(text("hour 3 step 19"))) == "hour 3 step 19");
}

TEST_CASE("output search: lines stand around what was found, and it says when it was written", "[search]") {
  const Recorded recorded{hours(30)};
  const auto past = recorded.find(text("hour 3 step 19"));
  REQUIRE(past);
  CHECK(past->terminal.line(*past->found - 1).text == "hour 3 step 18");
  CHECK(past->terminal.line(*past->found + 1).text == "hour 4 step 0");
  CHECK(past->at == Instant{} + std::chrono::minutes{60});
  const auto first = recorded.find(text("hour 4 step 0"));
  CHECK(first->terminal.line(*first->found - 1).text == "hour 3 step 19");
}

TEST_CASE("output search: case matters only where a capital is given; nothing is nothing", "[search]") {
  const Recorded recorded{{"Loss went UP\r\n", "loss went down\r\n"}};
  CHECK(found_line(recorded.find(text("went up"))) == "Loss went UP");
  CHECK(found_line(recorded.find(text("Loss"))) == "Loss went UP");
  CHECK_FALSE(recorded.find(text("nowhere")));
  CHECK_FALSE(recorded.find(text("went down", true, 10)));
}

TEST_CASE("output search: what is at hand is not looked at", "[search]") {
  const Recorded recorded{hours(10)};
  const auto half = recorded.total() / 2;
  CHECK(found_line(recorded.find(text("step 3"), half)) == "hour 4 step 3");
  CHECK_FALSE(recorded.find(text("hour 9"), half));
  CHECK_FALSE(recorded.find(text("hour 9", false, 0), half));
}

TEST_CASE("output search: text that colours, frames and rows cut through is one text", "[search]") {
  const Recorded recorded{{"one\r\n\x1b[31mval\x1b[0m_loss 0.4\r\nthe nee", "dle is here\r\nend\r\n", "more\r\n"}};
  CHECK(found_line(recorded.find(text("val_loss"))) == "val_loss 0.4");
  CHECK(found_line(recorded.find(text("needle"))) == "the needle is here");
  CHECK(found_line(recorded.find(text("needle", false, 0))) == "the needle is here");
  const std::string dots(55, '.');
  const Recorded wide{{dots + "needles and pins\r\n"}};
  CHECK(found_line(wide.find(text("needles and"))) == dots + "needl");
}

TEST_CASE("output search: a bar's state that was written over is not there, its last one is", "[search]") {
  std::string bar;
  for (int i = 0; i <= 100; ++i) bar += "\r" + std::to_string(i) + "% done";
  const Recorded recorded{{"before\r\n" + bar + "\r\nafter\r\n"}};
  CHECK_FALSE(recorded.find(text("42% done")));
  CHECK(found_line(recorded.find(text("100% done"))) == "100% done");
}

TEST_CASE("output search: the first error of all", "[search]") {
  auto pieces = hours(12);
  pieces[2] += "ValueError: too early\r\n";
  pieces[7] += "RuntimeError: too late\r\n";
  const Recorded recorded{pieces};
  auto past = recorded.find({.what = What::kError, .older = false, .from = 0});
  CHECK(found_line(past) == "ValueError: too early");
  past = recorded.find({.what = What::kError, .older = false, .from = past->end, .frame = past->frame});
  CHECK(found_line(past) == "RuntimeError: too late");
  CHECK_FALSE(recorded.find({.what = What::kError, .older = false, .from = past->end, .frame = past->frame}));
}

TEST_CASE("output search: pages follow each other without a gap", "[search]") {
  const Recorded recorded{hours(200)};
  auto past = recorded.find({.what = What::kPage, .older = true});
  REQUIRE(past);
  CHECK(past->end == recorded.total());
  CHECK(past->terminal.line(past->to_line - 1).text == "hour 199 step 19");
  const auto top = past->terminal.line(past->from_line).text;
  const auto begin = past->shown_begin;
  past = recorded.find({.what = What::kPage, .older = true, .from = begin, .frame = past->frame});
  REQUIRE(past);
  CHECK(past->shown_end == begin);
  past = recorded.find({.what = What::kPage, .older = false, .from = begin});
  CHECK(past->terminal.line(past->from_line).text == top);
  past = recorded.find({.what = What::kPage, .older = false, .from = 0});
  CHECK(past->terminal.line(0).text == "hour 0 step 0");
  CHECK_FALSE(recorded.find({.what = What::kPage, .older = true, .from = 0}));
  CHECK_FALSE(recorded.find({.what = What::kPage, .older = false, .from = recorded.total()}));
}

TEST_CASE("output search: stops when told, and at what cannot be read", "[search]") {
  const Recorded recorded{hours(30)};
  CHECK_FALSE(recorded.find(text("hour 0 step 1"), kAll, true));
  std::fstream file{recorded.path(), std::ios::binary | std::ios::in | std::ios::out};
  file.seekp(0, std::ios::end);
  const auto size = static_cast<std::int64_t>(file.tellp());
  file.seekp(size / 2);
  file << std::string(20, '\x55');
  file.close();
  CHECK(found_line(recorded.find(text("hour 0 step 1"))) == "hour 0 step 19");
  CHECK(found_line(recorded.find(text("hour 29 step 1"))) == "hour 29 step 19");
}
