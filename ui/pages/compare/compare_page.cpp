#include "ui/pages/compare/compare_page.h"

#include "ui/pages/compare/compared_grids.h"
#include "ui/pages/compare/model_of_b.h"
#include "ui/pages/compare/moved_attention.h"
#include "ui/pages/compare/texts_of_b.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/labels.h"

#include <QKeyEvent>

#include <utility>

namespace headscope::ui {

namespace {

std::optional<int> tokenAt(const Comparison& comparison, int row, Variant variant)
{
    if (row < 0 || row >= static_cast<int>(comparison.lines.size()))
        return std::nullopt;
    const AlignedTokens& line = comparison.lines[static_cast<std::size_t>(row)];
    return variant == Variant::A ? line.a : line.b;
}

} // namespace

ComparePage::ComparePage(Session& session, QWidget* parent)
    : Page(session, parent)
    , m_texts(new TextsOfB(session, this))
    , m_model(new ModelOfB(session, this))
    , m_summary(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_grids(new ComparedGrids(this))
    , m_moved(new MovedAttention(session, this))
{
    auto* choices = rowOf(24, {{m_texts, 1}, m_model});
    new PageFrame(*this,
                  {choices, m_summary, {m_grids, 1}, new Hairline(Qt::Horizontal, this), m_moved},
                  8, {24, 12, 24, 12});
    connect(&m_meter, &ComparisonMeter::measured, this, &ComparePage::showComparison);
    connect(m_grids, &ComparedGrids::carriedChanged, this, &ComparePage::showComparison);
    connect(m_grids, &ComparedGrids::dropped, this, &ComparePage::patch);
}

/// A field that loses the focus while its window is destroyed must not ask for a new B.
ComparePage::~ComparePage()
{
    m_texts->stop();
}

void ComparePage::setModelNames(const QStringList& names)
{
    m_model->setNames(names);
}

QLineEdit& ComparePage::sentence() const
{
    return m_texts->sentence();
}

QLineEdit& ComparePage::target() const
{
    return m_texts->target();
}

HeatmapWidget& ComparePage::divergence() const
{
    return m_moved->map();
}

Figure ComparePage::figure() const
{
    return compareFigure(session().looking(), options());
}

void ComparePage::focusMain()
{
    m_grids->a().setFocus(Qt::OtherFocusReason);
}

QString ComparePage::hint() const
{
    return tr(
        "Enter picks a cell of A, Enter puts it into B \u00B7 Esc drops it \u00B7 Ctrl+click: a "
        "number's origin");
}

MaybeNumber ComparePage::numberAt(std::optional<QPoint> place) const
{
    const auto cell = m_grids->cellAt(place);
    return cell ? lensNumber(m_meter.subject(), comparison(), cell->variant, cell->cell)
                : std::nullopt;
}

QString ComparePage::noNumberWords() const
{
    return tr("Choose a cell of A's or B's grid first. Divergences compare two runs and have no "
              "single origin.");
}

bool ComparePage::escape()
{
    return m_grids->putDown();
}

void ComparePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !escape())
        Page::keyPressEvent(event);
}

void ComparePage::patch(HeatmapCell cellOfA, HeatmapCell cellOfB)
{
    const auto from = tokenAt(comparison(), cellOfA.row, Variant::A);
    const auto to = tokenAt(comparison(), cellOfB.row, Variant::B);
    const TraceKey source = lensKey(m_meter.subject(), cellOfA.column);
    if (!from || !to)
        return;
    if (source.layer != cellOfB.column) {
        emit messageWanted(tr("A cell goes to the same layer of B: the streams of layer %1 and %2 "
                              "do not stand for the same.")
                               .arg(source.layer)
                               .arg(cellOfB.column));
        return;
    }
    Changes changes = session().changes();
    std::erase_if(changes.patches, [&](const CellPatch& patch) {
        return patch.key == source && patch.toToken == *to;
    });
    changes.patches.push_back({source, *from, *to});
    session().document().setChanges(changes, tr("patch of layer %1").arg(source.layer));
}

void ComparePage::refresh(ChangeSet)
{
    m_texts->refresh();
    m_model->refresh();
    m_meter.measure(session().looking());
    showComparison();
}

QString ComparePage::summary() const
{
    const Comparison& shown = comparison();
    if (shown.lines.empty())
        return session().text().isEmpty() ? tr("Type a sentence to compare.")
                                          : tr("Being computed.");
    if (shown.a.stageCount() == 0)
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
    const Looking now = session().looking();
    Looking looking = m_meter.subject();
    setProperty("computing", looking.a != now.a || looking.b != now.b);
    looking.selection = session().selection();
    looking.colourMap = session().view().colourMap();
    m_summary->setText(summary());
    if (session().text().isEmpty())
        m_grids->setContents({}, {});
    else
        m_grids->setContents(lensContent(looking, comparison(), Variant::A),
                             lensContent(looking, comparison(), Variant::B));
    m_moved->refresh(looking, comparison());
}

PageDescriptor ComparePage::descriptor()
{
    return {.name = "compare",
            .title = tr("Compare"),
            .question = tr("How do two texts or two models differ?"),
            .group = PageGroup::Change,
            .icon = "<rect x='2.5' y='3' width='6' height='14' rx='1'/><rect x='11.5' y='3' "
                    "width='6' height='14' rx='1' fill='@'/>",
            .help = tr("Two sentences or two models side by side, with their difference where "
                       "both have as many tokens."),
            .terms = {"ablation"},
            .make = makePage<ComparePage>,
            .figure = compareFigure,
            .whyModel = tr("A captured trace has no second run: open a model to compare with.")};
}

} // namespace headscope::ui
