#include "ui/pages/arcs/arcs_page.h"

#include "ui/pages/arcs/arcs_figure.h"
#include "ui/pages/arcs/arcs_panel.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/map_kind_box.h"
#include "ui/pages/shared/maps/hidden_tokens.h"
#include "ui/pages/shared/maps/shown_pattern.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/part_bar.h"
#include "ui/pages/shared/variant_bar.h"
#include "ui/widgets/arcs/arcs_widget.h"
#include "ui/widgets/controls/slider.h"
#include "ui/widgets/heads/head_squares.h"
#include "ui/widgets/labels.h"

#include <QCheckBox>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kPanelWidth = 312;
constexpr int kPanelNeeds = 1020; // Minimum page width that fits the side panel.
constexpr double kLeastMass = 5.0;

QToolButton* stepButton(const QString& text, const char* segment, const QString& name,
                        QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setProperty("segment", segment);
    button->setFont(Theme::of(*parent).bold(TextRole::Sentence));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(name);
    button->setToolTip(name);
    return button;
}

/// A caption centred on the line of 40 px controls.
TextLabel* rowCaption(const QString& text, QWidget* parent)
{
    auto* label = new TextLabel(text, TextRole::Body, TextLabel::Tone::Text2, parent);
    label->setFixedHeight(40);
    return label;
}

} // namespace

ArcsPage::ArcsPage(Session& session)
    : Page(session)
    , m_previous(stepButton(QStringLiteral("‹"), "first", tr("Previous layer"), this))
    , m_layer(new QToolButton(this))
    , m_next(stepButton(QStringLiteral("›"), "last", tr("Next layer"), this))
    , m_squares(new HeadSquares(this))
    , m_part(new PartBar(session, this))
    , m_variant(new VariantBar(session, this))
    , m_mass(new NamedSlider(tr("Show the strongest"), {}, Role::Accent, this))
    , m_hideSpecial(new QCheckBox(this))
    , m_hideFirst(new QCheckBox(tr("Hide first token"), this))
    , m_arcs(new ArcsWidget(this))
    , m_counts(paragraph({}, TextRole::Caption, TextLabel::Tone::Text3, this))
    , m_line(new Hairline(Qt::Vertical, this))
    , m_panel(new ArcsPanel(this))
    , m_empty(new EmptyState(m_arcs))
    , m_kind(new MapKindBox(switchableKinds(), this))
    , m_source([this] { refresh({}); })
    , m_plot([this] { refreshPlot(this->session().viewSnapshot()); })
{
    m_layer->setProperty("segment", "middle");
    m_layer->setCheckable(true);
    m_layer->setChecked(true);
    m_layer->setFocusPolicy(Qt::NoFocus);
    m_layer->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_mass->setScale({kLeastMass, 100.0, 95, false, 1.0, 0});
    m_mass->setInline(tr(" %"), tr("of each row"));
    m_hideFirst->setToolTip(tr("Hides the key that many heads use as an attention sink, and "
                               "renormalises each row"));
    m_panel->setFixedWidth(kPanelWidth);

    auto* column = columnOf(8, {makeHeadRow(), makeCoverRow(), {m_arcs, 1}, m_counts});
    column->setContentsMargins(24, 8, 24, 16);
    new PageFrame(*this, {{rowOf(0, {{column, 1}, m_line, m_panel}), 1}}, 0, QMargins());
    connectWidgets();
    setMainWidget(*m_arcs);
}

QLayout* ArcsPage::makeHeadRow()
{
    auto* stepper = rowOf(0, {m_previous, m_layer, m_next});
    stepper->setContentsMargins(0, 4, 0, 4);
    auto* row = rowOf(12, {{rowCaption(tr("Layer"), this), 0, Qt::AlignTop}, stepper});
    row->setAlignment(stepper, Qt::AlignTop);
    row->addSpacing(12);
    row->addWidget(rowCaption(tr("Heads"), this), 0, Qt::AlignTop);
    row->addWidget(m_squares, 1, Qt::AlignTop);
    auto* kind = columnOf(kStyleSpacing, {m_kind});
    kind->setContentsMargins(0, 4, 0, 4);
    row->addLayout(kind);
    row->setAlignment(kind, Qt::AlignTop);
    return row;
}

QLayout* ArcsPage::makeCoverRow()
{
    return rowOf(16, {{m_mass, 0, Qt::AlignLeft},
                      Placed::space(),
                      m_part,
                      m_variant,
                      m_hideSpecial,
                      m_hideFirst});
}

void ArcsPage::connectWidgets()
{
    connect(m_previous, &QToolButton::clicked, this, [this] { moveLayer(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { moveLayer(1); });
    connect(m_squares, &HeadSquares::choiceChanged, this, [this] {
        m_options.headsBySlot = m_squares->choice().bySlot();
        refreshPlot(session().viewSnapshot());
    });
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        m_options.kind = m_kind->kind();
        refresh({});
    });
    connect(m_mass, &NamedSlider::numberChanged, this, [this](double number) {
        m_options.mass = number / 100.0;
        refreshPlot(session().viewSnapshot());
    });
    connect(m_hideSpecial, &QCheckBox::clicked, this, [this](bool hide) {
        TokenDisplay display = session().view().display();
        display.hideSpecial = hide;
        session().view().setDisplay(display);
    });
    connect(m_hideFirst, &QCheckBox::clicked, this, [this](bool hide) {
        TokenDisplay display = session().view().display();
        display.hideFirst = hide;
        session().view().setDisplay(display);
    });
    connect(m_arcs, &ArcsWidget::tokenHovered, this,
            [this] { m_panel->setFocusToken(m_arcs->content().focus()); });
    connect(m_arcs, &ArcsWidget::tokenPinned, this, &ArcsPage::pin);
    connect(m_arcs, &ArcsWidget::tokenFreed, this, [this] { session().view().releasePair(); });
    connect(m_arcs, &ArcsWidget::headToggled, m_squares, &HeadSquares::toggle);
    connect(m_panel, &ArcsPanel::headOffWanted, this, &ArcsPage::switchOff);
}

Figure ArcsPage::figure() const
{
    ArcsOptions options = m_options;
    options.hovered = m_arcs->content().hovered;
    return arcsFigure(session().viewSnapshot(), options.toJson());
}

QJsonObject ArcsPage::options() const
{
    return m_options.toJson();
}

void ArcsPage::setOptions(const QJsonObject& options)
{
    m_options = ArcsOptions::fromJson(options);
    m_options.hovered.reset();
    note(Change::Display);
}

QString ArcsPage::hint() const
{
    return tr("Click pins or unpins \u00B7 Double-click a head isolates it \u00B7 Ctrl+click: a "
              "weight's origin");
}

/// The strongest link of the token under the pointer or in focus; if the pair is pinned, its link
/// to the pinned token.
MaybeNumber ArcsPage::numberAt(std::optional<QPoint> place) const
{
    const ArcsContent& content = m_arcs->content();
    const auto inside = within(*m_arcs->viewport(), place);
    const auto end =
        place ? (inside ? m_arcs->layoutNow().endAt(*inside) : std::nullopt) : content.focus();
    if (content.isEmpty() || !end)
        return std::nullopt;
    const auto other = content.pinned && content.pinned->side != end->side
                           ? content.pinned
                           : std::optional<ArcEnd>();
    const auto link = strongestLink(content, *end, other);
    const ViewSnapshot view = session().viewSnapshot();
    if (!link || isAttributed(m_options.kind))
        return std::nullopt;
    const int head = content.heads[static_cast<std::size_t>(link->head)].number;
    auto weight =
        weightNumber(view, variantOf(view), {view.selection.layer, head}, {link->query, link->key});
    if (!weight)
        return std::nullopt;
    return ShownNumber{std::move(*weight), variantOf(view)};
}

QString ArcsPage::whyNoNumber() const
{
    if (isAttributed(m_options.kind))
        return tr("An attribution depends on the whole forward pass. Choose \u201CAttention "
                  "weights\u201D to see where a link comes from.");
    return tr("Select a token first: the origin of its strongest link is shown.");
}

bool ArcsPage::escape()
{
    return m_arcs->escape();
}

void ArcsPage::refresh(ChangeSet)
{
    const ViewSnapshot view = session().viewSnapshot();
    refreshLayers(view);
    refreshSpecial(view);
    refreshPlot(view);
    refreshEmptyState(view);
}

ArcsContent ArcsPage::contentOf(const ViewSnapshot& view)
{
    if (session().text().isEmpty())
        return {};
    const Selection& at = view.selection;
    const AttributedRuns& runs = m_source.runs();
    m_plot.want({ViewKey(view), at.pinned ? TokenPair{at.query, at.key} : TokenPair(),
                 m_options.toJson(), runs.a, runs.b},
                !isLongText(view), [view, options = m_options, runs](const std::stop_token&) {
                    return arcsContent(view, options, runs);
                });
    ArcsContent content = m_plot.content();
    content.stale = !content.isEmpty() && (view.stale || m_plot.waits());
    return content;
}

void ArcsPage::refreshPlot(const ViewSnapshot& view)
{
    m_kind->setKind(m_options.kind);
    m_source.want(view, {m_options.kind, view.selection.layer});
    if (m_source.waits() && !session().text().isEmpty()) { // Keep the last image.
        m_counts->setText(tr("%1: computing, %2 %")
                              .arg(titleOf(m_options.kind),
                                   ::headscope::ui::number(100.0 * m_source.fraction(), 0)));
        m_counts->show();
        return;
    }
    ArcsContent content = contentOf(view);
    const HeadChoice choice = headChoice(view, m_options.headsBySlot);
    m_squares->setChoice(choice);
    {
        const QSignalBlocker blocker(m_mass);
        m_mass->setNumber(m_options.mass * 100.0);
    }
    const ViewSnapshot there = viewAt(view, m_source.runs(), m_options.kind);
    m_arcs->setContent(std::move(content));
    const ArcsContent& shown = m_arcs->content();
    m_panel->setContent({shown, layerTitle(view.selection), choice.heads(), hiddenTokenNames(there),
                         there.trace() ? hiddenRowsText(there) : QString()});
    QString words = shown.isEmpty() ? QString() : drawnText(shown, there);
    if (isAttributed(m_options.kind) && !shown.isEmpty())
        words = attributedText(m_source.runs(), m_options.kind, view.shown) +
                QStringLiteral(" \u00B7 ") + words;
    m_counts->setText(words);
    placePanel();
}

void ArcsPage::refreshLayers(const ViewSnapshot& view)
{
    const int layers = view.trace() ? view.trace()->layerCount(view.selection.part) : 0;
    const int layer = view.selection.layer;
    m_layer->setText(QString::number(layer));
    m_layer->setAccessibleName(layerTitle(view.selection));
    m_previous->setEnabled(layer > 0);
    m_next->setEnabled(layer + 1 < layers);
}

void ArcsPage::refreshSpecial(const ViewSnapshot& view)
{
    const QString names = specialTokenNames(view);
    m_hideSpecial->setText(names.isEmpty() ? tr("Hide special tokens") : tr("Hide %1").arg(names));
    m_hideSpecial->setEnabled(!names.isEmpty());
    m_hideSpecial->setToolTip(names.isEmpty() ? tr("This text has no special tokens")
                                              : tr("Hides them and renormalises each row"));
    m_hideSpecial->setChecked(view.display.hideSpecial);
    m_hideFirst->setChecked(view.display.hideFirst);
}

void ArcsPage::refreshEmptyState(const ViewSnapshot& view)
{
    const QString problem = m_source.waits() ? QString() : problemOf(m_source.runs());
    EmptyText words;
    if (!problem.isEmpty())
        words = {tr("These arcs are not available"), problem};
    else if (view.shown == Variant::Difference && !view.isComparable())
        words = {tr("No difference to show"),
                 tr("A and B have different numbers of tokens or heads. View A or B alone.")};
    m_empty->refresh(session(), tr("Type a sentence above: attention updates as you type."), words);
}

void ArcsPage::moveLayer(int step)
{
    const Selection& selection = session().selection();
    session().view().activateHead(selection.layer + step, selection.head);
}

/// The pin is the session's pair, so every view follows it.
void ArcsPage::pin(ArcEnd end)
{
    const ViewSnapshot view = session().viewSnapshot();
    const int token = m_arcs->content().position(end);
    const TokenPair pair = pairOf(view);
    m_options.side = end.side;
    if (end.side == ArcSide::Query)
        session().view().selectPair(token, -1);
    else
        session().view().selectPair(pair.query, token);
    note(Change::Selection); // The side may be new while the pair is not.
}

void ArcsPage::switchOff(int head)
{
    if (head < 0)
        return;
    HeadId off = session().view().activeHead();
    off.head = head;
    session().document().setHeadOff(off, true);
    emit pageWanted(QStringLiteral("what-if"));
}

void ArcsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    placePanel();
}

/// Narrow windows keep the image; its counts move below it.
void ArcsPage::placePanel()
{
    const bool fits = width() >= kPanelNeeds;
    m_panel->setVisible(fits);
    m_line->setVisible(fits);
    m_counts->setVisible(!fits || isAttributed(m_options.kind));
}

PageDescriptor ArcsPage::descriptor()
{
    return {.name = "arcs",
            .title = tr("Arcs"),
            .question = tr("Which tokens are connected, and by which heads?"),
            .icon = "<path d='M3 5c7 0 7 10 14 10M3 15c7 0 7 -10 14 -10M3 5h2M3 15h2M15 5h2M15 "
                    "15h2'/>",
            .help = tr("See attention as arcs between two columns of tokens, one colour per "
                       "head. Point at a token to see only its links; click to pin it."),
            .terms = {"attention weight", "attention"},
            .make = makePage<ArcsPage>,
            .figure = arcsFigure};
}

} // namespace headscope::ui
