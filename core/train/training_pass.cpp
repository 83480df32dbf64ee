#include "core/train/training_pass.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// The rows of a pass in a batch-wide list of `length` entries per row; empty stays empty.
template<class Value>
std::span<const Value> rowsOf(const std::vector<Value>& all, const PassInputs& inputs,
                              std::int64_t length)
{
    if (all.empty())
        return {};
    return std::span(all).subspan(inputs.firstRow * length, inputs.rows * length);
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

PassLosses lossesOf(const ModelPass& encoder, const ModelPass& main)
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

ModelPass TrainingPass::makePass(const Program& program, Workspace& workspace,
                                 const PassInputs& inputs)
{
    ModelPass pass(m_config, program, workspace, *m_backend);
    pass.parameters = inputs.parameters;
    pass.tables = &m_program->positions;
    pass.texts.sequences = inputs.rows;
    pass.loss.balanceScale = inputs.balanceScale;
    pass.dropout.active = inputs.dropout;
    pass.dropout.seed = inputs.seed;
    pass.dropout.step = inputs.step;
    pass.dropout.firstSequence = inputs.firstRow;
    return pass;
}

ModelPass TrainingPass::encoderPass(const PassInputs& inputs)
{
    const Batch& batch = inputs.batch;
    ModelPass pass = makePass(m_program->encoder ? *m_program->encoder : m_program->main,
                              m_encoderWorkspace, inputs);
    pass.causal = false;
    pass.texts.queryTokens = batch.sourceLength;
    pass.texts.ids = rowsOf(batch.sources, inputs, batch.sourceLength);
    pass.texts.keyMask = dataOf(batch.sourceKeyMask, inputs, batch.sourceLength);
    return pass;
}

ModelPass TrainingPass::mainPass(const PassInputs& inputs)
{
    const Batch& batch = inputs.batch;
    ModelPass pass = makePass(m_program->main, m_mainWorkspace, inputs);
    pass.causal = m_config.hasDecoder() && m_config.causal;
    pass.texts.queryTokens = batch.length;
    pass.texts.ids = rowsOf(batch.inputs, inputs, batch.length);
    pass.texts.segments = rowsOf(batch.segments, inputs, batch.length);
    pass.texts.keyMask = dataOf(batch.keyMask, inputs, batch.length);
    pass.texts.cells = batch.mask.empty() ? nullptr : batch.mask.data();
    pass.loss.targets = rowsOf(batch.targets, inputs, batch.length);
    pass.loss.nextSentence = rowsOf(batch.nextSentence, inputs, 1);
    pass.loss.scale = inputs.lossScale;
    pass.loss.nextSentenceScale = inputs.nextSentenceScale;
    if (m_program->encoder) {
        pass.texts.memoryTokens = batch.sourceLength;
        pass.texts.memoryMask = dataOf(batch.sourceKeyMask, inputs, batch.sourceLength);
    }
    return pass;
}

void TrainingPass::attachMemory(ModelPass& decoder, ModelPass& encoder) const
{
    decoder.memory = encoder.value(m_program->encoderOutput);
    if (!encoder.training)
        return;
    decoder.memoryGradient = encoder.gradient(m_program->encoderOutput);
    clear(decoder.memoryGradient); // a decoder without blocks does not write it
}

PassLosses TrainingPass::forward(const PassInputs& inputs)
{
    ModelPass encoder = encoderPass(inputs);
    ModelPass main = mainPass(inputs);
    if (m_program->encoder) {
        encoder.forward();
        attachMemory(main, encoder);
    }
    main.forward();
    return lossesOf(encoder, main);
}

PassLosses TrainingPass::forwardBackward(const PassInputs& inputs, float* gradients)
{
    ModelPass encoder = encoderPass(inputs);
    ModelPass main = mainPass(inputs);
    for (ModelPass* pass : {&encoder, &main}) {
        pass->training = true;
        pass->gradients = gradients;
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

} // namespace headscope
