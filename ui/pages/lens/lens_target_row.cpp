#include "ui/pages/lens/lens_target_row.h"

#include "ui/pages/lens/lens_measurement.h"
#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"

#include <QLineEdit>

#include <cmath>

namespace headscope::ui {

LensTargetRow::LensTargetRow(Session& session, LensMeasurement& measurement, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_measurement(measurement)
    , m_kind(new SegmentBar(this))
    , m_token(new QLineEdit(this))
    , m_note(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
{
    setUpKinds();
    m_token->setObjectName("token");
    m_token->setAccessibleName(tr("Target token"));
    m_token->setPlaceholderText(tr("a token, or #id"));
    m_token->setFixedWidth(128);
    m_note->setObjectName("targetNote");
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    rowOf(12,
          {new TextLabel(tr("Target"), TextRole::Body, TextLabel::Tone::Text2, this),
           m_kind,
           m_token,
           {m_note, 1}},
          this);
    connect(m_kind, &SegmentBar::currentChanged, this,
            [this](int index) { chooseKind(static_cast<LensTarget::Kind>(index)); });
    connect(m_token, &QLineEdit::editingFinished, this, &LensTargetRow::chooseTyped);
}

void LensTargetRow::setUpKinds()
{
    m_kind->setObjectName("targets");
    m_kind->setSegments(
        {{tr("Next token"), tr("The actual next token of the text; after the last token, the "
                               "model's prediction; for an encoder, the token itself")},
         {tr("Model's prediction"), tr("The model's top-1 token at the last layer")},
         {tr("One token"), tr("The same token at every position")}});
    m_kind->setAccessibleName(tr("Target"));
}

void LensTargetRow::choose(LensTarget target)
{
    m_typedNote.clear();
    emit targetChosen(target);
}

void LensTargetRow::chooseKind(LensTarget::Kind kind)
{
    choose({kind, m_id});
    if (kind == LensTarget::Kind::Chosen) {
        m_token->setFocus(Qt::OtherFocusReason);
        m_token->selectAll();
    }
}

/// The first token of the typed text; "#12" is an id.
void LensTargetRow::chooseTyped()
{
    const LoadedModel& model = m_session.model();
    const QString typed = m_token->text();
    if (typed.isEmpty() || !model.tokenizer || !model.model || !m_token->isModified())
        return;
    m_token->setModified(false);
    m_typedNote.clear();
    bool isNumber = false;
    const int id = typed.startsWith(QLatin1Char('#')) ? typed.mid(1).toInt(&isNumber) : 0;
    if (isNumber && id >= 0 && id < model.model->config().vocabularySize) {
        emit targetChosen({LensTarget::Kind::Chosen, id});
        return;
    }
    const TokenSequence tokens = model.tokenizer->encode(typed.toStdString(), false);
    if (tokens.size() == 0 || isNumber) {
        m_typedNote = tr("\u201C%1\u201D is not a token of this model.").arg(typed);
        emit noteChanged();
        return;
    }
    if (tokens.size() > 1)
        m_typedNote = tr("\u201C%1\u201D is %2 tokens. The first one is followed.")
                          .arg(typed)
                          .arg(tokens.size());
    emit targetChosen({LensTarget::Kind::Chosen, tokens.tokens.front().id});
}

void LensTargetRow::refresh(const LensReadout& readout)
{
    const LensTarget& target = readout.choice.target;
    m_id = target.id;
    m_kind->setCurrent(static_cast<int>(target.kind));
    const LoadedModel& model = m_session.model();
    m_token->setEnabled(model.model != nullptr);
    const bool chosen = target.kind == LensTarget::Kind::Chosen;
    if (chosen && model.tokenizer && !m_token->hasFocus())
        m_token->setText(lensLabel(target.id, model));
    m_note->setText(noteFor(readout));
}

QString LensTargetRow::noteFor(const LensReadout& readout) const
{
    if (readout.view.shown == Variant::Difference && !readout.isDifference())
        return tr("%1: B alone is shown").arg(whyNoDifference(readout.reading()));
    if (m_measurement.isMeasuring())
        return tr("reading the stages, %1 %").arg(std::lround(100.0 * m_measurement.fraction()));
    if (!m_typedNote.isEmpty())
        return m_typedNote;
    const LensTarget& target = readout.choice.target;
    const auto& model = m_session.model().model;
    if (target.kind == LensTarget::Kind::Following && model && model->config().hasDecoder())
        return tr("after the last token: the model's prediction");
    if (target.kind == LensTarget::Kind::Chosen && model &&
        target.id >= model->config().vocabularySize)
        return tr("not defined: this model has no token %1").arg(target.id);
    return {};
}

} // namespace headscope::ui
