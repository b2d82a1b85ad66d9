// Tables that name their columns once: what their rows say, and what is no such table.
#include "gputop/logs/columns.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "gputop/logs/run_log.hpp"

using namespace gputop;
using Catch::Approx;

TEST_CASE("columns: skorch's and fastai's rows have epoch and training loss", "[logs]") {
  ColumnReader reader;
  CHECK_FALSE(reader.read("  epoch    train_loss    valid_acc    valid_loss     dur"));
  CHECK_FALSE(reader.read("-------  ------------  -----------  ------------  ------"));
  const auto row = reader.read("      7        0.4300       0.8712        0.3981  1.2312");
  REQUIRE(row);
  CHECK(row->epoch == 7);
  CHECK(*row->loss == Approx(0.43));
  CHECK_FALSE(row->step);
  CHECK_FALSE(row->steps_per_second);
}

TEST_CASE("columns: nerfstudio's rows have the step, its time and the time left", "[logs]") {
  ColumnReader reader;
  CHECK_FALSE(reader.read(
      "Step (% Done)       Vis Rays / Sec        Train Iter (time)    ETA (time)           Train Rays / Sec     "));
  const auto row = reader.read(
      "1200 (4.00%)        1.12 M               28.123 ms            13 m, 32 s           146.22 K             ");
  REQUIRE(row);
  CHECK(row->step == 1200);
  CHECK(*row->steps_per_second == Approx(1 / 0.028123));
  CHECK(to_seconds(*row->eta) == Approx(812));
}

TEST_CASE("columns: walls, tabs, commas and single blanks part them as well", "[logs]") {
  const auto last_of = [](std::string_view header, std::string_view text) {
    ColumnReader reader;
    CHECK_FALSE(reader.read(header));
    return reader.read(text);
  };
  CHECK(last_of("| step | loss | tok/s |", "| 700 | 1.30 | 12000 |")->tokens_per_second == 12000);
  CHECK(last_of("Step\tTraining Loss\tValidation Loss", "4000\t0.1600\t0.3")->step == 4000);
  CHECK(last_of("epoch,train_loss,val_loss,lr,seconds", "7,0.3,0.41,0.001,2.01")->loss == 0.3);
  CHECK(last_of("step loss samples/s", "   400   2.2000     1234.5")->samples_per_second == 1234.5);
  CHECK(last_of("E    #       LOSS TOK2VEC  LOSS NER  SCORE ", "  0     600         22.31    945.12    0.66")->step ==
        600);
}

TEST_CASE("columns: rows that do not fit and tables of other things say nothing", "[logs]") {
  ColumnReader reader;
  CHECK_FALSE(reader.read("7  0.43  0.39"));  // no header yet
  CHECK_FALSE(reader.read("NAME  STEP  IMAGE"));
  CHECK_FALSE(reader.read("1  2  3"));
  CHECK_FALSE(reader.read("              precision    recall  f1-score   support"));
  CHECK_FALSE(reader.read("0  0.99  0.98  980"));
  CHECK_FALSE(reader.read("epoch  loss  acc"));
  CHECK_FALSE(reader.read("best  0.43  0.39"));
  CHECK_FALSE(reader.read("7  0.43"));
  CHECK(reader.read("7  0.43  -"));
}

TEST_CASE("columns: a bar below the names of columns is a bar", "[logs]") {
  const std::string text =
      "      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n"
      "      1/100      2.51G      1.312      2.871      1.402         38        640: 100%|██████████| 185/185 "
      "[00:12<00:00, 14.61it/s]\n";
  RunLog log;
  log.output(at_seconds(1), OutputWritten{0, 0, text});
  CHECK(log.progress().format == "ultralytics");
  CHECK(log.progress().step == 185);
}
