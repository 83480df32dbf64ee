#pragma once

#include "core/model/pass/model_pass.h"
#include "core/model/pass/model_program.h"
#include "core/train/data/batch.h"
#include "core/train/files/training_settings.h"

#include <memory>

namespace headscope {

/// One worker's rows of a batch, and what all workers share about the step.
struct PassInputs
{
    const Batch& batch;
    std::int64_t firstRow = 0; ///< First row within this batch.
    std::int64_t rows = 0;
    const float* parameters = nullptr;
    float lossScale = 1.0F;         ///< 1 / number of targets that count in the whole update.
    float nextSentenceScale = 1.0F; ///< 1 / number of pairs that count.
    double balanceScale = 0.0;      ///< coefficient / (expert layers * sequences).
    LossSettings loss = {};
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    bool dropout = false;
};

/// Sums over the rows of a pass.
struct PassLosses
{
    double token = 0.0;        ///< Cross-entropy of the token targets, nats.
    double nextSentence = 0.0; ///< Cross-entropy of the pairs, nats.
    double balance = 0.0;      ///< Balance loss over sequences and layers.
    std::int64_t right = 0;    ///< Number of targets predicted as top-1; counted only by forward().

    PassLosses& operator+=(const PassLosses& other)
    {
        token += other.token;
        nextSentence += other.nextSentence;
        balance += other.balance;
        right += other.right;
        return *this;
    }

    friend PassLosses operator+(PassLosses one, const PassLosses& other) { return one += other; }
};

/// Forward and backward pass of a model over some rows of a batch. One per worker: it owns the
/// memory of its activations, whose size is known before the first step.
class TrainingPass
{
public:
    TrainingPass(const ModelConfig& config, std::shared_ptr<const ModelProgram> program,
                 std::unique_ptr<AttentionBackend> backend);

    /// Computes losses without smoothing or dropout.
    PassLosses forward(const PassInputs& inputs);

    /// Computes losses, and overwrites `gradients` with those of all parameters, in the layout of
    /// the parameters.
    PassLosses forwardBackward(const PassInputs& inputs, float* gradients);

    AttentionBackend& backend() { return *m_backend; }

private:
    ModelPass makePass(const Program& program, Workspace& workspace, const PassInputs& inputs);
    ModelPass encoderPass(const PassInputs& inputs);
    ModelPass mainPass(const PassInputs& inputs);
    void attachMemory(ModelPass& decoder, ModelPass& encoder) const;

    ModelConfig m_config;
    std::shared_ptr<const ModelProgram> m_program;
    std::unique_ptr<AttentionBackend> m_backend;
    Workspace m_encoderWorkspace;
    Workspace m_mainWorkspace;
};

} // namespace headscope
