// How a Session shows a trace that was captured elsewhere: there is a picture and no model. The
// text can be looked at, not changed, until a model is opened.
#include "ui/session/session.h"

#include "ui/workers/forward/trace_loader.h"

#include <utility>

namespace headscope::ui {

namespace {

/// The first head that is there: layers may have been left out.
Selection firstSelection(const Trace& trace)
{
    Selection selection;
    const auto parts = partsOf(trace);
    if (parts.empty())
        return selection;
    selection.part = parts.back(); // an encoder-decoder's alignment
    while (trace.headsOf(patternKey(selection.part, selection.layer)) == 0)
        ++selection.layer;
    return selection;
}

} // namespace

void Session::openTrace(const QString& path)
{
    if (!m_traceLoader) {
        m_traceLoader = std::make_unique<TraceLoader>();
        connect(m_traceLoader.get(), &TraceLoader::loaded, this, &Session::adoptTrace);
        connect(m_traceLoader.get(), &TraceLoader::failed, this, [this](const QString& sentence) {
            m_loading.clear();
            emit busyChanged();
            emit errorRaised(sentence);
        });
    }
    m_loading = path;
    m_loader->cancel();
    m_traceLoader->load(path);
    emit busyChanged();
}

void Session::adoptTrace(const CapturedTrace& captured)
{
    m_model = captured.names;
    m_audit.adopt(m_model, nullptr);
    m_nextModel = {};
    m_computedShare = 0.0;
    m_loading.clear();
    m_undo.clear(); // what it would take back needs the model that is gone
    m_changes = {};
    m_shownRun = Run::A;
    m_result = captured.result;
    m_result.ticket = m_answered = m_firstTicket = ++m_ticket;
    m_staleTimer.stop();
    m_stale = false;
    const Trace& trace = *m_result.a;
    const bool twoTexts = trace.sourceTokens().size() > 0;
    m_tokens = twoTexts ? trace.sourceTokens() : trace.tokens();
    m_tokenizeInWorker = false;
    m_text = QString::fromStdString(m_tokens.text);
    m_target = twoTexts ? QString::fromStdString(trace.tokens().text) : QString();
    m_selection = firstSelection(trace);
    m_history = SelectionHistory(m_selection);
    emit textChanged();
    emit modelChanged();
    emit changesChanged();
    emit selectionChanged();
    emit tokensChanged();
    emit busyChanged();
    emit traceChanged();
    if (!captured.note.isEmpty())
        emit noteRaised(captured.note);
}

bool Session::isBlank() const
{
    return !m_model.model && !isCaptured() && m_loading.isEmpty();
}

std::vector<AttentionPart> Session::parts() const
{
    if (m_model.model)
        return partsOf(m_model.model->config());
    return m_result.a ? partsOf(*m_result.a) : std::vector<AttentionPart>();
}

Session::GridSize Session::gridOf(AttentionPart part) const
{
    if (!m_model.model)
        return m_result.a ? GridSize{layerCount(*m_result.a, part), headCount(*m_result.a, part)}
                          : GridSize{};
    const ModelConfig& config = m_model.model->config();
    const bool second = part == AttentionPart::Decoder || part == AttentionPart::Cross;
    return {static_cast<int>(second ? config.decoderLayerCount() : config.layers),
            static_cast<int>(config.heads)};
}

} // namespace headscope::ui
