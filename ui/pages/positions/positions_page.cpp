#include "ui/pages/positions/positions_page.h"

#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/positions/positions_number.h"
#include "ui/pages/positions/positions_plot.h"
#include "ui/pages/positions/positions_relative_panel.h"
#include "ui/pages/positions/relative_plot.h"
#include "ui/pages/positions/rotations_panel.h"
#include "ui/pages/positions/table_controls.h"
#include "ui/pages/shared/page_frame.h"
#include "ui/pages/shared/position_titles.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/formula/formula.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"

#include <QKeyEvent>
#include <QStackedWidget>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLargestOffset = 32;

/// Scheme of a button.
int rowOf(Positions scheme)
{
    int row = 0;
    for (const PositionTitle& title : positionTitles()) {
        if (title.kind == scheme)
            break;
        ++row;
    }
    return row;
}

} // namespace

PositionsPage::PositionsPage(Session& session) : Page(session)
{
    m_controls = new TableControls;
    m_plot = new PositionsPlot;
    m_rotations = new RotationsPanel;
    auto* table = new QWidget;
    rowOf(32, {m_controls, {m_plot, 1}, m_rotations}, table);
    m_relative = new RelativePanel([this](const RelativeOptions& options) {
        return relativeContent(this->session().viewSnapshot(), m_content.scheme, options);
    });
    m_images = new QStackedWidget;
    m_images->addWidget(table);
    m_images->addWidget(m_relative);
    new PageFrame(*this, {makeTop(), {m_images, 1}}, 20);
    connectControls();
    connect(m_plot, &PositionsPlot::positionDragged, this, &PositionsPage::setPosition);
    connect(m_plot, &PositionsPlot::painted, this, &PositionsPage::painted);
    connect(&m_slide, &QTimer::timeout, this, &PositionsPage::step);
    setReducedMotion(systemWantsReducedMotion());
    setModel({});
    reset();
}

void PositionsPage::refresh(ChangeSet changes)
{
    if (changes.testFlag(Change::Model))
        setModel(session().model());
    if (isRelative(m_content.scheme))
        m_relative->refresh();
}

Figure PositionsPage::figure() const
{
    return positionsFigure(session().viewSnapshot(), options());
}

QJsonObject PositionsPage::options() const
{
    QJsonObject all = positionsOptions(m_content);
    const QJsonObject relative = m_relative->options().json();
    for (auto entry = relative.begin(); entry != relative.end(); ++entry)
        all.insert(entry.key(), entry.value());
    return all;
}

void PositionsPage::setOptions(const QJsonObject& options)
{
    m_learned = learnedTable(session().model()); // This page may not have been shown yet.
    m_content = positionsContent(session().model(), options);
    const bool wantsTable =
        options.value("scheme").toString() == positionTitle(Positions::Learned).option;
    // Applied once its model is open.
    m_wanted = wantsTable ? Positions::Learned : m_content.scheme;
    if (!isRelative(m_content.scheme))
        m_dimensions = m_content.table.dimensions;
    m_relative->setOptions(RelativeOptions::from(options));
    setScheme(m_content.scheme);
}

QString PositionsPage::hint() const
{
    if (isRelative(m_content.scheme))
        return tr("\u2190 \u2192 change the distance \u00B7 Shift+\u2190 \u2192 move both");
    return tr("\u2190 \u2192 move p \u00B7 Shift+\u2190 \u2192 change k \u00B7 Space animates "
              "\u00B7 Ctrl+click: an entry's origin");
}

/// Entry of the matrix at a point; without one, that of p in the first dimension.
MaybeNumber PositionsPage::numberAt(std::optional<QPoint> place) const
{
    const auto inside = within(*m_plot, place);
    const auto entry = place ? (inside ? m_plot->entryAt(*inside) : std::nullopt)
                             : std::optional(HeatmapCell{0, m_content.position});
    return entry ? positionNumber(m_content, session().model(), *entry) : std::nullopt;
}

QString PositionsPage::whyNoNumber() const
{
    return isRelative(m_content.scheme) ? tr("These curves follow from the formula and the "
                                             "sliders alone. Their effect on a score is traced "
                                             "on the Query \u00B7 Key page.")
                                        : tr("Select an entry of the matrix first.");
}

void PositionsPage::focusMain()
{
    if (isRelative(m_content.scheme))
        m_relative->plot().setFocus(Qt::OtherFocusReason);
    else
        setFocus(Qt::OtherFocusReason);
}

QWidget* PositionsPage::makeTop()
{
    auto* top = new QWidget;
    m_schemes = new SegmentBar;
    m_schemes->setAccessibleName(tr("Position encoding"));
    std::vector<Segment> segments;
    for (const PositionTitle& title : positionTitles())
        segments.push_back({title.button, title.tip, title.kind != Positions::Learned});
    m_schemes->setSegments(segments);
    m_formula = new FormulaWidget;
    rowOf(32, {m_schemes, {m_formula, 1}}, top);
    connect(m_schemes, &SegmentBar::currentChanged, this, [this](int index) {
        m_wanted = positionTitles().at(static_cast<std::size_t>(index)).kind;
        setScheme(*m_wanted);
    });
    return top;
}

void PositionsPage::connectControls()
{
    connect(m_controls, &TableControls::positionChosen, this, &PositionsPage::setPosition);
    connect(m_controls, &TableControls::offsetChosen, this, &PositionsPage::setOffset);
    connect(m_controls, &TableControls::dimensionsChosen, this, &PositionsPage::setDimensions);
    connect(m_controls, &TableControls::baseChosen, this, &PositionsPage::setBase);
    connect(m_controls, &TableControls::slideToggled, this, &PositionsPage::toggleSlide);
    connect(m_controls, &TableControls::resetPressed, this, &PositionsPage::reset);
}

void PositionsPage::setModel(const LoadedModel& model)
{
    m_learned = learnedTable(model);
    m_modelName = QString::fromStdString(model.name);
    const QString why = model.model ? tr("%1 has no learned position embeddings").arg(m_modelName)
                                    : tr("No model is open, so there are no learned position "
                                         "embeddings");
    m_schemes->setSegmentEnabled(rowOf(Positions::Learned), !m_learned.isEmpty(),
                                 m_learned.isEmpty() ? why : QString());
    if (model.model && m_wanted.value_or(Positions::Learned) == Positions::Learned)
        return setScheme(m_wanted ? *m_wanted : model.model->config().positions);
    if (m_content.scheme != Positions::Learned)
        return;
    if (m_learned.isEmpty())
        setScheme(Positions::Sinusoidal);
    else
        rebuildTable();
}

void PositionsPage::setScheme(Positions scheme)
{
    if (scheme == Positions::Learned && m_learned.isEmpty())
        scheme = Positions::Sinusoidal;
    m_content.scheme = scheme;
    m_schemes->setCurrent(rowOf(scheme));
    m_images->setCurrentIndex(isRelative(scheme) ? 1 : 0);
    if (!isRelative(scheme))
        return rebuildTable();
    if (m_slide.isActive())
        toggleSlide();
    m_relative->refresh();
    m_formula->setFormula(positionTitle(scheme).formula(), 17.0);
    emit contentChanged();
}

void PositionsPage::setReducedMotion(bool reduced)
{
    m_slide.setInterval(reduced ? 500 : 125);
}

void PositionsPage::rebuildTable()
{
    m_content.table = tableOf(m_content.scheme, m_dimensions, m_content.base, m_learned);
    const int last = m_content.table.positions - 1;
    const int position = std::clamp(m_content.position, 0, last);
    const int most = std::min(kLargestOffset, last);
    m_controls->setRanges(last, most);
    m_content.position = position;
    m_content.offset = std::clamp(m_content.offset, 0, most);
    showContent();
    showText();
}

void PositionsPage::setPosition(int position)
{
    m_content.position = std::clamp(position, 0, m_content.table.positions - 1);
    showContent();
}

void PositionsPage::setOffset(int offset)
{
    m_content.offset =
        std::clamp(offset, 0, std::min(kLargestOffset, m_content.table.positions - 1));
    showContent();
}

void PositionsPage::setDimensions(int dimensions)
{
    m_dimensions = std::clamp(dimensions / 2 * 2, 4, 512);
    rebuildTable();
}

void PositionsPage::setBase(double base)
{
    m_content.base = std::clamp(base, 100.0, 100000.0);
    rebuildTable();
}

void PositionsPage::showContent()
{
    m_controls->setNumbers(m_content);
    m_plot->setContent(m_content);
    const bool rotates = m_content.scheme == Positions::Sinusoidal;
    m_rotations->setVisible(rotates);
    if (rotates)
        m_rotations->setContent(m_content);
    emit contentChanged();
}

void PositionsPage::showText()
{
    m_controls->setScheme(m_content.scheme, m_modelName);
    m_formula->setFormula(positionTitle(m_content.scheme).formula(), 17.0);
}

void PositionsPage::toggleSlide()
{
    if (m_slide.isActive()) {
        m_slide.stop();
    } else {
        if (m_content.position >= m_content.table.positions - 1)
            setPosition(0);
        m_slide.start();
    }
    m_controls->setSliding(m_slide.isActive());
}

void PositionsPage::step()
{
    setPosition(m_content.position + 1);
    if (m_content.position >= m_content.table.positions - 1)
        toggleSlide();
}

void PositionsPage::reset()
{
    if (m_slide.isActive())
        toggleSlide();
    m_dimensions = 64;
    m_content.base = 10000.0;
    m_content.position = 12;
    m_content.offset = 5;
    rebuildTable();
}

void PositionsPage::keyPressEvent(QKeyEvent* event)
{
    if (isRelative(m_content.scheme)) // Its plot lists the keys.
        return Page::keyPressEvent(event);
    const bool shift = event->modifiers() == Qt::ShiftModifier;
    const int direction = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (direction != 0 && shift)
        setOffset(m_content.offset + direction);
    else if (direction != 0 && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier)
        setPosition(m_content.position + direction);
    else if (event->key() == Qt::Key_Space)
        toggleSlide();
    else
        Page::keyPressEvent(event);
}

void PositionsPage::changeEvent(QEvent* event)
{
    if (m_controls != nullptr &&
        (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange))
        showText();
    Page::changeEvent(event);
}

void PositionsPage::hideEvent(QHideEvent* event)
{
    if (m_slide.isActive())
        toggleSlide();
    Page::hideEvent(event);
}

PageDescriptor PositionsPage::descriptor()
{
    return {.name = "positions",
            .title = tr("Positions"),
            .question = tr("How does the model know where a token is?"),
            .group = PageGroup::Inside,
            .icon = "<path d='M2 10c2.6 -8.6 5.4 -8.6 8 0s5.4 8.6 8 0'/>",
            .help = tr("See how the model represents token order: sinusoidal and learned "
                       "encodings, RoPE, ALiBi and relative bias, with the similarity between "
                       "positions."),
            .terms = {"position", "positional encoding", "rope"},
            .make = makePage<PositionsPage>,
            .figure = positionsFigure};
}

} // namespace headscope::ui
