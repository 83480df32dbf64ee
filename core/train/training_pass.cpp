#include "core/train/training_pass.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// The rows of a pass out of a batch-wide list of `length` entries a row; empty stays empty.
template<class Value>
std::span<const Value> rowsOf(const std::vector<Value>& all, const PassInputs& inputs,
                              std::int64_t length)
{
    if (all.empty())
        return {};
    return std::span(all).subspan(static_cast<std::size_t>(inputs.firstRow * length),
                                  static_cast<std::size_t>(inputs.rows * length));
}

template<class Value>
const Value* dataOf(const std::vector<Value>& all, const PassInputs& inputs, std::int64_t length)
{
    const std::span<const Value> rows = rowsOf(all, inputs, length);
    return rows.empty() ? nullptr : rows.data();
}

void clear(MutableTensorView view)
{
    std::fill_n(view.data, view.shape.elementCount(), 0.0F);
}

PassLosses lossesOf(const Run& encoder, const Run& main)
{
    return {main.loss.sum, main.loss.nextSentenceSum,
            main.loss.balanceSum + encoder.loss.balanceSum, main.loss.right};
}

} // namespace

TrainingPass::TrainingPass(const ModelConfig& config, std::shared_ptr<const ModelProgram> program,
                           std::unique_ptr<AttentionBackend> backend)
    : m_config(config)
    , m_program(std::move(program))
    , m_backend(std::move(backend))
{
}

Run TrainingPass::makeRun(const Program& program, Workspace& workspace, const PassInputs& inputs)
{
    Run run(m_config, program, workspace, *m_backend);
    run.parameters = inputs.parameters;
    run.rope = m_program->rope.positions() > 0 ? &m_program->rope : nullptr;
    run.sinusoids = &m_program->sinusoids;
    run.texts.sequences = inputs.rows;
    run.loss.balanceScale = inputs.balanceScale;
    run.dropout.active = inputs.dropout;
    run.dropout.seed = inputs.seed;
    run.dropout.step = inputs.step;
    run.dropout.firstSequence = inputs.firstRow;
    return run;
}

Run TrainingPass::encoderRun(const PassInputs& inputs)
{
    const Batch& batch = inputs.batch;
    Run run = makeRun(m_program->encoder ? *m_program->encoder : m_program->main,
                      m_encoderWorkspace, inputs);
    run.causal = false;
    run.texts.queryTokens = batch.sourceLength;
    run.texts.ids = rowsOf(batch.sources, inputs, batch.sourceLength);
    run.texts.keyMask = dataOf(batch.sourceKeyMask, inputs, batch.sourceLength);
    return run;
}

Run TrainingPass::mainRun(const PassInputs& inputs)
{
    const Batch& batch = inputs.batch;
    Run run = makeRun(m_program->main, m_mainWorkspace, inputs);
    run.causal = m_config.hasDecoder() && m_config.causal;
    run.texts.queryTokens = batch.length;
    run.texts.ids = rowsOf(batch.inputs, inputs, batch.length);
    run.texts.segments = rowsOf(batch.segments, inputs, batch.length);
    run.texts.keyMask = dataOf(batch.keyMask, inputs, batch.length);
    run.texts.cells = batch.mask.empty() ? nullptr : batch.mask.data();
    run.loss.targets = rowsOf(batch.targets, inputs, batch.length);
    run.loss.nextSentence = rowsOf(batch.nextSentence, inputs, 1);
    run.loss.scale = inputs.lossScale;
    run.loss.nextSentenceScale = inputs.nextSentenceScale;
    if (m_program->encoder) {
        run.texts.memoryTokens = batch.sourceLength;
        run.texts.memoryMask = dataOf(batch.sourceKeyMask, inputs, batch.sourceLength);
    }
    return run;
}

void TrainingPass::attachMemory(Run& decoder, Run& encoder) const
{
    decoder.memory = encoder.value(m_program->encoderOutput);
    if (!encoder.training)
        return;
    decoder.memoryGradient = encoder.gradient(m_program->encoderOutput);
    clear(decoder.memoryGradient); // a decoder without blocks does not write it
}

PassLosses TrainingPass::forward(const PassInputs& inputs)
{
    Run encoder = encoderRun(inputs);
    Run main = mainRun(inputs);
    if (m_program->encoder) {
        encoder.forward();
        attachMemory(main, encoder);
    }
    main.forward();
    return lossesOf(encoder, main);
}

PassLosses TrainingPass::forwardBackward(const PassInputs& inputs, float* gradients)
{
    Run encoder = encoderRun(inputs);
    Run main = mainRun(inputs);
    for (Run* run : {&encoder, &main}) {
        run->training = true;
        run->gradients = gradients;
    }
    main.loss.smoothing = static_cast<float>(inputs.loss.labelSmoothing);
    main.loss.convention = inputs.loss.convention;
    if (m_program->encoder) {
        encoder.forward();
        attachMemory(main, encoder);
    }
    main.forward();
    main.backward();
    if (m_program->encoder)
        encoder.backward();
    return lossesOf(encoder, main);
}

std::int64_t activationBytes(const ModelProgram& program, std::int64_t tokens,
                             std::int64_t sourceTokens)
{
    const auto floatSize = static_cast<std::int64_t>(sizeof(float));
    const std::int64_t main = program.main.arenaSize({tokens, tokens, sourceTokens}, true);
    const std::int64_t encoder =
        program.encoder ? program.encoder->arenaSize({sourceTokens, sourceTokens, 0}, true) : 0;
    return (main + encoder) * floatSize;
}

} // namespace headscope
