#include "ui/pages/shared/changes/changes_bar.h"

#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/controls/chip_row.h"
#include "ui/widgets/labels.h"

#include <QApplication>
#include <QEvent>
#include <QPushButton>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

ChipSign signOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::Model:
        return ChipSign::Model;
    case ChangeKind::Weights:
        return ChipSign::Cell;
    case ChangeKind::Text:
        return ChipSign::Text;
    case ChangeKind::Positions:
        return ChipSign::Waves;
    case ChangeKind::Head:
        return ChipSign::Crossed;
    case ChangeKind::Edit:
        return ChipSign::Cell;
    case ChangeKind::Swap:
        return ChipSign::Exchange;
    case ChangeKind::Patch:
        return ChipSign::Arrow;
    case ChangeKind::Freeze:
        return ChipSign::Lock;
    case ChangeKind::Mask:
        break;
    }
    return ChipSign::Hatch;
}

/// Text such as "▲ +0.537" in the colour of its sign; the text alone has the sign too.
QString signedSpan(double change, int decimals, const Theme& theme)
{
    const QString text = signedNumber(change, decimals);
    if (change == 0.0)
        return text;
    const bool more = change > 0.0;
    return QStringLiteral("<span style='color:%1'>%2 %3</span>")
        .arg((more ? theme.more : theme.less).name(), QChar(more ? 0x25B2 : 0x25BC), text);
}

/// Hiding the widget changes no height.
void keepRoom(QWidget& widget)
{
    QSizePolicy policy = widget.sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    widget.setSizePolicy(policy);
}

} // namespace

ChangesBar::ChangesBar(Session& session, QWidget* parent)
    : SessionPanel(session, parent)
    , m_chips(new ChipRow(this))
    , m_variant(new VariantBar(session, this))
    , m_clear(new QPushButton(tr("Clear"), this))
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = columnOf(4, {makeChips(), makeEffect()}, this);
    column->setContentsMargins(24, 8, 24, 8);
    connect(&session, &Session::changesChanged, this, &ChangesBar::follow);
    connect(m_variant, &VariantBar::left, this, &ChangesBar::left);
    connect(m_chips, &ChipRow::removeWanted, &session.document(), &SessionDocument::removeChange);
    connect(m_chips, &ChipRow::toggleWanted, &session.document(), &SessionDocument::toggleChange);
    connect(m_chips, &ChipRow::opened, this, [this] { emit pageWanted("what-if"); });
    connect(m_clear, &QPushButton::clicked, &session.document(), &SessionDocument::clearChanges);
    connect(&m_meter, &EffectMeter::measured, this, &ChangesBar::showEffect);
    follow();
}

QLayout* ChangesBar::makeChips()
{
    m_variant->setAccessibleName(tr("Shown variant"));
    m_variant->setMeanings(tr("All pages show variant A: the model as trained"),
                           tr("All pages show variant B: with your changes"),
                           tr("All pages show the difference B\u2212A"));
    m_clear->setToolTip(tr("Remove all changes from B"));
    return rowOf(8, {heading(tr("Changes in B"), this), {m_chips, 1}, m_variant, m_clear});
}

QLayout* ChangesBar::makeEffect()
{
    m_next = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_loss = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_movedTitle = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    m_moved = new QPushButton(this);
    m_moved->setProperty("role", "link");
    m_moved->setToolTip(tr("Show this head"));
    keepRoom(*m_moved);
    keepRoom(*m_clear);
    m_next->setObjectName("next");
    m_loss->setObjectName("loss");
    m_next->setTextFormat(Qt::RichText);
    m_loss->setTextFormat(Qt::RichText);
    m_next->setMinimumWidth(1);
    auto* row = rowOf(8, {m_next, Placed::gap(24), m_loss, Placed::gap(24), m_movedTitle, m_moved,
                          Placed::space()});
    connect(m_moved, &QPushButton::clicked, this, [this] {
        if (const auto head = effect().mostMoved())
            session().view().activateHead(head->layer, head->head);
    });
    return row;
}

void ChangesBar::setKept(bool kept)
{
    m_kept = kept;
    follow();
}

void ChangesBar::follow()
{
    const bool changed = !session().changes().empty();
    const QWidget* focus = QApplication::focusWidget();
    if (!changed && focus && isAncestorOf(focus))
        emit left();
    setVisible(changed || m_kept);
    m_clear->setVisible(changed);
}

void ChangesBar::changeEvent(QEvent* event)
{
    SessionPanel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_moved)
        showEffect();
}

void ChangesBar::resizeEvent(QResizeEvent* event)
{
    SessionPanel::resizeEvent(event);
    showEffect();
}

void ChangesBar::refresh(ChangeSet)
{
    refreshChips();
    m_meter.measure(session().viewSnapshot());
    showEffect();
}

void ChangesBar::refreshChips()
{
    std::vector<Chip> chips;
    const LoadedModel& model = session().models().second();
    const auto nameOf = [&model](TokenId id) { return labelOf(id, model); };
    for (const ChangeText& words : session().changes().texts(nameOf))
        chips.push_back({signOf(words.kind), words.what, words.scope, words.aside});
    m_chips->setChips(std::move(chips));
}

/// The long form where there is room, otherwise without the values of the logits.
void ChangesBar::showEffect()
{
    const Theme theme = Theme::of(*this);
    const ChangeEffect& effect = m_meter.effect();
    const QString arrow = QStringLiteral(" \u2192 ");
    m_loss->clear();
    if (effect.lossA && effect.lossB)
        m_loss->setText(tr("Loss %1 %2")
                            .arg(number(*effect.lossA, 3) + arrow + number(*effect.lossB, 3),
                                 signedSpan(*effect.lossB - *effect.lossA, 3, theme)));
    const auto head = effect.mostMoved();
    m_movedTitle->setVisible(head.has_value());
    m_moved->setVisible(head.has_value());
    if (head) {
        m_movedTitle->setText(tr("Moved most"));
        m_moved->setText(tr("%1.%2 (%3 of a row)")
                             .arg(head->layer)
                             .arg(head->head)
                             .arg(number(effect.movedIn(*head), 2)));
        m_moved->setAccessibleName(
            tr("Head that moved most: layer %1, head %2").arg(head->layer).arg(head->head));
    }
    if (!effect.next) {
        m_next->setText(session().changes().empty() ? tr("No changes: B is the same as A.")
                        : session().traceB()        ? QString()
                                                    : tr("Computing B"));
        return;
    }
    const NextTokenChange& next = *effect.next;
    const QString token = effect.nextToken.toHtmlEscaped();
    const QString change = signedSpan(next.probabilityB - next.probabilityA, 3, theme);
    const QString logits =
        number(next.logitA, 2) + arrow + number(next.logitB, 2) + QStringLiteral(", ");
    const auto words = [&](const QString& before) {
        return tr("Next token <b>%1</b> %2 %3 \u00B7 logit %4")
            .arg(token, number(next.probabilityA, 3) + arrow + number(next.probabilityB, 3), change,
                 before + signedNumber(next.logitB - next.logitA, 2));
    };
    m_next->setText(words(logits));
    const int others = m_loss->sizeHint().width() + m_movedTitle->sizeHint().width() +
                       m_moved->sizeHint().width() + 24 * 2 + 8 * 6 + 48;
    if (m_next->sizeHint().width() + others > width())
        m_next->setText(words({}));
}

} // namespace headscope::ui
