#pragma once

#include "core/train/files/training_config.h"

#include <string>

namespace headscope::test {

/// As the shipped model for induction, for fewer steps.
inline TrainingConfig repeatedSnippets(int layers)
{
    return parseTrainingConfig(
        R"({"model": {"d_model": 64, "n_layers": )" + std::to_string(layers) +
            R"(, "n_heads": 4, "d_ff": 0, "max_len": 128, "positions": "learned",
                "tie_embeddings": false, "init_from": "fan_in"},
            "data": {"task": "repeat", "variant": "snippets", "validation_batches": 1},
            "optimizer": {"lr": 0.003, "beta2": 0.98, "weight_decay": 0.01},
            "schedule": {"name": "warmup_cosine", "warmup_steps": 50, "total_steps": 2600},
            "batch_size": 24, "steps": 850, "seed": 1})",
        "test");
}

} // namespace headscope::test
