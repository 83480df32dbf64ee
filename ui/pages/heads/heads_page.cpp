#include "ui/pages/heads/heads_page.h"

#include "ui/pages/heads/head_card.h"
#include "ui/pages/heads/heads_controls.h"
#include "ui/pages/heads/heads_figure.h"
#include "ui/pages/heads/heads_side_panel.h"
#include "ui/pages/shared/empty_state.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/widgets/heads/head_grid_widget.h"
#include "ui/widgets/labels.h"

#include <algorithm>
#include <cmath>

namespace headscope::ui {

HeadsPage::HeadsPage(Session& session)
    : Page(session)
    , m_measurement(session, this)
    , m_controls(new HeadsControls(session, m_measurement, this))
    , m_grid(new HeadGridWidget(this))
    , m_plane(new PointMapWidget(this))
    , m_legend(new ColourBar(this))
    , m_meaning(caption({}, this))
    , m_table(new ScoreTable(this))
    , m_side(new HeadsSidePanel(session, m_measurement, this))
{
    m_grid->setAccessibleName(tr("Map of scores"));
    m_plane->setAccessibleName(tr("Map of similar heads"));
    m_meaning->setWordWrap(true);
    m_table->setNameTitle(tr("Head and role"));
    auto* column = columnOf(8, {m_controls, Placed::gap(8), {makeImage(), 1}});
    column->setContentsMargins(24, 16, 24, 16);
    new PageFrame(*this, {{rowOf(0, {{column, 1}, new Hairline(Qt::Vertical, this), m_side}), 1}},
                  0, QMargins());
    connect(m_controls, &HeadsControls::choiceChanged, this, &HeadsPage::refreshAll);
    connect(m_side, &HeadsSidePanel::headOpened, this, &HeadsPage::openHead);
    connectMeasurement();
    connectGrid();
    connectPlane();
    connectTable();
    setMainWidget(*m_table);
}

QWidget* HeadsPage::makeImage()
{
    m_image = new QWidget(this);
    auto* left = columnOf(8, {{m_grid, 1}, {m_plane, 1}});
    m_legend->setFixedWidth(284);
    auto* below = rowOf(32, {{m_legend, 0, Qt::AlignTop}, {m_meaning, 1, Qt::AlignTop}});
    auto* right = columnOf(8, {{m_table, 1}, below});
    rowOf(32, {left, {right, 1}}, m_image);
    m_plane->hide();
    m_empty = new EmptyState(m_image);
    return m_image;
}

void HeadsPage::connectMeasurement()
{
    connect(&m_measurement, &HeadMeasurement::textScored, this, [this] {
        m_controls->followText();
        refreshAll();
    });
    connect(&m_measurement, &HeadMeasurement::textCompared, this, &HeadsPage::refreshAll);
    connect(&m_measurement, &HeadMeasurement::surveyChanged, this, &HeadsPage::refreshAll);
}

void HeadsPage::connectGrid()
{
    connect(m_grid, &HeadGridWidget::headActivated, this,
            [this](GridCell cell) { activate(headOf(cell)); });
    connect(m_grid, &HeadGridWidget::headOpened, this, &HeadsPage::openHead);
    m_grid->setToolTipText([this](GridCell cell) { return toolTipOf(headOf(cell)); });
}

void HeadsPage::connectPlane()
{
    const auto headAt = [this](int point) {
        return likeness()->headAt(static_cast<std::size_t>(point));
    };
    connect(m_plane, &PointMapWidget::pointActivated, this,
            [this, headAt](int point) { activate(headAt(point)); });
    connect(m_plane, &PointMapWidget::pointOpened, this, &HeadsPage::openHead);
    m_plane->setToolTipText([this, headAt](int point) {
        const HeadId head = headAt(point);
        return tr("Head %1.%2\n%3").arg(head.layer).arg(head.head).arg(toolTipOf(head));
    });
}

void HeadsPage::connectTable()
{
    connect(m_table, &ScoreTable::columnChosen, m_controls, &HeadsControls::chooseColumn);
    connect(m_table, &ScoreTable::rowActivated, this,
            [this](int row) { activate(m_shown[static_cast<std::size_t>(row)]); });
    connect(m_table, &ScoreTable::rowOpened, this, &HeadsPage::openHead);
}

void HeadsPage::activate(HeadId head)
{
    session().view().activateHead(head.layer, head.head);
}

void HeadsPage::openHead()
{
    emit pageWanted(QStringLiteral("head"));
}

HeadId HeadsPage::headOf(GridCell cell) const
{
    return {m_measurement.attention(), cell.layer, cell.head};
}

QString HeadsPage::toolTipOf(HeadId head) const
{
    const HeadsColumn column = sortedBy(measured(), choice());
    const double value = column.at(head);
    QString text = tr("%1 %2").arg(scoreTitle(column.score), scoreText(column.score, value));
    if (column.table && !std::isnan(value)) {
        const auto order = column.table->ranked(column.score, choice().rising);
        const auto found = std::find(order.begin(), order.end(), head);
        text += tr(", rank %1 of %2").arg(found - order.begin() + 1).arg(order.size());
    }
    const QString words = labelText(measured().labels, head);
    return words.isEmpty() ? text : text + QLatin1Char('\n') + words;
}

const HeadsChoice& HeadsPage::choice() const
{
    return m_controls->choice();
}

Figure HeadsPage::figure() const
{
    return headsFigure(session().viewSnapshot(), choice(), measured(), likeness());
}

bool HeadsPage::isSettled() const
{
    return m_measurement.isSettled(choice().similar);
}

/// A default score is chosen from the text, as on the page.
QJsonObject HeadsPage::options() const
{
    QJsonObject options = toJson(choice());
    if (!m_controls->isScoreChosen() && !isSettled())
        options.remove(QLatin1String("sort"));
    options.insert(QStringLiteral("sheet"), m_side->tab());
    return options;
}

void HeadsPage::setOptions(const QJsonObject& options)
{
    m_controls->setChoice(headsChoice(options), options.contains(QLatin1String("sort")));
    m_side->setTab(options.value(QLatin1String("sheet")).toInt());
    measure();
    refreshAll();
}

QString HeadsPage::hint() const
{
    return tr("Arrows select head and column \u00B7 Space reverses the order \u00B7 Enter opens "
              "\u00B7 Ctrl+Enter: the weight's origin");
}

bool HeadsPage::escape()
{
    const bool surveying = m_measurement.isSurveying();
    m_measurement.cancelSurvey();
    return surveying;
}

void HeadsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    limitGrid();
}

/// One value per head needs only a small square; the table has the rest.
void HeadsPage::limitGrid()
{
    constexpr double kSquare = 20.0;
    constexpr double kAround = 60.0; // Numbers and brackets above, and gaps.
    const Theme theme = Theme::of(*this);
    const double high =
        (m_image->height() - kAround * theme.scale()) / std::max(m_grid->content().layers, 1);
    const double square = std::clamp(high - 2.0, 8.0, kSquare * theme.scale());
    const double wanted = headGridSize(m_grid->content(), theme, square).width();
    const int room = width() * 30 / 100;
    m_grid->setMaximumWidth(
        std::max(std::min(qRound(wanted), room), m_grid->minimumSizeHint().width()));
    m_plane->setFixedWidth(std::max(width() * 26 / 100, m_plane->minimumSizeHint().width()));
    m_legend->setFixedWidth(choice().similar ? 232 : 284);
}

void HeadsPage::measure()
{
    m_measurement.measure(choice().onProbe);
    m_side->readWeights();
}

void HeadsPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model))
        m_measurement.forgetText();
    measure();
    refreshAll();
}

void HeadsPage::refreshAll()
{
    m_controls->refresh();
    refreshMap();
    refreshTable();
    m_side->refresh(choice());
    refreshEmptyState();
}

void HeadsPage::refreshMap()
{
    const ViewSnapshot view = session().viewSnapshot();
    const HeadsColumn column = sortedBy(measured(), choice());
    m_shown = shownHeads(measured(), choice());
    m_grid->setContent(scoreGrid(view, column, m_shown));
    if (likeness() && likeness()->attention == m_measurement.attention())
        m_plane->setContent(likenessMap(view, *likeness(), column, m_shown));
    limitGrid();
    m_legend->setContent(scoreLegend(view, column));
    refreshMeaning(column);
}

/// Meaning of the score, or why there is none.
void HeadsPage::refreshMeaning(const HeadsColumn& column)
{
    QString words = whyUndefined(column);
    if (words.isEmpty() && choice().similar && likeness())
        words = whyText(likeness()->whyNot);
    if (words.isEmpty())
        words = scoreMeaning(column.score);
    m_meaning->setText(words);
}

void HeadsPage::refreshTable()
{
    const std::vector<HeadsColumn> columns = headsColumns(measured(), choice().score);
    const int sorted = sortedColumn(measured(), choice());
    std::vector<ScoreColumn> titles = scoreColumns(columns);
    if (titles != m_table->columns()) // Setting the titles resets the table's scroll position.
        m_table->setColumns(std::move(titles));
    const LoadedModel model = session().viewSnapshot().model();
    const int groups = model.model ? static_cast<int>(model.model->config().keyHeadCount()) : 0;
    m_table->setSorted(sorted, choice().rising);
    m_table->setRows(scoreRows(columns, m_shown, measured().labels, groups));
    const HeadId selected = session().selection().headId();
    const auto found = std::find(m_shown.begin(), m_shown.end(), selected);
    m_table->setCurrentRow(found != m_shown.end() ? static_cast<int>(found - m_shown.begin()) : -1);
}

void HeadsPage::refreshEmptyState()
{
    const bool noModel = session().models().isBlank();
    const bool noText = !choice().onProbe && session().text().isEmpty();
    const bool shows = !noModel && !noText;
    for (QWidget* part : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_legend),
                          static_cast<QWidget*>(m_meaning), static_cast<QWidget*>(m_side)})
        part->setVisible(shows);
    m_grid->setVisible(shows && !choice().similar);
    m_plane->setVisible(shows && choice().similar);
    m_empty->refresh(session(), choice().onProbe
                                    ? QString()
                                    : tr("Type a sentence above to measure every head on it, or "
                                         "measure them on random repeats."));
    m_empty->raise();
}

PageDescriptor HeadsPage::descriptor()
{
    return {.name = "heads",
            .title = tr("Heads"),
            .question = tr("Which heads behave in a known way?"),
            .group = PageGroup::Find,
            .icon = "<circle cx='8.5' cy='8.5' r='5.75'/><path d='M12.8 12.8l4.4 4.4'/><path "
                    "d='M5.9 8.5h5.2M8.5 5.9v5.2'/>",
            .help = tr("Find heads by behaviour. Sort all heads by a score; select one to see "
                       "what it does."),
            .terms = {"induction head", "previous-token head", "head"},
            .make = makePage<HeadsPage>,
            .figure = [](const ViewSnapshot& view, const QJsonObject& options) {
                return headsFigure(view, options);
            }};
}

} // namespace headscope::ui
