#include "gputop/core/training.hpp"

#include <catch2/catch_test_macros.hpp>

namespace gputop {
namespace {

TEST_CASE("training words: every name reads back as itself", "[core]") {
  for (const auto precision :
       {Precision::kFp32, Precision::kTf32, Precision::kAmpFp16, Precision::kAmpBf16, Precision::kBf16}) {
    CHECK(parse_precision(to_string(precision)) == precision);
  }
  for (const auto optimizer :
       {OptimizerKind::kSgd, OptimizerKind::kSgdMomentum, OptimizerKind::kAdam, OptimizerKind::kAdamW,
        OptimizerKind::kAdafactor, OptimizerKind::kAdam8bit, OptimizerKind::kOther}) {
    CHECK(parse_optimizer(to_string(optimizer)) == optimizer);
  }
}

TEST_CASE("training words: what other frameworks call them", "[core]") {
  CHECK(parse_precision("16-mixed") == Precision::kAmpFp16);
  CHECK(parse_precision("bf16-mixed") == Precision::kAmpBf16);
  CHECK(parse_precision("bf16-true") == Precision::kBf16);
  CHECK(parse_precision("torch.bfloat16") == Precision::kBf16);
  CHECK(parse_precision("32") == Precision::kFp32);
  CHECK(parse_optimizer("torch.optim.AdamW") == OptimizerKind::kAdamW);
  CHECK(parse_optimizer("adamw_torch_fused") == OptimizerKind::kAdamW);
  CHECK(parse_optimizer("paged_adamw_8bit") == OptimizerKind::kAdam8bit);
}

TEST_CASE("training words: an unknown word is unknown, not a default", "[core]") {
  CHECK_FALSE(parse_precision("fp64"));
  CHECK_FALSE(parse_precision(""));
  CHECK_FALSE(parse_optimizer("lion"));
  CHECK_FALSE(parse_optimizer("."));
}

}  // namespace
}  // namespace gputop
