#include "core/model/pass/resumed_forward.h"

#include "core/base/error.h"
#include "core/model/layers/embedding_layer.h"
#include "core/model/pass/model_pass.h"
#include "core/model/weights/packed_model.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

struct ResumedForward::Place
{
    std::size_t layer = 0; ///< Index of the NoteLayer in the program.
    ValueRef value;
};

struct ResumedForward::Weights
{
    PackedModel packed;
};

namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& advice = {})
{
    throw ShapeError(problem, "ResumedForward::forward", advice);
}

bool isStream(Site site)
{
    return site == Site::ResidPre || site == Site::ResidMid || site == Site::ResidMidCross ||
           site == Site::ResidPost;
}

/// False after attention with a parallel feed-forward network, which has read the stream before it.
bool isWholeState(const ModelConfig& config, Site site)
{
    return isStream(site) && !(config.isParallel() && site == Site::ResidMid);
}

/// Reuses the memory of the thread's last forward pass.
Workspace& workspaceOfThisThread()
{
    thread_local Workspace workspace;
    return workspace;
}

Tensor copied(MutableTensorView view)
{
    Tensor result(view.shape);
    std::copy_n(view.data, result.size(), result.data());
    return result;
}

} // namespace

ResumedForward::ResumedForward(std::shared_ptr<const Model> model) : m_model(std::move(model))
{
    if (!m_model)
        throw Error("nothing to resume without a model", "ResumedForward");
    m_weights = std::make_unique<const Weights>(
        Weights{PackedModel(m_model->program(), m_model->parameters(), m_model->precision())});
    const auto& layers = m_model->program().main.layers();
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (const auto* note = dynamic_cast<const NoteLayer*>(layers[layer].get()))
            if (isWholeState(m_model->config(), note->key().site))
                m_places.emplace(note->key(), Place{layer, note->value()});
}

ResumedForward::~ResumedForward() = default;

bool ResumedForward::canResume(TraceKey stream) const
{
    return m_places.contains(stream);
}

void ResumedForward::check(const ResumedText& text, TraceKey from, TensorView stream,
                           const ForwardOptions& options) const
{
    const ModelConfig& config = m_model->config();
    if (!canResume(from))
        refuse(fmt::format("a forward pass cannot be resumed from {} alone", toString(from)),
               "Use the residual stream before or after that block");
    const Shape expected{std::ssize(text.ids), config.dModel};
    if (text.ids.empty() || stream.shape != expected)
        refuse(fmt::format("the residual stream is {}, but {} was expected",
                           stream.shape.toString(), expected.toString()));
    const bool twoStacks = config.isEncoderDecoder();
    if (twoStacks != static_cast<bool>(text.memory))
        refuse(twoStacks ? "no source has been encoded"
                         : "a source was given, but the model has one stack");
    ForwardOptions checked = options;
    checked.segments = text.segments;
    m_model->checkText(text.ids, checked, twoStacks ? text.memory.shape[0] : 0);
}

Tensor ResumedForward::forward(const ResumedText& text, TraceKey from, TensorView stream,
                               AttentionBackend& backend, const ForwardOptions& options) const
{
    check(text, from, stream, options);
    const ModelConfig& config = m_model->config();
    const ModelProgram& program = m_model->program();
    ModelPass pass(config, program.main, workspaceOfThisThread(), backend);
    pass.stored = m_model->parameters().stored();
    if (pass.stored == nullptr)
        pass.parameters = m_model->parameters().values().data();
    pass.packed = &m_weights->packed.linears;
    pass.tables = &program.positions;
    pass.observer = options.observer;
    pass.interventions = options.interventions;
    pass.changes = options.interventions && options.interventions->changeActivations();
    pass.stop = options.stop;
    pass.causal = config.hasDecoder() && config.causal;
    pass.texts.queryTokens = std::ssize(text.ids);
    pass.texts.ids = text.ids;
    pass.texts.segments = text.segments;
    pass.wantsLogits = true;
    pass.lastLogitsOnly = options.lastLogitsOnly;
    if (text.memory) {
        pass.texts.memoryTokens = text.memory.shape[0];
        pass.memory = {const_cast<float*>(text.memory.data), text.memory.shape}; // only read
    }
    pass.prepare();
    prepareBiases(pass);
    const Place& place = m_places.at(from);
    const MutableTensorView start = pass.value(place.value);
    for (std::int64_t row = 0; row < start.shape[0]; ++row)
        std::copy_n(stream[row].data, start.shape[1], start[row].data);
    pass.forwardFrom(place.layer);
    if (!config.languageHead)
        return copied(pass.value(program.output));
    const std::int64_t rows = pass.lastLogitsOnly ? 1 : pass.texts.queryTokens;
    return copied({pass.workspace.logits.data(), {rows, config.vocabularySize}});
}

} // namespace headscope
