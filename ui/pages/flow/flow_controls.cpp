#include "ui/pages/flow/flow_controls.h"

#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>

namespace headscope::ui {

FlowControls::FlowControls(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_part(new SegmentBar(this))
    , m_variant(new VariantBar(session, this))
    , m_mode(new SegmentBar(this))
    , m_measure(new SegmentBar(this))
    , m_threshold(new NamedSlider(tr("Hide edges below"), {}, Role::Plain, this))
    , m_renormalise(new QCheckBox(tr("Renormalise without hidden edges"), this))
    , m_count(caption({}, this))
{
    columnOf(8, {makeTopRow(), makeOptionsRow()}, this);
    connectWidgets();
}

QLayout* FlowControls::makeTopRow()
{
    m_part->setSegments({{tr("Encoder"), tr("The source's own layers")},
                         {tr("Decoder"), tr("The target's own layers; cross-attention is on the "
                                            "Cross page")}});
    m_part->setAccessibleName(tr("Stack"));
    setUpModes();
    return topRow(heading(tr("Information flow through the layers"), this),
                  {m_part, m_variant, m_mode});
}

void FlowControls::setUpModes()
{
    m_mode->setSegments(
        {{tr("Rollout"), tr("Attention rollout: half the mean attention of the heads, half the "
                            "residual stream; without residual connections attention alone")},
         {tr("Attention"), tr("Mean attention of the heads, without the residual stream")},
         {tr("Contribution"),
          tr("Length of what each token's value vectors add to the stream, next to the residual")},
         {tr("Value norm"), tr("Rollout with value-weighted norms in place of attention weights")},
         {tr("Gradient"), tr("Rollout with gradient \u00D7 attention for the top-1 next token: "
                             "what raises its logit")},
         {tr("Integrated"), tr("Rollout with integrated gradients of attention: what raises the "
                               "logit of the top-1 next token")}});
    m_mode->setAccessibleName(tr("Edge weight"));
    m_measure->setSegments({{tr("Length"), tr("Length of the added vector")},
                            {tr("Distance"), tr("How much the vector moves the stream towards "
                                                "its new value")}});
    m_measure->setAccessibleName(tr("Measure of contributions"));
}

void FlowControls::setUpThreshold()
{
    SliderScale scale;
    scale.low = 0.0;
    scale.high = 0.5;
    scale.steps = 50;
    scale.multiple = 0.01;
    scale.decimals = 2;
    m_threshold->setScale(scale);
    m_threshold->setNumber(FlowOptions().threshold);
    m_threshold->setCompact(true);
    m_threshold->setFixedWidth(240);
}

QLayout* FlowControls::makeOptionsRow()
{
    setUpThreshold();
    m_renormalise->setToolTip(
        tr("Renormalise each token's remaining edges before following paths"));
    m_count->setObjectName("count");
    return rowOf(24, {m_threshold, m_renormalise, m_measure, Placed::space(), m_count});
}

void FlowControls::connectWidgets()
{
    connect(m_part, &SegmentBar::currentChanged, this, [this](int index) {
        m_session.view().activatePart(index == 0 ? AttentionKind::EncoderSelf
                                                 : AttentionKind::DecoderSelf);
    });
    connect(m_mode, &SegmentBar::currentChanged, this,
            [this](int index) { emit modeChosen(static_cast<FlowMode>(index)); });
    connect(m_measure, &SegmentBar::currentChanged, this,
            [this](int index) { emit measureChosen(static_cast<ContributionMeasure>(index)); });
    connect(m_threshold, &NamedSlider::numberChanged, this, &FlowControls::thresholdChosen);
    connect(m_renormalise, &QCheckBox::toggled, this, &FlowControls::renormaliseChosen);
}

void FlowControls::restore(const FlowOptions& options)
{
    const bool renormalise = options.renormalise;
    m_threshold->setNumber(options.threshold);
    m_renormalise->setChecked(renormalise);
}

void FlowControls::refresh(const FlowOptions& options)
{
    m_part->setVisible(m_session.models().readsTarget());
    m_part->setCurrent(m_session.selection().part == AttentionKind::EncoderSelf ? 0 : 1);
    m_mode->setCurrent(static_cast<int>(options.mode));
    m_measure->setCurrent(static_cast<int>(options.measure));
    m_measure->setVisible(options.mode == FlowMode::Contribution);
}

void FlowControls::showCount(const FlowContent& content)
{
    QString words = content.graph.tokens() > 0 ? countText(content) : QString();
    if (content.replacedHeads > 0)
        words += tr("; %n ablated head(s) not counted", nullptr, content.replacedHeads);
    m_count->setText(words);
}

void FlowControls::showWaiting()
{
    m_count->setText(m_session.text().isEmpty() ? QString() : tr("computing paths"));
}

void FlowControls::showProgress(double fraction)
{
    m_count->setText(tr("computing paths, %1 %").arg(number(100.0 * fraction, 0)));
}

} // namespace headscope::ui
