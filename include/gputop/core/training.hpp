// Terms of a training configuration that the estimator, the advisor and the knobs share.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gputop {

enum class Precision : std::uint8_t { kFp32, kTf32, kAmpFp16, kAmpBf16, kBf16 };
enum class OptimizerKind : std::uint8_t { kSgd, kSgdMomentum, kAdam, kAdamW, kAdafactor, kAdam8bit, kOther };

// Names as users type them and as they appear in JSON: "amp-bf16", "sgd-momentum".
std::string_view to_string(Precision precision);
std::string_view to_string(OptimizerKind optimizer);
std::optional<Precision> parse_precision(std::string_view text);      // also "16-mixed", "bfloat16", "fp16"
std::optional<OptimizerKind> parse_optimizer(std::string_view text);  // also class names: "AdamW", "torch.optim.SGD"

}  // namespace gputop
