#include "ui/pages/overview/next_token_bars.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/changes/what_if_content.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/widgets/labels.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kRows = 5; ///< Where there is little room.
constexpr int kMostRows = 24;
constexpr double kTitles = 56.0; ///< Height of the heading and the line below it.

double heightOf(int rows, const Theme& theme)
{
    Bar compared;
    compared.before = 0.0;
    return barsHeight(std::vector<Bar>(static_cast<std::size_t>(rows), compared), theme);
}

} // namespace

NextTokenBars::NextTokenBars(QWidget* parent)
    : QWidget(parent)
    , m_title(heading(tr("Next token"), this))
    , m_after(caption({}, this))
    , m_bars(new BarsWidget(this))
{
    m_bars->setAccessibleName(tr("Most likely next tokens"));
    BarsOptions options;
    options.largest = 1.0;
    m_bars->setOptions(options);
    columnOf(4, {m_title, m_after, m_bars, Placed::space()}, this);
}

QSize NextTokenBars::sizeHint() const
{
    const Theme theme = Theme::of(*this);
    return {QWidget::sizeHint().width(), qRound(heightOf(kRows, theme) + kTitles * theme.scale())};
}

void NextTokenBars::showFitting()
{
    const Theme theme = Theme::of(*this);
    const double room = height() - kTitles * theme.scale();
    int rows = kRows;
    while (rows < kMostRows && heightOf(rows + 1, theme) <= room)
        ++rows;
    std::vector<Bar> fitting = m_all;
    fitting.resize(std::min(fitting.size(), static_cast<std::size_t>(rows)));
    m_bars->setBars(std::move(fitting));
}

void NextTokenBars::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showFitting();
}

void NextTokenBars::refresh(const ViewSnapshot& view)
{
    m_all = comparedPredictions(view, kMostRows);
    showFitting();
    if (!view.a)
        return m_after->clear();
    const QString token = labelsOf(view.a->queryTokens(view.selection.part), view.modelA)
                              .value(resolve(view.selection, *view.a).query);
    const bool inPlace = view.modelA.model && !view.modelA.model->config().hasDecoder();
    m_title->setText(inPlace ? tr("Prediction") : tr("Next token"));
    const QString place = inPlace ? tr("at \u201C%1\u201D") : tr("after \u201C%1\u201D");
    m_after->setText(view.b ? tr("%1, A above B").arg(place.arg(token)) : place.arg(token));
}

} // namespace headscope::ui
