#include "ui/pages/example/example_page.h"

#include "core/lessons/worked/example_catalogue.h"
#include "ui/pages/example/example_figure.h"
#include "ui/pages/example/example_side.h"
#include "ui/pages/shared/column_scroll.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/listings/listing_panel.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/controls/step_bar.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/worked/worked_widget.h"
#include "ui/workers/error_sentence.h"

#include <QKeyEvent>
#include <QScrollBar>

namespace headscope::ui {

namespace {

constexpr int kSide = 312;
constexpr int kSideMargin = 24;

} // namespace

ExamplePage::ExamplePage(Session& session)
    : Page(session)
    , m_stage(new ExampleStage(this))
    , m_side(new ExampleSide(*m_stage))
    , m_room(new ColumnScroll(m_side, this))
    , m_listing(new ListingPanel(this))
    , m_empty(new EmptyState(m_stage))
{
    m_room->setObjectName("example-side"); // Lessons hide it.
    m_side->setContentsMargins(kSideMargin, 16, kSideMargin, 16);
    auto* left = rowOf(0, {m_stage});
    left->setContentsMargins(24, 12, 24, 16);
    auto* columns = rowOf(0, {{left, 1}, new Hairline(Qt::Vertical), m_room, m_listing});
    new PageFrame(*this, {{columns, 1}}, 0, QMargins());
    m_empty->hide();
    m_listing->hide();
    m_stage->setUndoStack(&session.document().undoStack());
    m_stage->setReducedMotion(systemWantsReducedMotion());

    QStringList names;
    QStringList titles;
    for (const ExampleEntry& entry : exampleCatalogue()) {
        names << QString::fromStdString(entry.name);
        titles << QString::fromStdString(entry.title);
    }
    names << QLatin1String(kYourSentence);
    titles << tr("A head of the open model");
    m_side->setChoices(names, titles);
    connect(m_side, &ExampleSide::exampleChosen, this, &ExamplePage::choose);
    connect(m_side, &ExampleSide::codeWanted, this, [this] {
        showCode(true);
        m_listing->focusMain();
    });
    connect(m_listing, &ListingPanel::closeWanted, this, [this] {
        showCode(false);
        focusMain();
    });
    connect(m_listing, &ListingPanel::matrixChosen, this, [this](const QString& name) {
        m_stage->highlight(name.isEmpty() ? QStringList() : QStringList(name));
    });
    connect(m_stage, &ExampleStage::stepped, this, &ExamplePage::followListing);
    connect(m_stage, &ExampleStage::changed, this, &ExamplePage::followListing);
    fitSide();
    open(ExampleOptions());
    setMainWidget(m_stage->matrices());
}

void ExamplePage::setReducedMotion(bool reduced)
{
    m_stage->setReducedMotion(reduced);
}

void ExamplePage::showCode(bool on)
{
    m_listing->setVisible(on);
    m_room->setVisible(!on);
    if (on)
        followListing();
    else
        m_stage->highlight({});
}

void ExamplePage::followListing()
{
    if (m_listing->isHidden())
        return;
    m_listing->showExample(m_example);
    m_listing->setState(m_stage->state());
}

void ExamplePage::fitSide()
{
    m_room->setFixedWidth(qRound(kSide * Theme::of(*this).scale()));
}

// -------------------------------------------------------------------------------- which example

ExampleOptions ExamplePage::present() const
{
    if (m_stage->state().example.steps.empty())
        return m_wanted; // A head whose trace is still pending.
    ExampleOptions options;
    options.example = m_example;
    options.set = exampleSettings(m_first, m_stage->state().inputs);
    options.done = m_stage->state().done;
    options.isExact = m_stage->isExact();
    options.isTrying = m_stage->isTrying();
    return options;
}

void ExamplePage::remember()
{
    if (!m_example.isEmpty())
        m_left[m_example] = present();
}

void ExamplePage::choose(const QString& example)
{
    if (example == m_example)
        return;
    remember();
    ExampleOptions options = m_left.value(example);
    options.example = example;
    options.isExact = m_stage->isExact();
    options.isTrying = m_stage->isTrying();
    open(options);
}

void ExamplePage::workHead()
{
    choose(QLatin1String(kYourSentence));
    note(Change::Trace);
}

void ExamplePage::open(const ExampleOptions& options)
{
    m_wanted = options;
    m_example = options.example;
    m_trace = nullptr;
    m_stage->setExact(options.isExact);
    m_stage->setTrying(options.isTrying);
    if (m_example == QLatin1String(kYourSentence))
        return showHead();
    try {
        m_first = firstInputs(m_example, {});
        m_stage->setState(stateOf(options, {}));
    } catch (const std::exception&) { // A name read from a file.
        ExampleOptions usual;
        if (m_example != usual.example)
            return open(usual);
    }
    m_empty->hide();
    m_side->setNote({});
    m_side->setChosen(m_example);
    followListing();
}

/// Shows the active head on the typed sentence; waits for its trace.
void ExamplePage::showHead()
{
    const ViewSnapshot view = session().viewSnapshot();
    const TracePtr& trace = view.trace(view.shown == Variant::A ? Variant::A : Variant::B);
    const bool isOther = trace != m_trace || view.selection != m_selection;
    if (trace && !isOther)
        return;
    m_trace = trace;
    m_selection = view.selection;
    try {
        m_first = firstInputs(m_example, view);
        m_stage->setState(stateOf(m_wanted, view));
        m_empty->hide();
        m_side->setNote(QString::fromStdString(m_stage->state().example.title));
        m_wanted.set.clear(); // The next sentence starts from its own numbers.
    } catch (const std::exception& error) {
        m_stage->setState({});
        m_side->setNote({});
        m_empty->setVisible(true);
        if (session().text().isEmpty())
            m_empty->askForText(session(), tr("Type a sentence above to work through a head on "
                                              "it."));
        else
            m_empty->setTexts(tr("This head cannot be worked through"), errorSentence(error), {});
    }
    m_side->setChosen(m_example);
    followListing();
}

void ExamplePage::refresh(ChangeSet)
{
    if (m_example == QLatin1String(kYourSentence)) {
        if (!m_stage->state().example.steps.empty())
            m_wanted.done = m_stage->state().done;
        showHead();
    }
}

// ------------------------------------------------------------------------------------- as a page

Figure ExamplePage::figure() const
{
    return exampleFigure(m_stage->matrices().diagram(), m_stage->stages().content());
}

QJsonObject ExamplePage::options() const
{
    QJsonObject options = present().json();
    if (!m_listing->isHidden())
        options["code"] = m_listing->options();
    return options;
}

void ExamplePage::setOptions(const QJsonObject& options)
{
    if (!options.contains("example"))
        return; // Choices of other pages.
    remember();
    open(ExampleOptions::from(options));
    showCode(options["code"].isObject());
    if (options["code"].isObject())
        m_listing->setOptions(options["code"].toObject());
}

QString ExamplePage::hint() const
{
    return tr("Space next \u00B7 Shift+Space back \u00B7 Home restart \u00B7 End finish \u00B7 "
              "\u2191\u2193 select cells \u00B7 For your own numbers: open any head and press F4");
}

bool ExamplePage::escape()
{
    if (m_stage->escape())
        return true;
    const bool isOpen = !m_listing->isHidden();
    showCode(false);
    return isOpen;
}

/// The numbers are local to the example, and each shows its own derivation.
MaybeNumber ExamplePage::numberAt(std::optional<QPoint>) const
{
    return std::nullopt;
}

QString ExamplePage::whyNoNumber() const
{
    return tr("Every number here shows its own derivation: see the equation.");
}

/// Keys not handled by the side column also step.
void ExamplePage::keyPressEvent(QKeyEvent* event)
{
    if (!m_stage->walk(*event))
        Page::keyPressEvent(event);
}

bool ExamplePage::event(QEvent* event)
{
    if (event->type() == QEvent::ApplicationFontChange)
        fitSide();
    return Page::event(event);
}

PageDescriptor ExamplePage::descriptor()
{
    return {.name = "example",
            .title = tr("Worked example"),
            .question = tr("What is computed, one number at a time?"),
            .group = PageGroup::Course,
            .icon = "<rect x='2.75' y='2.75' width='14.5' height='14.5' rx='1'/><path d='M10 "
                    "3v14M3 10h14'/><rect x='10' y='10' width='7.25' height='7.25' fill='@'/>",
            .help = tr("Work through a calculation one number at a time. Step forward and back, "
                       "change any input, or compute the next number yourself. F4 does the same "
                       "with the open head."),
            .make = makePage<ExamplePage>,
            .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
                return exampleFigure(view, options);
            }};
}

} // namespace headscope::ui
