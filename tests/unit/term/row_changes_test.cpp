#include "gputop/term/row_changes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace gputop::term {
namespace {

// "0-4 40-60!": the stretches of a set, "!" behind the one that is told to be the last.
std::string stretches(ColumnSet set, int width) {
  std::string text;
  each_stretch(set, width, [&](Columns part, bool last) {
    text += (text.empty() ? "" : " ") + std::to_string(part.begin) + "-" + std::to_string(part.end) + (last ? "!" : "");
  });
  return text;
}

TEST_CASE("row changes: a set of columns is read as stretches from the left", "[term]") {
  CHECK(stretches(0, 200).empty());
  CHECK(stretches(1, 200) == "0-4!");
  CHECK(stretches(kAllColumns, 200) == "0-200!");
  CHECK(stretches(kAllColumns, 64) == "0-64!");
  CHECK(stretches(kAllColumns, 1) == "0-1!");
  CHECK(stretches(ColumnSet{1} << 63U, 64) == "63-64!");
  CHECK(stretches(ColumnSet{1} << 63U, 200).empty());  // beyond the row
  CHECK(stretches(kAllColumns, 1000) == "0-1000!");
}

TEST_CASE("row changes: a gap that is printed as quickly as skipped does not part two stretches", "[term]") {
  CHECK(stretches(0b1001, 200) == "0-16!");        // 8 columns between
  CHECK(stretches(0b10001, 200) == "0-4 16-20!");  // 12
  CHECK(stretches(0b101, 1000) == "0-16 32-48!");  // 16
  CHECK(stretches(0b11100001, 200) == "0-4 20-32!");
}

TEST_CASE("row changes: what a frame missed is all of what changed since", "[term]") {
  RowHistory before(1);
  before[0].add(1, 0b1);
  auto after = before;
  CHECK(changed_between(before, after, 0) == 0);
  after[0].add(2, 0b10);
  after[0].add(5, 0b1000);
  CHECK(changed_between(before, after, 0) == 0b1010);
  CHECK(changed_between(before, after, 1) == kAllColumns);
  CHECK(changed_between({}, after, 0) == kAllColumns);
  for (RowChanges::Stamp stamp = 6; stamp < 10; ++stamp) after[0].add(stamp, 1);
  CHECK(changed_between(before, after, 0) == kAllColumns);  // too long ago
}

}  // namespace
}  // namespace gputop::term
