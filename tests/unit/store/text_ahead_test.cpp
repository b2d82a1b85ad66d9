// A second thread that unpacks ahead changes nothing of what is read: whole, cut, damaged, sought in, left in the
// middle.
#include <catch2/catch_test_macros.hpp>

#include "recordings_for_tests.hpp"
#include "samples_for_tests.hpp"

namespace gputop::text_ahead_test {
namespace {

using namespace testing;

std::vector<Event> stream() {
  std::vector<Event> events;
  for (int i = 0; i < 4000; ++i)
    events.push_back(
        {at_seconds(i), Noted{Noted::Severity::kInfo, "line " + std::to_string(i) + std::string(300, 'x')}});
  return events;
}

struct Read {
  std::vector<Event> events;
  std::vector<std::string> problems;
  bool operator==(const Read&) const = default;
};

Read read(const std::string& path, bool ahead, std::optional<Instant> from = {}) {
  auto reader = RecordingReader::open(path);
  REQUIRE(reader);
  if (ahead) reader->read_ahead();
  Read all;
  if (from) {
    for (int i = 0; i < 10; ++i) static_cast<void>(reader->next());
    reader->seek(*from);
  }
  while (const auto* event = reader->next()) all.events.push_back(*event);
  all.problems = reader->problems();
  return all;
}

TEST_CASE("reading ahead: the same events and the same losses", "[store]") {
  const test::TemporaryDirectory folder;
  const auto path = folder.file("r.gputop");
  const auto whole = recording_of(stream(), 100);
  auto damaged = whole;
  damaged[damaged.size() / 2] ^= 0x55;
  for (const auto& bytes : {whole, whole.substr(0, whole.size() - 40), damaged}) {
    write_bytes(path, bytes);
    const auto plain = read(path, false);
    CHECK(plain.events.size() > 1000);
    CHECK((read(path, true) == plain));
    CHECK((read(path, true, at_seconds(2500)) == read(path, false, at_seconds(2500))));
  }
}

TEST_CASE("reading ahead: who stops in the middle is not waited for", "[store]") {
  const test::TemporaryDirectory folder;
  write_bytes(folder.file("r.gputop"), recording_of(stream(), 100));
  auto reader = RecordingReader::open(folder.file("r.gputop"));
  REQUIRE(reader);
  reader->read_ahead();
  for (int i = 0; i < 20; ++i) CHECK(reader->next() != nullptr);
}

}  // namespace
}  // namespace gputop::text_ahead_test
