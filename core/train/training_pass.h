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
    std::int64_t firstRow = 0; ///< of this batch
    std::int64_t rows = 0;
    const float* parameters = nullptr;
    float lossScale = 1.0F;         ///< 1 / targets that count in the whole update
    float nextSentenceScale = 1.0F; ///< 1 / pairs that count
    double balanceScale = 0.0;      ///< coefficient / (expert layers * sequences)
    LossSettings loss = {};
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    bool dropout = false;
};

/// Sums over the rows of a pass.
struct PassLosses
{
    double token = 0.0;        ///< nats
    double nextSentence = 0.0; ///< nats
    double balance = 0.0;      ///< over sequences and layers
    std::int64_t right = 0;    ///< targets with the highest score; forward() alone counts them

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

/// Forward and backward of a model over some rows of a batch. One per worker: it owns the memory of
/// its activations, whose size is known before the first step.
class TrainingPass
{
public:
    TrainingPass(const ModelConfig& config, std::shared_ptr<const ModelProgram> program,
                 std::unique_ptr<AttentionBackend> backend);

    /// Losses without smoothing or dropout.
    PassLosses forward(const PassInputs& inputs);

    /// Losses, and the gradients of all parameters, overwritten, laid out as the parameters are.
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

/// Bytes of the activations that training keeps for a batch of so many tokens, on all workers.
std::int64_t activationBytes(const ModelProgram& program, std::int64_t tokens,
                             std::int64_t sourceTokens = 0);

} // namespace headscope
