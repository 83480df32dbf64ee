// What a person does to B on the page: masks, painting, weights, tokens.
#include "ui/pages/shared/changes/change_edits.h"
#include "ui/pages/shared/inline_editor.h"
#include "ui/pages/shared/figures/legend_map.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/what_if/what_if_offers.h"
#include "ui/pages/what_if/what_if_page.h"
#include "ui/widgets/charts/bars.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/controls/segments.h"

#include <QLocale>
#include <QSpinBox>

#include <algorithm>

namespace headscope::ui {

namespace {

/// A weight as typed, with a point or the locale's comma.
std::optional<float> readWeight(QString text)
{
    text.replace(QLatin1Char(','), QLatin1Char('.')).replace(QChar(0x2212), QLatin1Char('-'));
    bool ok = false;
    const float weight = QLocale::c().toFloat(text.trimmed(), &ok);
    return ok && weight >= 0.0F && weight <= 1.0F ? std::optional(weight) : std::nullopt;
}

/// The token that a text is, or begins with where it is several.
std::optional<TokenId> firstToken(const QString& text, const LoadedModel& model)
{
    if (text.isEmpty() || !model.model) // a captured trace only names its tokens
        return std::nullopt;
    const TokenSequence tokens = model.tokenizer->encode(text.toStdString(), false);
    return tokens.tokens.empty() ? std::nullopt : std::optional(tokens.tokens.front().id);
}

} // namespace

void WhatIfPage::connectWidgets()
{
    connect(m_mask, &SegmentBar::currentChanged, this, &WhatIfPage::chooseMask);
    connect(m_window, &QSpinBox::valueChanged, this, [this](int tokens) {
        if (session().changes().mask.kind == MaskChange::Kind::Window)
            session().setMask({MaskChange::Kind::Window, tokens, {}, 0});
    });
    connect(m_paint, &SegmentBar::currentChanged, this,
            [this](int index) { m_brush->setMode(static_cast<MaskBrush::Mode>(index)); });
    connect(m_brush, &MaskBrush::strokeEnded, this,
            [this](const MaskChange& mask) { session().setMask(mask); });
    connect(m_offers, &WhatIfOffers::weightWanted, this, &WhatIfPage::editWeight);
    connect(m_offers, &WhatIfOffers::tokenWanted, this, &WhatIfPage::swapToken);
    connect(m_where, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { session().activateHead(cell.column, cell.row); });
    connect(&m_meter, &EffectMeter::measured, this, &WhatIfPage::refreshWhere);
}

void WhatIfPage::connectMaps()
{
    for (const Pane* pane : {&m_a, &m_b, &m_difference}) {
        connect(&pane->map->map(), &HeatmapWidget::cellActivated, this,
                [this, pane](HeatmapCell cell) { selectCell(*pane, cell); });
        connect(&pane->map->map(), &HeatmapWidget::currentClicked, this,
                [this, pane](HeatmapCell cell) {
                    if (session().selection().pinned)
                        session().releasePair(); // a second click undoes the first
                    else
                        selectCell(*pane, cell);
                });
    }
    for (const Pane* pane : {&m_a, &m_difference}) {
        connect(&pane->map->map(), &HeatmapWidget::cellOpened, this,
                [this, pane](HeatmapCell cell) {
                    const Looking looking = session().looking();
                    const Run run = pane == &m_a || !looking.b ? Run::A : Run::B;
                    if (const auto number = mapNumber(looking, run, MapKind::Weights, cell))
                        emit numberWanted(*number);
                });
    }
    connect(&mapB(), &HeatmapWidget::cellOpened, this, [this](HeatmapCell cell) {
        selectCell(m_b, cell);
        editWeight();
    });
}

void WhatIfPage::selectCell(const Pane& pane, HeatmapCell cell)
{
    const Looking looking = session().looking();
    const bool ofB = &pane != &m_a && looking.b;
    const ShownPattern shown = shownPattern(looking, ofB ? Run::B : Run::A,
                                            {looking.selection.layer, looking.selection.head});
    if (cell.row < static_cast<int>(shown.rowTokens.size()) &&
        cell.column < static_cast<int>(shown.columnTokens.size()))
        session().selectPair(shown.rowTokens[static_cast<std::size_t>(cell.row)].back(),
                             shown.columnTokens[static_cast<std::size_t>(cell.column)].front());
}

void WhatIfPage::chooseMask(int index)
{
    const auto kind = static_cast<MaskChange::Kind>(index);
    if (kind != MaskChange::Kind::Painted) {
        session().setMask({kind, m_window->value(), {}, 0});
        return;
    }
    m_mask->setCurrent(static_cast<int>(session().changes().mask.kind)); // until a cell is painted
    if (m_paint->current() == 0 && paintableMask(session().looking()).side > 0) {
        m_paint->setCurrent(1);
        m_brush->setMode(MaskBrush::Mode::Block);
    }
    mapB().setFocus(Qt::OtherFocusReason);
}

/// A cell of one of the maps, or a bar of the prediction in the run that differs.
MaybeNumber WhatIfPage::numberAt(std::optional<QPoint> place) const
{
    const Looking looking = session().looking();
    const Run second = looking.b ? Run::B : Run::A;
    const std::pair<const Pane*, Run> panes[] = {
        {&m_a, Run::A}, {&m_b, second}, {&m_difference, second}};
    const auto bar = place ? m_prediction->barAt(place)
                           : (m_prediction->hasFocus() ? m_prediction->currentBar() : std::nullopt);
    if (bar)
        return predictionNumber(looking, second, *bar,
                                static_cast<int>(m_prediction->bars().size()));
    for (const auto& [pane, run] : panes) {
        const HeatmapWidget& map = pane->map->map();
        const bool meant = place || map.hasFocus() || pane == &m_difference;
        const auto cell = meant ? cellAt(map, place) : std::nullopt;
        if (cell)
            return mapNumber(looking, run, MapKind::Weights, *cell);
    }
    return place ? std::nullopt : Page::numberAt(place);
}

bool WhatIfPage::escape()
{
    return m_brush->cancel() || m_editor->close();
}

QPoint WhatIfPage::besideCurrentCell() const
{
    const auto cell = mapB().content().current;
    const QRectF rect = cell ? mapB().cellRect(*cell) : QRectF();
    return mapB().mapTo(this, rect.bottomRight().toPoint() + QPoint(8, 8));
}

void WhatIfPage::editWeight()
{
    const Looking looking = session().looking();
    const TracePtr& trace = editedTrace(looking);
    if (!trace || session().text().isEmpty())
        return;
    const AttentionPart part = looking.selection.part;
    const TokenPair cell = resolve(looking.selection, *trace);
    const HeatmapMatrix pattern =
        patternOf(*trace, part, {looking.selection.layer, looking.selection.head});
    if (!pattern.contains({cell.query, cell.key}))
        return;
    InlineEditor::Request request;
    request.title = tr("Weight of %1, %2 on %3, %4")
                        .arg(labelsOf(queryTokens(*trace, part), looking.modelB).value(cell.query))
                        .arg(cell.query)
                        .arg(labelsOf(keyTokens(*trace, part), looking.modelB).value(cell.key))
                        .arg(cell.key);
    const float now = pattern.at({cell.query, cell.key});
    request.text = QString::number(double{now}, 'f', 3);
    request.checkText = tr("rescale the rest of the row");
    request.hint = tr("Give a number from 0 to 1.");
    request.read = [now](const QString& text) -> std::optional<QString> {
        const auto weight = readWeight(text);
        if (!weight)
            return std::nullopt;
        return tr("%1 \u2192 %2").arg(readoutNumber(double{now}), readoutNumber(double{*weight}));
    };
    request.apply = [this, cell](const QString& text, bool rescale) {
        session().setChanges(withWeight(session().looking(), cell, *readWeight(text), rescale),
                             tr("weight %1 \u2192 %2").arg(cell.query).arg(cell.key));
    };
    m_editor->open(std::move(request), besideCurrentCell());
}

void WhatIfPage::swapToken()
{
    const Looking looking = session().looking();
    const TokenSequence* tokens = swappableTokens(looking);
    if (!tokens || session().text().isEmpty())
        return;
    const TokenPair pair = resolve(looking.selection, *editedTrace(looking));
    const bool ofSource = tokens != &editedTrace(looking)->tokens();
    const bool keysAreSource = looking.selection.part == AttentionPart::Cross;
    const int wanted = ofSource && keysAreSource ? pair.key : pair.query;
    const int position = std::clamp(wanted, 0, static_cast<int>(tokens->size()) - 1);
    const LoadedModel model = looking.modelB;
    InlineEditor::Request request;
    request.title = tr("Embedding in place of \u201C%1\u201D, %2")
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
        session().setChanges(withSwap(session().looking(), position, *firstToken(text, model)),
                             tr("token %1 swapped").arg(position));
    };
    m_editor->open(std::move(request), besideCurrentCell());
}

} // namespace headscope::ui
