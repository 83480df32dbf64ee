#include "ui/pages/mask/mask_as_trained.h"

#include "ui/pages/mask/mask_content.h"
#include "ui/pages/shared/boxes.h"
#include "ui/widgets/charts/bars/bars.h"
#include "ui/widgets/labels.h"

namespace headscope::ui {

namespace {

constexpr int kMostRows = 16;

} // namespace

MaskAsTrained::MaskAsTrained(QWidget* parent)
    : QWidget(parent)
    , m_bars(new BarsWidget(this))
    , m_cost(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_loss(paragraph({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    m_cost->setObjectName("cost");
    m_loss->setObjectName("loss");
    m_bars->setAccessibleName(tr("Visible keys per query"));
    BarsOptions options;
    options.decimals = 0;
    m_bars->setOptions(options);
    auto* where = paragraph(tr("B\u2019s mask is as trained. Try another mask on the right."),
                            TextRole::Body, TextLabel::Tone::Text2, this);
    columnOf(8,
             {where, Placed::gap(8), heading(tr("Visible keys per query"), this), m_bars,
              Placed::gap(8), m_cost, m_loss, Placed::space()},
             this);
}

void MaskAsTrained::refresh(const ViewSnapshot& view, const HeatmapMatrix& pattern, int window)
{
    HeatmapContent mask = maskOfVariant(view, Variant::A);
    if (view.a)
        mask.queryRow = resolve(view.selection, *view.a).query;
    m_bars->setBars(visibleKeyBars(mask, kMostRows));
    m_cost->setText(costText(maskCost(mask)));
    const auto other = cellsOf({MaskChange::Kind::Window, window, {}, 0}, mask.mask);
    const bool isKnown = !pattern.isEmpty() && pattern.rows == mask.matrix.rows && other;
    m_loss->setText(
        isKnown ? tr("A window of %1 %2.")
                      .arg(window)
                      .arg(effectText(maskEffect(pattern, mask.mask, *other), mask.rowLabels))
                : QString());
}

} // namespace headscope::ui
