#include "tests/support/batch_run.h"

#include "core/model/pass/model_program.h"

namespace headscope::test {

namespace {

ModelPass makePass(const Model& model, const Program& program, Workspace& workspace,
                   AttentionBackend& backend)
{
    ModelPass pass(model.config(), program, workspace, backend);
    pass.parameters = model.parameters().values().data();
    pass.tables = &model.program().positions;
    return pass;
}

void setTexts(ModelPass& pass, std::int64_t rows, std::int64_t length,
              const std::vector<TokenId>& ids, const std::vector<std::uint8_t>& mask)
{
    pass.texts.sequences = rows;
    pass.texts.queryTokens = length;
    pass.texts.ids = ids;
    pass.texts.keyMask = mask.data();
}

} // namespace

BatchRun::BatchRun(const Model& model, const BatchTexts& texts, AttentionBackend& backend)
    : m_encoder(makePass(model,
                         model.program().encoder ? *model.program().encoder : model.program().main,
                         m_encoderWorkspace, backend))
    , m_main(makePass(model, model.program().main, m_workspace, backend))
{
    const ModelConfig& config = model.config();
    m_main.causal = config.hasDecoder() && config.causal;
    m_main.wantsLogits = true;
    m_main.observer = &record;
    setTexts(m_main, texts.rows, texts.length, texts.ids, texts.keyMask);
    m_main.texts.segments = texts.segments;
    if (model.program().encoder) {
        m_encoder.causal = false;
        setTexts(m_encoder, texts.rows, texts.sourceLength, texts.sources, texts.sourceKeyMask);
        m_encoder.forward();
        m_main.memory = m_encoder.value(model.program().encoderOutput);
        m_main.texts.memoryTokens = texts.sourceLength;
        m_main.texts.memoryMask = texts.sourceKeyMask.data();
    }
    m_main.forward();
    const std::int64_t width = config.languageHead ? config.vocabularySize : config.dModel;
    result = {config.languageHead ? m_workspace.logits.data()
                                  : m_main.value(model.program().output).data,
              {texts.rows, texts.length, width}};
}

} // namespace headscope::test
