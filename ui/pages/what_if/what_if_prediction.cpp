#include "ui/pages/what_if/what_if_prediction.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

WhatIfPrediction::WhatIfPrediction(QWidget* parent)
    : QWidget(parent)
    , m_after(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_bars(new BarsWidget(this))
{
    m_bars->setAccessibleName(tr("Next token in A and in B"));
    m_bars->setOptions({1.0, 3, 0.0, {}});
    auto* line = rowOf(8, {heading(tr("Next token"), this), {m_after, 1}});
    columnOf(4, {line, m_bars, Placed::space()}, this);
}

void WhatIfPrediction::clear()
{
    m_bars->setBars({});
    m_after->clear();
}

void WhatIfPrediction::refresh(const ViewSnapshot& view, int count)
{
    const TokenPair pair = resolve(view.selection, *view.a);
    const TokenSequence& tokens = view.a->queryTokens(view.selection.part);
    const QString token = labelsOf(tokens, view.modelA).value(pair.query);
    m_after->setText(view.b ? tr("after \u201C%1\u201D, A above B").arg(token)
                            : tr("after \u201C%1\u201D").arg(token));
    m_bars->setBars(comparedPredictions(view, count));
}

std::optional<int> WhatIfPrediction::barAt(std::optional<QPoint> place) const
{
    if (place)
        return m_bars->barAt(place);
    return m_bars->hasFocus() ? m_bars->currentBar() : std::nullopt;
}

MaybeNumber WhatIfPrediction::number(const ViewSnapshot& view, int bar) const
{
    return predictionNumber(view, view.b ? Variant::B : Variant::A, bar,
                            static_cast<int>(m_bars->bars().size()));
}

} // namespace headscope::ui
