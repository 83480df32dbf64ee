#include "ui/pages/what_if/what_if_editor.h"

#include "ui/pages/shared/changes/change_edits.h"
#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/maps/readings.h"
#include "ui/widgets/heatmap/heatmap_widget.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

/// Parses a typed weight, with a point or the locale's comma.
std::optional<float> readWeight(QString text)
{
    text.replace(QLatin1Char(','), QLatin1Char('.')).replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    const float weight = QLocale::c().toFloat(text.trimmed(), &ok);
    return ok && weight >= 0.0F && weight <= 1.0F ? std::optional(weight) : std::nullopt;
}

/// Token of a text; if the text is several tokens, the first.
std::optional<TokenId> firstToken(const QString& text, const LoadedModel& model)
{
    if (text.isEmpty() || !model.model) // A captured trace has only the names of its tokens.
        return std::nullopt;
    const TokenSequence tokens = model.tokenizer->encode(text.toStdString(), false);
    return tokens.tokens.empty() ? std::nullopt : std::optional(tokens.tokens.front().id);
}

/// Token to swap: the selected one on the side that can be swapped.
int swapPosition(const ViewSnapshot& view, const TokenSequence& tokens)
{
    const Trace& trace = *editedTrace(view);
    const TokenPair pair = resolve(view.selection, trace);
    const bool ofSource = &tokens != &trace.tokens();
    const bool keysAreSource = view.selection.part == AttentionKind::Cross;
    return std::clamp(ofSource && keysAreSource ? pair.key : pair.query, 0,
                      static_cast<int>(tokens.size()) - 1);
}

} // namespace

WhatIfEditor::WhatIfEditor(Session& session, HeatmapWidget& mapB, QWidget* page)
    : QObject(page)
    , m_session(session)
    , m_map(mapB)
    , m_page(page)
    , m_brush(new MaskBrush(mapB, this))
    , m_field(new InlineEditor(page))
{
    connect(m_brush, &MaskBrush::strokeEnded, this,
            [this](const MaskChange& mask) { m_session.document().setMask(mask); });
}

void WhatIfEditor::refresh(const ViewSnapshot& view)
{
    m_brush->setSubject(m_session.text().isEmpty() ? MaskChange{} : paintableMask(view),
                        shownPattern(view, view.b ? Variant::B : Variant::A,
                                     {view.selection.layer, view.selection.head}));
}

bool WhatIfEditor::escape()
{
    return m_brush->cancel() || m_field->close();
}

QPoint WhatIfEditor::besideCurrentCell() const
{
    const auto cell = m_map.content().current;
    const QRectF rect = cell ? m_map.cellRect(*cell) : QRectF();
    return m_map.mapTo(m_page, rect.bottomRight().toPoint() + QPoint(8, 8));
}

void WhatIfEditor::editWeight()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const TracePtr& trace = editedTrace(view);
    if (!trace || m_session.text().isEmpty())
        return;
    const AttentionKind part = view.selection.part;
    const TokenPair cell = resolve(view.selection, *trace);
    const HeatmapMatrix pattern = patternOf(*trace, view.selection.headId());
    if (!pattern.contains({cell.query, cell.key}))
        return;
    InlineEditor::Request request;
    request.title = tr("Weight of %1, %2 on %3, %4")
                        .arg(labelsOf(trace->queryTokens(part), view.modelB).value(cell.query))
                        .arg(cell.query)
                        .arg(labelsOf(trace->keyTokens(part), view.modelB).value(cell.key))
                        .arg(cell.key);
    const float now = pattern.at({cell.query, cell.key});
    request.text = QString::number(double{now}, 'f', 3);
    request.checkText = tr("Renormalise the rest of the row");
    request.hint = tr("Enter a number from 0 to 1.");
    request.read = [now](const QString& text) -> std::optional<QString> {
        const auto weight = readWeight(text);
        if (!weight)
            return std::nullopt;
        return tr("%1 \u2192 %2").arg(readoutNumber(double{now}), readoutNumber(double{*weight}));
    };
    request.apply = [this, cell](const QString& text, bool rescale) {
        m_session.document().setChanges(
            withWeight(m_session.viewSnapshot(), cell, *readWeight(text), rescale),
            tr("weight %1 \u2192 %2").arg(cell.query).arg(cell.key));
    };
    m_field->open(std::move(request), besideCurrentCell());
}

void WhatIfEditor::swapToken()
{
    const ViewSnapshot view = m_session.viewSnapshot();
    const TokenSequence* tokens = swappableTokens(view);
    if (!tokens || m_session.text().isEmpty())
        return;
    const int position = swapPosition(view, *tokens);
    const LoadedModel model = view.modelB;
    InlineEditor::Request request;
    request.title = tr("Embedding to use for \u201C%1\u201D, %2")
                        .arg(labelsOf(*tokens, model).value(position))
                        .arg(position);
    request.hint = tr("Type another token; a leading space counts.");
    request.read = [model](const QString& text) -> std::optional<QString> {
        const auto id = firstToken(text, model);
        if (!id)
            return std::nullopt;
        return tr("the embedding of \u201C%1\u201D, id %2").arg(labelOf(*id, model)).arg(*id);
    };
    request.apply = [this, position, model](const QString& text, bool) {
        m_session.document().setChanges(
            withSwap(m_session.viewSnapshot(), position, *firstToken(text, model)),
            tr("token %1 swapped").arg(position));
    };
    m_field->open(std::move(request), besideCurrentCell());
}

} // namespace headscope::ui
