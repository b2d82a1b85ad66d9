#include "gputop/stream/loop.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>

using namespace gputop;

TEST_CASE("a timer that is due together with its own end does not run", "[engine]") {
  Loop loop;
  auto first = loop.make_timer();
  auto second = loop.make_timer();
  auto end = loop.make_timer();
  bool ran = false;
  const auto due = loop.now();
  // Both handlers are ready at once: the first one takes the second away.
  first->at(due, [&] { second.reset(); });
  second->at(due, [&] { ran = true; });
  end->at(due + std::chrono::milliseconds{20}, [&] { loop.stop(); });
  loop.run();
  CHECK_FALSE(ran);
}

TEST_CASE("a timer that is armed again runs once", "[engine]") {
  Loop loop;
  auto first = loop.make_timer();
  auto second = loop.make_timer();
  auto end = loop.make_timer();
  int old_ran = 0;
  int new_ran = 0;
  const auto due = loop.now();
  first->at(due, [&] { second->at(due, [&] { ++new_ran; }); });
  second->at(due, [&] { ++old_ran; });
  end->at(due + std::chrono::milliseconds{20}, [&] { loop.stop(); });
  loop.run();
  CHECK(old_ran == 0);
  CHECK(new_ran == 1);
}

TEST_CASE("a watch that is taken away while its descriptor is ready does not run", "[engine]") {
  Loop loop;
  const int fd = ::eventfd(1, 0);
  auto first = loop.watch(fd);
  auto second = loop.watch(fd);
  auto end = loop.make_timer();
  int ran = 0;
  // Whichever comes first takes the other away.
  first->when_readable([&] { ++ran, second.reset(); });
  second->when_readable([&] { ++ran, first.reset(); });
  end->at(loop.now() + std::chrono::milliseconds{20}, [&] { loop.stop(); });
  loop.run();
  CHECK(ran == 1);
  ::close(fd);
}
