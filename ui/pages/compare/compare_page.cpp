#include "ui/pages/compare/compare_page.h"

#include "ui/pages/compare/compare_inputs.h"
#include "ui/widgets/heatmap/heatmap_widget.h"
#include "ui/widgets/labels.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headscope::ui {

namespace {

using Tone = TextLabel::Tone;

std::optional<int> tokenAt(const Comparison& comparison, int row, Run run)
{
    if (row < 0 || row >= static_cast<int>(comparison.lines.size()))
        return std::nullopt;
    const AlignedTokens& line = comparison.lines[static_cast<std::size_t>(row)];
    return run == Run::A ? line.a : line.b;
}

} // namespace

ComparePage::ComparePage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_inputs(new CompareInputs(session, this))
    , m_gridA(new LensGrid)
    , m_gridB(new LensGrid)
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(24, 12, 24, 12);
    column->setSpacing(8);
    column->addWidget(m_inputs);
    m_summary = new TextLabel({}, TextRole::Body, Tone::Text2, this);
    column->addWidget(m_summary);
    column->addWidget(makeGrids(), 1);
    column->addWidget(new Hairline(Qt::Horizontal, this));
    column->addLayout(makeBottom());
    connectWidgets();
}

ComparePage::~ComparePage()
{
    m_inputs->disconnectFields();
}

void ComparePage::setModelNames(const QStringList& names)
{
    m_inputs->setModelNames(names);
}

QLineEdit& ComparePage::sentence() const
{
    return m_inputs->sentence();
}

QLineEdit& ComparePage::target() const
{
    return m_inputs->target();
}

QComboBox& ComparePage::modelChoice() const
{
    return m_inputs->modelChoice();
}

QWidget* ComparePage::makeGrids()
{
    auto* content = new QWidget;
    content->setProperty("role", "page");
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(32);
    const auto add = [row, content](LensGrid* grid, const QString& letter, const QString& note,
                                    const QString& name) {
        grid->setAccessibleName(name);
        auto* title = new QHBoxLayout;
        title->setSpacing(12);
        title->addWidget(heading(letter, content));
        title->addWidget(new TextLabel(note, TextRole::Body, Tone::Text2, content), 1);
        auto* column = new QVBoxLayout;
        column->setSpacing(4);
        column->addLayout(title);
        column->addWidget(grid);
        column->addStretch(1);
        row->addLayout(column, 1);
    };
    add(m_gridA, tr("A"), tr("what each layer would predict; drag a cell onto B"),
        tr("Predictions of A: tokens down, layers across"));
    add(m_gridB, tr("B"), tr("a dot: another token than in A; outline: reached by a patch"),
        tr("Predictions of B: tokens down, layers across"));
    auto* area = new QScrollArea(this);
    area->setProperty("role", "page");
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    return area;
}

QLayout* ComparePage::makeBottom()
{
    constexpr int kHeight = 132;
    m_divergenceTitle = new TextLabel({}, TextRole::Caption, Tone::Text3, this);
    m_divergenceTitle->setWordWrap(true);
    m_divergence = new HeatmapWidget(this);
    m_divergence->setAccessibleName(tr("Divergence of A and B: heads down, layers across"));
    HeatmapOptions options;
    options.corner = false;
    options.numbers = false;
    options.largestCell = 16.0;
    m_divergence->setOptions(options);
    m_divergence->setFixedHeight(kHeight);
    auto* words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(heading(tr("Where attention differs"), this));
    words->addWidget(m_divergenceTitle);
    words->addStretch(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addLayout(words, 1);
    row->addWidget(m_divergence, 2);
    return row;
}

void ComparePage::connectWidgets()
{
    connect(&m_meter, &ComparisonMeter::measured, this, &ComparePage::showComparison);
    connect(m_gridA, &LensGrid::cellOpened, this, [this](HeatmapCell cell) {
        pick(cell);
        m_gridB->setFocus(Qt::OtherFocusReason);
        m_gridB->setCurrent(cell);
    });
    connect(m_gridB, &LensGrid::cellOpened, this, &ComparePage::drop);
    connect(m_gridA, &LensGrid::dragged, this, &ComparePage::pick);
    connect(m_gridA, &LensGrid::dropped, this, [this](QPoint place) {
        const auto cell = m_gridB->cellAt(m_gridB->mapFromGlobal(place));
        if (cell)
            drop(*cell);
        else
            escape();
    });
    connect(m_divergence, &HeatmapWidget::cellActivated, this,
            [this](HeatmapCell cell) { session().activateHead(cell.column, cell.row); });
}

void ComparePage::pick(HeatmapCell cell)
{
    m_picked = cell;
    showComparison();
}

void ComparePage::drop(HeatmapCell cell)
{
    if (!m_picked)
        return;
    const auto from = tokenAt(comparison(), m_picked->row, Run::A);
    const auto to = tokenAt(comparison(), cell.row, Run::B);
    const TraceKey source = lensKey(m_meter.subject(), m_picked->column);
    escape();
    if (!from || !to)
        return;
    if (source.layer != cell.column) {
        emit messageWanted(tr("A cell goes to the same layer of B: the streams of layer %1 and %2 "
                              "do not stand for the same.")
                               .arg(source.layer)
                               .arg(cell.column));
        return;
    }
    Changes changes = session().changes();
    std::erase_if(changes.patches, [&](const CellPatch& patch) {
        return patch.key == source && patch.toToken == *to;
    });
    changes.patches.push_back({source, *from, *to});
    session().setChanges(changes, tr("patch of layer %1").arg(source.layer));
}

MaybeNumber ComparePage::numberAt(std::optional<QPoint> place) const
{
    for (const Run run : {Run::A, Run::B}) {
        const LensGrid& grid = run == Run::A ? *m_gridA : *m_gridB;
        const auto inside = within(grid, place);
        const bool meant = place ? inside.has_value() : run == Run::A || m_gridB->hasFocus();
        const auto cell = !meant  ? std::nullopt
                          : place ? grid.cellAt(*inside)
                                  : (m_gridB->hasFocus() ? m_gridB : m_gridA)->content().current;
        if (cell)
            return lensNumber(m_meter.subject(), comparison(),
                              !place && m_gridB->hasFocus() ? Run::B : run, *cell);
    }
    return std::nullopt;
}

QString ComparePage::noNumberWords() const
{
    return tr("Choose a cell of A's or B's grid first. Divergences compare two runs and have no "
              "single origin.");
}

bool ComparePage::escape()
{
    if (!m_picked)
        return false;
    m_picked.reset();
    showComparison();
    return true;
}

void ComparePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

Figure ComparePage::figure() const
{
    return compareFigure(session().looking(), options());
}

void ComparePage::focusMain()
{
    m_gridA->setFocus(Qt::OtherFocusReason);
}

QString ComparePage::hint() const
{
    return tr(
        "Enter picks a cell of A, Enter puts it into B \u00B7 Esc drops it \u00B7 Ctrl+click: a "
        "number's origin");
}

void ComparePage::refresh(ChangeSet)
{
    m_inputs->refresh();
    m_meter.measure(session().looking());
    showComparison();
}

QString ComparePage::summary() const
{
    const Comparison& shown = comparison();
    if (shown.lines.empty())
        return session().text().isEmpty() ? tr("Type a sentence to compare.")
                                          : tr("Being computed.");
    if (shown.a.layers == 0)
        return tr("This model predicts no tokens: its layers have no words to show.");
    QString words = tr("%1 of %2 lines aligned \u00B7 %3 predictions differ")
                        .arg(shown.alignedCount())
                        .arg(shown.lines.size())
                        .arg(shown.differingPredictions());
    if (shown.kind == AlignmentKind::Ends)
        words += QStringLiteral(" \u00B7 ") +
                 tr("the models cut the text differently: a line pairs tokens that end at the same "
                    "byte");
    else if (shown.kind == AlignmentKind::Texts)
        words += QStringLiteral(" \u00B7 ") +
                 tr("two vocabularies: a line pairs tokens of the same letters");
    const Looking looking = session().looking();
    if (looking.b && !looking.isComparable())
        words += QStringLiteral(" \u00B7 ") +
                 tr("A and B have different lengths or sizes: there is no B\u2212A of the maps");
    return words;
}

void ComparePage::showComparison()
{
    const bool empty = session().text().isEmpty();
    const Looking now = session().looking();
    Looking looking = m_meter.subject();
    setProperty("computing", looking.a != now.a || looking.b != now.b);
    looking.selection = session().selection();
    looking.colourMap = session().colourMap();
    m_summary->setText(summary());
    LensContent a = lensContent(looking, comparison(), Run::A);
    LensContent b = lensContent(looking, comparison(), Run::B);
    if (empty)
        a = b = {};
    a.current = m_gridA->content().current;
    b.current = m_gridB->content().current;
    a.picked = m_picked;
    m_gridA->setContent(std::move(a));
    m_gridB->setContent(std::move(b));
    m_divergence->setContent(empty ? HeatmapContent() : divergenceContent(looking, comparison()));
    m_divergenceTitle->setText(comparison().lines.empty() ? QString()
                               : comparison().divergence.isEmpty()
                                   ? tr("A and B have other numbers of layers or heads.")
                                   : tr("weight moved between aligned tokens, 0\u00A0to\u00A01; "
                                        "heads down, layers across"));
}

} // namespace headscope::ui
