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
    , m_renormalise(new QCheckBox(tr("Leave them out of the shares too"), this))
    , m_count(caption({}, this))
{
    columnOf(8, {makeTopRow(), makeOptionsRow()}, this);
    connectWidgets();
}

QLayout* FlowControls::makeTopRow()
{
    m_part->setSegments({{tr("Encoder"), tr("The source's own layers")},
                         {tr("Decoder"), tr("The target's own layers; what comes from the source "
                                            "stands on the page Cross")}});
    m_part->setAccessibleName(tr("Stack"));
    setUpModes();
    return topRow(heading(tr("Paths through the layers"), this), {m_part, m_variant, m_mode});
}

void FlowControls::setUpModes()
{
    m_mode->setSegments(
        {{tr("Rollout"), tr("Half the mean attention of the heads, half the residual stream")},
         {tr("Attention"), tr("The mean attention of the heads alone")},
         {tr("Contribution"),
          tr("What each token's value vectors add to the stream, beside the residual")},
         {tr("Value norm"), tr("Rollout with the lengths of what is moved in place of weights")},
         {tr("Gradient"), tr("Rollout with gradient \u00D7 attention of the likeliest next token: "
                             "what raises its logit")},
         {tr("Integrated"), tr("Rollout with integrated gradients of attention: what raises the "
                               "likeliest next token's logit")}});
    m_mode->setAccessibleName(tr("What an edge is"));
    m_measure->setSegments({{tr("Length"), tr("Length of the vector that is added")},
                            {tr("Distance"), tr("How much nearer it brings the stream to what it "
                                                "becomes")}});
    m_measure->setAccessibleName(tr("How contributions are measured"));
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
        tr("Divide each token's edges by what remains of them, before paths are followed"));
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
    QString words = content.graph.tokens() > 0 ? countWords(content) : QString();
    if (content.replacedHeads > 0)
        words += tr("; %n switched-off head(s) have no share", nullptr, content.replacedHeads);
    m_count->setText(words);
}

void FlowControls::showWaiting()
{
    m_count->setText(m_session.text().isEmpty() ? QString() : tr("following the paths"));
}

void FlowControls::showProgress(double fraction)
{
    m_count->setText(tr("following the paths, %1 %").arg(number(100.0 * fraction, 0)));
}

} // namespace headscope::ui
