#include "ui/pages/overview/next_token_bars.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

namespace {

constexpr int kRows = 5;

} // namespace

NextTokenBars::NextTokenBars(QWidget* parent)
    : QWidget(parent)
    , m_after(caption({}, this))
    , m_bars(new BarsWidget(this))
{
    m_bars->setAccessibleName(tr("Most likely next tokens"));
    BarsOptions options;
    options.largest = 1.0;
    m_bars->setOptions(options);
    columnOf(4, {heading(tr("Next token"), this), m_after, m_bars, Placed::space()}, this);
}

QSize NextTokenBars::sizeHint() const
{
    const Theme theme = Theme::of(*this);
    Bar compared;
    compared.before = 0.0;
    const std::vector<Bar> bars(kRows, compared);
    return {QWidget::sizeHint().width(), qRound(barsHeight(bars, theme) + 56.0 * theme.scale())};
}

void NextTokenBars::refresh(const ViewSnapshot& view)
{
    m_bars->setBars(comparedPredictions(view, kRows));
    if (!view.a)
        return m_after->clear();
    const QString token = labelsOf(view.a->queryTokens(view.selection.part), view.modelA)
                              .value(resolve(view.selection, *view.a).query);
    m_after->setText(view.b ? tr("after \u201C%1\u201D, A above B").arg(token)
                            : tr("after \u201C%1\u201D").arg(token));
}

} // namespace headscope::ui
