#include <catch2/catch_test_macros.hpp>

#include "gputop/app/view.hpp"

using namespace gputop;

TEST_CASE("a list's cursor stays inside the list", "[view]") {
  ListView list;
  list.move(5, 3);
  CHECK(list.cursor == 2);
  list.move(-9, 3);
  CHECK(list.cursor == 0);
  list.move(1, 0);
  CHECK(list.cursor == 0);
}

TEST_CASE("a list's window follows the cursor and shows no emptiness below the end", "[view]") {
  ListView list{.cursor = 9, .top = 0, .page = 1};
  list.settle(20, 5);
  CHECK(list.top == 5);
  list.cursor = 19;
  list.settle(20, 5);
  CHECK(list.top == 15);
  list.settle(4, 5);
  CHECK(list.top == 0);
  CHECK(list.cursor == 3);
}

TEST_CASE("a window of no lines is still valid", "[view]") {
  ListView list{.cursor = 3, .top = 0, .page = 1};
  list.settle(10, 0);
  CHECK(list.page == 1);
  CHECK(list.top == 3);
}

TEST_CASE("an invalid filter is said and the last valid one stays in force", "[view]") {
  ProcessView processes;
  processes.set_filter("train");
  REQUIRE(processes.filter);
  processes.set_filter("train(");
  CHECK_FALSE(processes.filter_problem.empty());
  REQUIRE(processes.filter);
  CHECK(processes.filter->matches("python train.py"));
  processes.set_filter("");
  CHECK_FALSE(processes.filter);
  CHECK(processes.filter_problem.empty());
}
