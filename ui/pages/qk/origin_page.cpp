#include "ui/pages/qk/origin_page.h"

#include "core/base/error.h"
#include "ui/pages/qk/origin_model.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/text/message_text.h"
#include "ui/workers/error_sentence.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

constexpr std::size_t kLastSteps = 3; ///< shown of a long path, besides its first step

QString constantsText(const Derivation& derivation)
{
    QStringList parts;
    for (const Factor& constant : derivation.constants)
        parts << QStringLiteral("%1 = %2").arg(messageText(constant.name),
                                               exactNumber(constant.value));
    return parts.join(QStringLiteral("   "));
}

} // namespace

OriginPage::OriginPage(Session& session)
    : Page(session)
    , m_way(new QHBoxLayout)
    , m_name(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_figure(new TextLabel({}, TextRole::Figure, Tone::Text, this))
    , m_formula(new TextLabel({}, TextRole::Stage, Tone::Text, this))
    , m_constants(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_check(new TextLabel({}, TextRole::Body, Tone::Ok, this))
    , m_run(new SegmentBar(this))
    , m_other(new TextLabel({}, TextRole::Body, Tone::Text2, this))
    , m_order(new SegmentBar(this))
    , m_table(new QTableView(this))
    , m_model(new OriginModel(this))
{
    m_figure->setObjectName("number");
    for (TextLabel* label : {m_name, m_formula, m_constants, m_check, m_other}) {
        label->setWordWrap(true);
        label->setMinimumHeight(16); // else as high as in the narrowest window
    }
    m_order->setSegments({{tr("Largest first"), tr("By the size of the term")},
                          {tr("In order"), tr("As the formula has them")}});
    m_order->setAccessibleName(tr("Order of the operands"));
    m_run->setSegments({{tr("A"), tr("As trained")}, {tr("B"), tr("With your changes")}});
    m_run->setAccessibleName(tr("Run"));
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Operands"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setTabKeyNavigation(false);
    m_way->setSpacing(4);
    auto* line = rowOf(kStyleSpacing, {heading(tr("Operands"), this), Placed::space(), m_order});
    auto* top = rowOf(kStyleSpacing, {{m_way, 1}, m_run});
    new PageFrame(*this,
                  {top,
                   m_name,
                   m_figure,
                   m_other,
                   m_formula,
                   m_constants,
                   m_check,
                   new Hairline(Qt::Horizontal, this),
                   line,
                   {m_table, 1}},
                  8, {24, 12, 24, 12});
    m_empty = new EmptyState(this);
    connectWidgets();
    setMainWidget(*m_table);
}

void OriginPage::connectWidgets()
{
    connect(m_order, &SegmentBar::currentChanged, this, &OriginPage::refreshNumber);
    connect(m_run, &SegmentBar::currentChanged, this, [this](int index) {
        m_path.variant = index == 0 ? Variant::A : Variant::B;
        refreshNumber();
    });
    const auto open = [this](const QModelIndex& index) {
        if (const Factor* factor = m_model->factorAt(index))
            goDown(NumberRef(factor->of));
    };
    connect(m_table, &QTableView::activated, this, open); // Enter, or a double click
}

void OriginPage::trace(const NumberRef& number, std::optional<Variant> variant, const QString& from)
{
    m_follows = false;
    m_from = from;
    m_path = {{number}, variant};
    refreshNumber();
}

void OriginPage::goDown(const NumberRef& number)
{
    if (number.kind == NumberRef::Kind::Constant)
        return;
    m_path.numbers.push_back(number);
    refreshNumber();
    if (m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, 0));
}

void OriginPage::goUp()
{
    if (m_path.numbers.size() < 2)
        return;
    m_path.numbers.pop_back();
    refreshNumber();
}

bool OriginPage::escape()
{
    if (m_path.numbers.size() > 1) {
        goUp();
        return true;
    }
    if (m_follows)
        return false;
    m_follows = true;
    m_path.variant.reset();
    note(Change::Selection);
    if (!m_from.isEmpty())
        emit pageWanted(std::exchange(m_from, QString()));
    return true;
}

/// Ctrl+click does nothing here: Enter goes one level down.
MaybeNumber OriginPage::numberAt(std::optional<QPoint>) const
{
    return std::nullopt;
}

QString OriginPage::whyNoNumber() const
{
    return tr("Press Enter or double-click an operand to see what is behind it.");
}

Figure OriginPage::figure() const
{
    return originFigure(session().viewSnapshot(), options());
}

QJsonObject OriginPage::options() const
{
    return m_follows && m_path.numbers.size() <= 1 ? QJsonObject() : toJson(m_path);
}

void OriginPage::setOptions(const QJsonObject& options)
{
    m_path = originPathFrom(options);
    m_follows = m_path.numbers.empty();
    note(Change::Selection);
}

QString OriginPage::hint() const
{
    return tr(
        "Enter or double-click: what is behind an operand \u00B7 Esc: back, finally to the page you came from");
}

void OriginPage::showEvent(QShowEvent* event)
{
    session().computation().askFor(this, {"*"});
    Page::showEvent(event);
}

void OriginPage::hideEvent(QHideEvent* event)
{
    session().computation().askFor(this, {});
    Page::hideEvent(event);
}

void OriginPage::refresh(ChangeSet)
{
    const auto selected = pairNumber(session().viewSnapshot());
    const bool other =
        selected && (m_path.numbers.empty() || m_path.numbers.front() != selected->number);
    if (m_follows && other)
        m_path = {{selected->number}, std::nullopt};
    refreshNumber();
}

Variant OriginPage::run() const
{
    const ViewSnapshot view = session().viewSnapshot();
    return view.b ? m_path.variant.value_or(variantOf(view)) : Variant::A;
}

QPushButton* OriginPage::stepButton(const QString& text, std::size_t step)
{
    auto* button = new QPushButton(text, this);
    button->setAccessibleName(tr("Level %1: %2").arg(step).arg(nameOf(m_path.numbers[step])));
    button->setToolTip(nameOf(m_path.numbers[step]));
    button->setEnabled(step + 1 < m_path.numbers.size());
    connect(button, &QPushButton::clicked, this, [this, step] {
        m_path.numbers.resize(step + 1);
        refreshNumber();
    });
    return button;
}

/// The first and the last steps; those between are counted.
void OriginPage::refreshWay()
{
    constexpr int kLongest = 28; // characters on a button
    while (QLayoutItem* item = m_way->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    const std::size_t steps = m_path.numbers.size();
    const std::size_t hidden = steps > kLastSteps + 2 ? steps - kLastSteps - 1 : 0;
    for (std::size_t step = 0; step < steps; ++step) {
        if (step > 0 && step <= hidden) {
            if (step == 1)
                m_way->addWidget(new TextLabel(tr("%n more", nullptr, static_cast<int>(hidden)),
                                               TextRole::Caption, Tone::Text3, this));
            continue;
        }
        QString text = shortNameOf(m_path.numbers[step]);
        if (text.size() > kLongest)
            text = text.left(kLongest - 1) + QChar(0x2026);
        m_way->addWidget(stepButton(text, step));
    }
    m_way->addStretch(1);
}

/// False where the cell no longer exists: the text became shorter, or B is gone.
bool OriginPage::derive()
{
    m_problem.clear();
    try {
        m_derivation = derivationOf(session().viewSnapshot(), run(), m_path.numbers.back());
    } catch (const ShapeError&) {
        return false;
    } catch (const Error& error) { // a site that this trace does not hold yet
        m_derivation = {};
        m_problem = errorSentence(error);
    }
    return true;
}

void OriginPage::refreshNumber()
{
    const ViewSnapshot view = session().viewSnapshot();
    bool ready = view.trace(run()) && !m_path.numbers.empty() && !session().text().isEmpty();
    if (ready && !derive()) {
        m_follows = true;
        const auto selected = pairNumber(view);
        m_path = selected ? OriginPath{{selected->number}, std::nullopt} : OriginPath();
        ready = selected && derive();
    }
    const bool waits = ready && !m_problem.isEmpty();
    m_empty->setVisible(!ready || waits);
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_order)})
        part->setVisible(ready && !waits);
    if (waits)
        m_empty->setTexts(session().computation().isStale() || isAsking()
                              ? tr("Computing")
                              : tr("This number cannot be traced"),
                          m_problem, {});
    else
        m_empty->setTexts(tr("No number yet"),
                          tr("Type a sentence: every number on every page can be traced here."),
                          {});
    for (TextLabel* label : {m_name, m_figure, m_other, m_formula, m_constants, m_check})
        label->setVisible(ready && !waits);
    m_run->setVisible(ready && view.b);
    m_run->setCurrent(run() == Variant::A ? 0 : 1);
    if (ready)
        refreshWay();
    if (ready && !waits)
        showNumber();
}

/// True while the traces with every site are being computed.
bool OriginPage::isAsking() const
{
    return session().computation().shownTicket() != session().computation().postedTicket();
}

void OriginPage::showNumber()
{
    m_name->setText(nameOf(m_path.numbers.back()));
    m_figure->setText(exactNumber(m_derivation.recorded));
    m_formula->setText(
        messageText(m_derivation.end.empty() ? m_derivation.formula : m_derivation.end));
    m_constants->setText(constantsText(m_derivation));
    m_constants->setVisible(!m_derivation.constants.empty());
    const bool agrees = m_derivation.agrees();
    m_check->setTone(agrees ? Tone::Ok : Tone::Warn);
    m_check->setText(agrees ? tr("\u2713 recomputed from the operands: %1")
                                  .arg(exactNumber(m_derivation.recomputed))
                            : tr("! the operands give %1: an intervention replaced this number")
                                  .arg(exactNumber(m_derivation.recomputed)));
    m_check->setVisible(m_derivation.end.empty());
    m_model->setTerms(m_derivation.terms, m_order->current() == 0);
    std::size_t factors = 1;
    for (const Term& term : m_derivation.terms)
        factors = std::max(factors, term.factors.size());
    for (int column = 0; column < OriginModel::kFactors; ++column)
        m_table->setColumnHidden(column, column >= static_cast<int>(factors));
    showOtherRun();
}

/// Value of the same cell in the other variant, and the difference.
void OriginPage::showOtherRun()
{
    m_other->hide();
    const ViewSnapshot view = session().viewSnapshot();
    if (!view.b)
        return;
    const Variant other = run() == Variant::A ? Variant::B : Variant::A;
    try {
        const double there = derivationOf(view, other, m_path.numbers.back()).recorded;
        const double b = other == Variant::B ? there : m_derivation.recorded;
        const double a = other == Variant::B ? m_derivation.recorded : there;
        m_other->setText(tr("A %1 \u00B7 B %2 \u00B7 B\u2212A %3")
                             .arg(exactNumber(a), exactNumber(b), exactNumber(b - a)));
        m_other->show();
    } catch (const Error&) { // a cell that only this run has
    }
}

PageDescriptor OriginPage::descriptor()
{
    return {.name = "origin",
            .title = tr("Origin"),
            .question = tr("What is this number computed from?"),
            .group = PageGroup::Inside,
            .mode = tr("Origin"),
            .icon = "<circle cx='10' cy='4' r='2' fill='@'/><circle cx='4.5' cy='15.5' "
                    "r='2'/><circle cx='15.5' cy='15.5' r='2'/><path d='M9 6l-3.6 7.6M11 6l3.6 "
                    "7.6'/>",
            .help = tr("Where any number comes from: open an operand to see what it was computed "
                       "from, down to weights and embeddings."),
            .terms = {"residual stream", "weighted sum"},
            .make = makePage<OriginPage>,
            .figure = originFigure};
}

} // namespace headscope::ui
