#include "ui/pages/train/train_heads.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/figures/overview_figure.h"
#include "ui/pages/train/train_texts.h"
#include "ui/session/runs/training.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/heads/head_tiles.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/style/colour_bar.h"

namespace headscope::ui {

TrainHeads::TrainHeads(Session& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_title(heading({}, this))
    , m_note(caption({}, this))
    , m_part(new SegmentBar(this))
    , m_tiles(new HeadTiles(this))
    , m_nothing(paragraph({}, TextRole::Lesson, TextLabel::Tone::Text2, this))
    , m_legend(new ColourBar(this))
{
    m_part->setAccessibleName(tr("Part of the model"));
    m_nothing->setAlignment(Qt::AlignCenter);
    makeLayout();
    connectTiles();
}

void TrainHeads::makeLayout()
{
    auto* title = rowOf(12, {m_title, {m_note, 1}, m_part});
    columnOf(8, {title, {m_tiles, 1}, {m_nothing, 1}, m_legend}, this);
}

void TrainHeads::connectTiles()
{
    connect(m_tiles, &HeadTiles::headActivated, this,
            [this](GridCell head) { m_session.view().activateHead(head.layer, head.head); });
    connect(m_tiles, &HeadTiles::headOpened, this, [this](GridCell head) {
        m_session.view().activateHead(head.layer, head.head);
        emit headOpened();
    });
    connect(m_part, &SegmentBar::currentChanged, this, [this](int index) {
        m_session.view().activatePart(parts()[static_cast<std::size_t>(index)]);
    });
}

std::vector<AttentionKind> TrainHeads::parts() const
{
    const auto& model = m_session.model().model;
    return model ? model->config().attentionKinds() : std::vector<AttentionKind>{};
}

void TrainHeads::refresh(const TrainContent& trainContent, bool planning)
{
    const TracePtr& trace = trainContent.view.trace();
    const bool isAtStep = trainContent.shown || trainContent.record.isSeries();
    m_title->setText(isAtStep
                         ? tr("Attention at step %1")
                               .arg(count(trainContent.shown.value_or(trainContent.record.step)))
                         : tr("Attention now"));
    m_note->setText(trace ? tr("%1 tokens \u00B7 fixed scale 0 to 1").arg(trace->tokens().size())
                          : QString());
    m_tiles->setVisible(trace != nullptr);
    m_nothing->setVisible(trace == nullptr);
    m_nothing->setText(whyNothing(planning));
    m_tiles->setContent(tilesOf(trainContent));
    m_legend->setVisible(trace != nullptr);
    if (trace)
        m_legend->setContent(gridLegend(trainContent.view));
    refreshParts(trace != nullptr);
}

QString TrainHeads::whyNothing(bool planning) const
{
    const Training& training = m_session.training();
    if (planning || !training.hasRun())
        return m_session.training().isOpening()
                   ? tr("The run is being opened.")
                   : tr("All heads appear here once the run has started.");
    return training.isFollowed() ? tr("Type a text above to see what the heads attend to.")
                                 : tr("The window shows another model. Move the timeline to "
                                      "return to this run.");
}

void TrainHeads::refreshParts(bool shown)
{
    const auto known = parts();
    const bool hasParts = shown && known.size() > 1;
    if (hasParts && m_part->property("parts").toInt() != static_cast<int>(known.size())) {
        m_part->setSegments({{tr("Encoder"), tr("Source to source")},
                             {tr("Decoder"), tr("Target to target")},
                             {tr("Cross"), tr("Target to source")}});
        m_part->setProperty("parts", static_cast<int>(known.size()));
    }
    m_part->setVisible(hasParts);
    for (std::size_t index = 0; hasParts && index < known.size(); ++index) {
        if (known[index] == m_session.selection().part)
            m_part->setCurrent(static_cast<int>(index));
    }
}

} // namespace headscope::ui
