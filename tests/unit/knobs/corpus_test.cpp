// Every value of every file in tests/corpus, as it is and in variations: an edit changes that value's bytes and no
// other.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <catch2/catch_test_macros.hpp>

#include "finder_support.hpp"
#include "gputop/knobs/document.hpp"

namespace gputop::knobs {
namespace {

namespace fs = std::filesystem;
using Whole = std::int64_t;

struct CorpusFile {
  std::string name;
  Format format;
  std::string text;
};

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::vector<CorpusFile> corpus() {
  std::vector<CorpusFile> files;
  for (const auto& entry : fs::recursive_directory_iterator{CORPUS_DIR}) {
    const auto format = format_of(entry.path().string());
    if (!entry.is_regular_file() || !format) continue;
    std::ifstream stream{entry.path(), std::ios::binary};
    const auto name = entry.path().lexically_relative(CORPUS_DIR).string();
    files.push_back({name, *format, {std::istreambuf_iterator<char>{stream}, {}}});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::vector<CorpusFile> with_variations() {
  std::vector<CorpusFile> all;
  for (const auto& file : corpus()) {
    const auto add = [&](const char* how, std::string text) {
      all.push_back({file.name + how, file.format, std::move(text)});
    };
    const std::string bom = "\xEF\xBB\xBF";
    const std::string comment = file.format == Format::kJson ? "// batch_size: 3 {\n" : "# batch_size: 3 {\n";
    add("", file.text);
    const std::string plain =
        replaced(file.text.starts_with(bom) ? file.text.substr(bom.size()) : file.text, "\r\n", "\n");
    add(" crlf", replaced(plain, "\n", "\r\n"));
    add(" bom", bom + plain);
    add(" bom crlf", bom + replaced(plain, "\n", "\r\n"));
    std::string bare = plain;
    while (!bare.empty() && bare.back() == '\n') bare.pop_back();
    add(" no last newline", bare);
    add(" comment", plain.starts_with("%") ? plain : comment + plain);
    add(" blank lines", "\n\n" + plain + "\n\n");
  }
  return all;
}

// Another value of the same kind.
Value other_than(const Value& value) {
  if (const auto* on = std::get_if<bool>(&value)) return !*on;
  if (const auto* whole = std::get_if<Whole>(&value)) return *whole == 48 ? Whole{96} : Whole{48};
  if (const auto* real = std::get_if<double>(&value)) return *real * 2 + 0.25;
  if (std::holds_alternative<std::string>(value)) return std::string{"something-else"};
  return Whole{48};
}

TEST_CASE("corpus: there are enough files, and all can be read", "[knobs]") {
  CHECK(corpus().size() >= 200);
  for (const auto& file : with_variations()) {
    CAPTURE(file.name);
    const auto document = read_document(file.format, file.text);
    if (!document) FAIL_CHECK(document.error().message);
  }
}

TEST_CASE("corpus: every edit changes the value's bytes and nothing else", "[knobs]") {
  std::size_t edits = 0;
  std::size_t refusals = 0;
  for (const auto& file : with_variations()) {
    const auto document = read_document(file.format, file.text);
    if (!document) continue;  // said above
    for (std::size_t i = 0; i < document->entries.size(); ++i) {
      const Entry& entry = document->entries[i];
      CAPTURE(file.name, joined(entry.path), entry.line);
      if (entry.presence) continue;  // is there or is not
      const Value value = other_than(entry.value);
      const auto edited = change_value(file.text, *document, i, value, true);
      if (!edited) {
        ++refusals;
        // Only for a reason that was known beforehand, or that lies in the number itself.
        if (entry.fixed.empty()) CHECK(edited.error().message.find("octal") != std::string::npos);
        continue;
      }
      ++edits;
      const std::size_t grown = edited->size() + entry.end - entry.begin - file.text.size();
      const bool front = edited->compare(0, entry.begin, file.text, 0, entry.begin) == 0;
      const bool back =
          edited->compare(entry.begin + grown, std::string::npos, file.text, entry.end, std::string::npos) == 0;
      if (!front || !back) FAIL_CHECK("bytes outside the value changed");
      const auto again = read_document(file.format, *edited);
      REQUIRE(again);
      REQUIRE(again->entries.size() == document->entries.size());
      for (std::size_t k = 0; k < again->entries.size(); ++k) {
        const bool same = again->entries[k].value == document->entries[k].value;
        if (again->entries[k].path != document->entries[k].path || same == (k == i)) {
          FAIL_CHECK("another value changed: " + joined(again->entries[k].path));
        }
      }
    }
  }
  CHECK(edits > 4000);
  INFO(edits << " edits, " << refusals << " refusals");
}

// What tests/corpus/places.txt says of a file: "yaml/axolotl.yml: micro_batch_size=2".
std::map<std::string, std::string> expected_places() {
  std::map<std::string, std::string> expected;
  std::ifstream stream{fs::path{CORPUS_DIR} / "places.txt"};
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with('#') && colon != std::string::npos) expected[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return expected;
}

TEST_CASE("corpus: the batch size is found where it is, and nowhere else", "[knobs]") {
  const auto expected = expected_places();
  for (const auto& file : corpus()) {
    if (file.name.starts_with("projects/")) continue;  // have truths of their own
    CAPTURE(file.name);
    const test::World world{{"python", "train", "--config", file.name}, {{file.name, file.text}}};
    std::string places;
    for (const auto* candidate : candidates_of(world.found, "batch_size")) {
      if (candidate->place.kind != Place::Kind::kFile) continue;
      places += (places.empty() ? "" : " ") + candidate->place.key + "=" + to_text(candidate->found);
      if (!candidate->fixed.empty() || !candidate->shared.empty()) places += "!";
    }
    const auto known = expected.find(file.name);
    CHECK((known == expected.end() ? "(not listed)" : known->second) == (places.empty() ? "-" : places));
  }
}

}  // namespace
}  // namespace gputop::knobs
