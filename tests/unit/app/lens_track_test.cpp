#include <catch2/catch_test_macros.hpp>

#include "lens_events.hpp"

using namespace gputop;

TEST_CASE("lens track: each process has its own loaders, and a message said again replaces itself", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, from_lens(100, LensHello{.protocol = 1, .python = "3.11", .torch = "2.1"}));
  feed(model, 2, from_lens(100, loader(1, 32)));
  feed(model, 3, from_lens(101, loader(1, 8)));
  feed(model, 4, from_lens(100, loader(1, 64)));
  REQUIRE(model.lens.processes.size() == 2);
  REQUIRE(model.lens.processes[0].loaders.size() == 1);
  CHECK(model.lens.processes[0].loaders[0].value.batch_size == 64U);
  CHECK(model.lens.processes[0].loaders[0].at == at_seconds(4));
  CHECK(model.lens.processes[1].loaders[0].value.batch_size == 8U);
}

TEST_CASE("lens track: the training loader is the one steps are made of", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, from_lens(100, loader(1, 256)));
  feed(model, 1, from_lens(100, loader(2, 32)));
  CHECK(model.lens.processes[0].training_loader() == nullptr);
  auto both = tick(50, 1, 1, 2);
  LensLoaderTick validation;
  validation.id = 1;
  validation.batches = 500;
  both.loaders.push_back(validation);
  feed(model, 2, from_lens(100, both));
  REQUIRE(model.lens.processes[0].training_loader() != nullptr);
  CHECK(model.lens.processes[0].training_loader()->value.id == 2);
}

TEST_CASE("lens track: it validates while only batches come that nothing is learnt from", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  const auto both = [](std::uint64_t steps, std::uint64_t validated) {
    auto value = tick(steps, 1, 1);
    LensLoaderTick validation;
    validation.id = 2;
    validation.batches = validated;
    value.loaders.push_back(validation);
    return value;
  };
  const auto validates = [&] { return model.lens.processes[0].validates(); };
  feed(model, 1, from_lens(100, both(0, 2)));
  feed(model, 2, from_lens(100, both(0, 4)));
  CHECK_FALSE(validates().has_value());  // a look at some data, before it learns
  feed(model, 3, from_lens(100, both(50, 4)));
  CHECK(validates() == false);
  feed(model, 4, from_lens(100, both(50, 20)));
  CHECK(validates() == true);
  auto gathered = both(50, 20);
  gathered.loaders[0].batches += 8;  // that no step was made of yet
  feed(model, 5, from_lens(100, gathered));
  CHECK(validates() == false);
}

TEST_CASE("lens track: a new run starts without the old one's lenses", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 1, from_lens(100, LensHello{.protocol = 1}));
  feed(model, 2, run_of(200));
  CHECK(model.lens.processes.empty());
}

TEST_CASE("lens track: what matters is in the log, with the process that said it", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  feed(model, 0, unavailable("lens", "lens not available: isolated mode"));
  CHECK(model.log.back().text == "lens not available: isolated mode");
  CHECK(model.lens.unavailable == "lens not available: isolated mode");
  CHECK(model.gpu_source.message.empty());  // that is another source
  feed(model, 1, from_lens(100, LensAck{.id = 1, .op = "autocast", .ok = false, .text = "compiled\x1b[31m"}));
  CHECK(model.log.back().text.starts_with("lens (pid 100): autocast refused: compiled"));
  CHECK(model.log.back().text.find('\x1b') == std::string::npos);
  REQUIRE(model.lens.answers.size() == 1);
  const auto lines = model.log.size();
  feed(model, 2, from_lens(100, tick(5, 1, 1)));
  CHECK(model.log.size() == lines);
  feed(model, 3, from_lens(100, LensFault{3, "Traceback\n  File\nKeyError: 'x'\n"}));
  CHECK(model.log.back().text.find("KeyError: 'x'") != std::string::npos);
}

TEST_CASE("lens track: rank 0 speaks for the run", "[app]") {
  Model model;
  feed(model, 0, run_of(100));
  CHECK(model.lens.main() == nullptr);
  feed(model, 1, from_lens(103, LensHello{.protocol = 1, .rank = 3U}));
  feed(model, 1, from_lens(101, LensHello{.protocol = 1, .rank = 0U}));
  feed(model, 1, from_lens(102, LensHello{.protocol = 1, .rank = 1U}));
  REQUIRE(model.lens.main() != nullptr);
  CHECK(model.lens.main()->pid == 101);
}
