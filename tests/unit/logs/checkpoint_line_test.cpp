#include "logs/checkpoint_line.hpp"

#include <catch2/catch_test_macros.hpp>

#include "gputop/logs/run_log.hpp"

namespace gputop {
namespace {

TEST_CASE("checkpoint: lines that say that the state was saved") {
  for (const auto* line :
       {"Saving model checkpoint to ./out/checkpoint-500", "=> saving checkpoint 'checkpoint.pth.tar'",
        "Epoch 3, global step 300: 'val_loss' reached 0.31 (best 0.31), saving model to 'a/epoch=3.ckpt' as top 1",
        "Epoch 1: val_loss improved from inf to 0.5, saving model to best.h5", "saving checkpoint to out",
        "  successfully saved checkpoint at iteration    1000 to ckpts",
        "INFO:torchtune.utils._logging:Model checkpoint of size 4.98 GB saved to /tmp/hf_model_0001.pt",
        "[03/01 12:00:00 fvcore.common.checkpoint]: Saving checkpoint to ./output/model_0004999.pth"}) {
    INFO(line);
    CHECK(read_checkpoint_line(line) != CheckpointLine::kNone);
  }
}

TEST_CASE("checkpoint: lines that do not") {
  for (const auto* line : {"checkpoints will be saved to out/", "loading checkpoint from out/last.pt",
                           "Loaded model weights saved by version 3", "skipping: model not saved", "saving money",
                           "a model state of mind", "Saving a checkpoint every 500 steps", ""}) {
    INFO(line);
    CHECK(read_checkpoint_line(line) == CheckpointLine::kNone);
  }
}

TEST_CASE("checkpoint: the log remembers when") {
  RunLog log;
  CHECK_FALSE(log.checkpoint());
  log.output(at_seconds(7), {0, 0, "step 1\nSaving checkpoint to out\n"});
  CHECK(log.checkpoint() == at_seconds(7));
}

}  // namespace
}  // namespace gputop
