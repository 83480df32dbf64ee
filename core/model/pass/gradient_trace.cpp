#include "core/model/pass/gradient_trace.h"

#include "core/base/error.h"
#include "core/model/pass/activation_bytes.h"
#include "core/model/pass/interventions.h"
#include "core/model/pass/model_pass.h"
#include "core/model/pass/model_program.h"
#include "core/model/pass/pass_interventions.h"
#include "core/ops/cross_entropy.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

[[noreturn]] void refuse(const std::string& problem)
{
    throw ShapeError(problem, "traceGradients");
}

std::int64_t positionOf(const GradientTarget& target, std::int64_t tokens)
{
    const std::int64_t position = target.position == -1 ? tokens - 1 : target.position;
    if (position < 0 || position >= tokens)
        refuse(fmt::format("position {} is outside a text of {} tokens", target.position, tokens));
    return position;
}

void requireToken(TokenId token, std::int64_t vocabulary)
{
    if (token < 0 || token >= vocabulary)
        refuse(fmt::format("token {} is outside a vocabulary of {} tokens", token, vocabulary));
}

std::vector<TokenId> targetsOf(const GradientTarget& target, std::span<const TokenId> ids)
{
    std::vector<TokenId> targets = target.targets;
    if (targets.empty()) {
        targets.assign(ids.begin() + 1, ids.end());
        targets.push_back(kIgnoreIndex);
    }
    if (targets.size() != ids.size())
        refuse(fmt::format("{} targets for {} tokens", targets.size(), ids.size()));
    if (keptTargets(targets) == 0)
        refuse("a loss without any target");
    return targets;
}

void checkTarget(const GradientTarget& target, const GradientText& text, std::int64_t vocabulary)
{
    if (text.ids.empty())
        refuse("an empty text");
    if (target.kind == GradientTarget::Kind::Loss) {
        for (const TokenId token : targetsOf(target, text.ids))
            if (token != kIgnoreIndex)
                requireToken(token, vocabulary);
        return;
    }
    positionOf(target, std::ssize(text.ids));
    requireToken(target.token, vocabulary);
    if (target.kind == GradientTarget::Kind::LogitDifference)
        requireToken(target.other, vocabulary);
}

/// Evaluates the target; stores d target / d logits in `gradient`.
double evaluate(const GradientTarget& target, std::span<const TokenId> ids, TensorView logits,
                Tensor& gradient)
{
    gradient = Tensor(logits.shape);
    if (target.kind == GradientTarget::Kind::Loss) {
        const std::vector<TokenId> targets = targetsOf(target, ids);
        const auto kept = static_cast<double>(keptTargets(targets));
        CrossEntropySettings settings;
        settings.scale = static_cast<float>(1.0 / kept);
        return crossEntropy(logits, targets, settings, gradient.view()) / kept;
    }
    const std::int64_t position = positionOf(target, logits.shape[0]);
    gradient.view()(position, target.token) = 1.0F;
    double value = static_cast<double>(logits(position, target.token));
    if (target.kind == GradientTarget::Kind::LogitDifference) {
        gradient.view()(position, target.other) -= 1.0F;
        value -= static_cast<double>(logits(position, target.other));
    }
    return value;
}

/// With the logits and their gradient.
std::uint64_t bytesFor(const ModelProgram& program, const GradientText& text,
                       std::int64_t vocabulary)
{
    const std::int64_t floatSize = sizeof(float);
    const std::int64_t logits = 2 * std::ssize(text.ids) * vocabulary * floatSize;
    return static_cast<std::uint64_t>(
        activationBytes(program, std::ssize(text.ids), std::ssize(text.source)) + logits);
}

ModelPass makePass(const Model& model, const Program& program, Workspace& workspace,
                   AttentionBackend& backend, const ForwardOptions& options)
{
    ModelPass pass(model.config(), program, workspace, backend);
    pass.parameters = model.parameters().values().data();
    pass.tables = &model.program().positions;
    pass.observer = options.observer;
    pass.interventions = options.interventions;
    pass.changes = options.interventions && options.interventions->changeActivations();
    pass.stop = options.stop;
    pass.training = true;
    return pass;
}

} // namespace

double traceGradients(const Model& model, const GradientText& text, const GradientTarget& target,
                      AttentionBackend& backend, ActivationObserver& gradients,
                      const ForwardOptions& options, std::uint64_t memory)
{
    const ModelConfig& config = model.config();
    const ModelProgram& program = model.program();
    if (!config.languageHead)
        refuse("the model has no language head");
    checkTarget(target, text, config.vocabularySize);
    ForwardOptions mainOptions = options;
    mainOptions.segments = text.segments;
    model.checkText(text.ids, mainOptions, std::ssize(text.source));
    requireMemory(bytesFor(program, text, config.vocabularySize),
                  fmt::format("the gradient of {} tokens", text.ids.size()), memory);
    const Interventions inEncoder =
        options.interventions ? encoderPart(*options.interventions) : Interventions();
    ForwardOptions encoderOptions = options;
    encoderOptions.interventions = &inEncoder;
    Workspace mainWorkspace;
    Workspace encoderWorkspace;
    ModelPass encoder = makePass(model, program.encoder ? *program.encoder : program.main,
                                 encoderWorkspace, backend, encoderOptions);
    ModelPass main = makePass(model, program.main, mainWorkspace, backend, options);
    main.gradientObserver = encoder.gradientObserver = &gradients;
    main.causal = config.hasDecoder() && config.causal;
    main.texts.queryTokens = std::ssize(text.ids);
    main.texts.ids = text.ids;
    main.texts.segments = text.segments;
    main.wantsLogits = true;
    if (program.encoder) {
        if (text.source.empty())
            refuse("an encoder-decoder needs a source");
        model.checkText(text.source, {});
        encoder.causal = false;
        encoder.texts.queryTokens = std::ssize(text.source);
        encoder.texts.ids = text.source;
        encoder.forward();
        main.texts.memoryTokens = encoder.texts.queryTokens;
        main.memory = encoder.value(program.encoderOutput);
        main.memoryGradient = encoder.gradient(program.encoderOutput);
        // A decoder without blocks does not write it.
        std::fill_n(main.memoryGradient.data, main.memoryGradient.shape.elementCount(), 0.0F);
    }
    main.forward();
    Tensor logitGradient;
    const double value =
        evaluate(target, text.ids,
                 {mainWorkspace.logits.data(), {main.texts.queryTokens, config.vocabularySize}},
                 logitGradient);
    main.logitGradient = logitGradient.view();
    main.backward();
    if (program.encoder)
        encoder.backward();
    return value;
}

} // namespace headscope
