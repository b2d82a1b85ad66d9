#include <catch2/catch_test_macros.hpp>

#include "sources/host/cpu_meter.hpp"

using namespace gputop;
using gputop::host::CpuMeter;

namespace {

HostReading read(CpuMeter& meter, std::string_view stat) {
  HostReading host;
  meter.read(stat, host);
  return host;
}

}  // namespace

TEST_CASE("cpu: the first reading knows how many there are, not how busy they were", "[host]") {
  CpuMeter meter;
  const auto host = read(meter,
                         "cpu  30 0 0 30 0 0 0 0 0 0\ncpu0 10 0 0 10 0 0 0 0 0 0\ncpu1 20 0 0 20 0 0 0 0 0 0\n"
                         "intr 5 0 0\nctxt 1\nbtime 1794800229\nprocesses 3\n");
  CHECK(host.cpu_count == 2);
  CHECK(host.cores == std::vector<Reading<Percent>>{std::nullopt, std::nullopt});
  CHECK_FALSE(host.cpu);
  CHECK_FALSE(host.io_wait);
  CHECK(meter.boot_seconds() == 1794800229);
}

TEST_CASE("cpu: busy is everything but idle and waiting; guests are not counted twice", "[host]") {
  CpuMeter meter;
  read(meter, "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n");
  const auto host =
      read(meter, "cpu  20 10 20 100 40 5 2 3 15 5\ncpu0 0 0 0 100 0 0 0 0 0 0\ncpu1 75 0 25 0 0 0 0 0 75 0\n");
  CHECK(host.cpu == Percent{30});
  CHECK(host.io_wait == Percent{20});
  CHECK(host.cores == std::vector<Reading<Percent>>{Percent{0}, Percent{100}});
}

TEST_CASE("cpu: cores that come and go keep their numbers", "[host]") {
  CpuMeter meter;
  read(meter, "cpu  0 0 0 0\ncpu0 0 0 0 0\ncpu1 0 0 0 0\ncpu2 0 0 0 0\n");
  auto host = read(meter, "cpu  50 0 0 50\ncpu0 50 0 0 50\ncpu2 20 0 0 80\n");
  CHECK(host.cpu_count == 2);
  CHECK(host.cores == std::vector<Reading<Percent>>{Percent{50}, std::nullopt, Percent{20}});
  // Back again: what it did before it went is not what it does now.
  host = read(meter, "cpu  90 0 0 110\ncpu0 90 0 0 110\ncpu1 900 0 0 0\ncpu2 20 0 0 180\ncpu3 7 0 0 7\n");
  CHECK(host.cpu_count == 4);
  CHECK(host.cores == std::vector<Reading<Percent>>{Percent{40}, std::nullopt, Percent{0}, std::nullopt});
  host = read(meter, "cpu  190 0 0 110\ncpu0 190 0 0 110\n");
  CHECK(host.cores == std::vector<Reading<Percent>>{Percent{100}});
}

TEST_CASE("cpu: a counter that runs backwards makes its core unknown", "[host]") {
  CpuMeter meter;
  read(meter, "cpu  500 0 0 500\ncpu0 500 0 0 500\n");
  const auto host = read(meter, "cpu  400 0 0 600\ncpu0 600 0 0 400\n");
  CHECK_FALSE(host.cpu);
  CHECK(host.cores == std::vector<Reading<Percent>>{std::nullopt});
}

TEST_CASE("cpu: waiting for I/O may run backwards without hiding how busy it was", "[host]") {
  CpuMeter meter;
  read(meter, "cpu  0 0 0 0 9 0 0 0\n");
  const auto host = read(meter, "cpu  25 0 0 75 8 0 0 0\n");
  CHECK(host.cpu == Percent{25});
  CHECK_FALSE(host.io_wait);
}

TEST_CASE("cpu: no time passed, nothing known", "[host]") {
  CpuMeter meter;
  read(meter, "cpu  5 0 0 5 0 0 0 0\n");
  CHECK_FALSE(read(meter, "cpu  5 0 0 5 0 0 0 0\n").cpu);
}

TEST_CASE("cpu: a damaged file costs its readings only", "[host]") {
  CpuMeter meter;
  CHECK(read(meter, "").cpu_count == 0);
  CHECK(read(meter, "cpu\ncpu0 a b\ncpux 1 2 3 4\ncpu99999999999 1 2 3 4\ncpu4000000000 1 2 3 4\n").cores.size() == 1);
  CHECK_FALSE(read(meter, "cpu  1 2").cpu);
}
