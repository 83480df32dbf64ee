#include "ui/pages/positions/positions_page.h"

#include "ui/pages/positions/positions_figure.h"
#include "ui/pages/positions/positions_formulas.h"
#include "ui/pages/positions/positions_relative_panel.h"
#include "ui/pages/positions/positions_widgets.h"
#include "ui/widgets/formula/formula_widget.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/controls/segments.h"
#include "ui/widgets/controls/slider.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kPositions = 64;
constexpr int kLargestOffset = 32;

} // namespace

PositionsPage::PositionsPage(Session& session, QWidget* parent) : Page(session, parent)
{
    setProperty("role", "page");
    setAttribute(Qt::WA_StyledBackground);
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(24, 16, 24, 16);
    page->setSpacing(20);
    page->addWidget(makeTop());
    m_pictures = new QStackedWidget;
    auto* table = new QWidget;
    auto* columns = new QHBoxLayout(table);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(32);
    columns->addWidget(makeControls());
    m_plot = new PositionsPlot;
    columns->addWidget(m_plot, 1);
    m_rotations = makeRotations();
    columns->addWidget(m_rotations);
    m_relative = new RelativePanel([this](const RelativeOptions& options) {
        return relativeContent(this->session().looking(), m_content.scheme, options);
    });
    m_pictures->addWidget(table);
    m_pictures->addWidget(m_relative);
    page->addWidget(m_pictures, 1);

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
    return positionsFigure(session().looking(), options());
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
    m_learned = learnedTable(session().model()); // this page may not have been seen yet
    m_content = positionsContent(session().model(), options);
    const bool wantsTable = options.value("scheme").toString() == nameOf(PositionScheme::Learned);
    m_wanted = wantsTable ? PositionScheme::Learned : m_content.scheme; // once its model is open
    if (!isRelative(m_content.scheme))
        m_dimensions = m_content.table.dimensions;
    m_relative->setOptions(RelativeOptions::from(options));
    setScheme(m_content.scheme);
}

QString PositionsPage::hint() const
{
    if (isRelative(m_content.scheme))
        return tr("\u2190 \u2192 change the distance \u00B7 Shift+\u2190 \u2192 move both");
    return tr("\u2190 \u2192 move p \u00B7 Shift+\u2190 \u2192 change k \u00B7 Space slides \u00B7 "
              "Ctrl+click: an entry's origin");
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
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(32);
    m_schemes = new SegmentBar;
    m_schemes->setAccessibleName(tr("Kind of positions"));
    m_schemes->setSegments({{tr("Sinusoidal"), tr("Sines and cosines are added"), true},
                            {tr("Learned"), {}, false},
                            {tr("RoPE"), tr("Queries and keys are turned"), true},
                            {tr("ALiBi"), tr("Far keys lose some of their score"), true},
                            {tr("T5"), tr("Each distance has a bucket with a trained bias"), true},
                            {tr("None"), tr("Nothing tells one place from another"), true}});
    m_formula = new FormulaWidget;
    row->addWidget(m_schemes);
    row->addWidget(m_formula, 1);
    connect(m_schemes, &SegmentBar::currentChanged, this, [this](int index) {
        m_wanted = static_cast<PositionScheme>(index);
        setScheme(*m_wanted);
    });
    return top;
}

QWidget* PositionsPage::makeControls()
{
    auto* controls = new QWidget;
    controls->setFixedWidth(190);
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    m_positionSlider = new NamedSlider(tr("Position"), QStringLiteral("p"), Role::Query);
    m_offsetSlider = new NamedSlider(tr("Offset"), QStringLiteral("k"), Role::Key);
    m_dimensionSlider = new NamedSlider(tr("Dimensions"), QStringLiteral("d"), Role::Plain);
    m_baseSlider = new NamedSlider(tr("Base"), QStringLiteral("N"), Role::Plain);
    m_dimensionSlider->setScale({4, 512, 127, true, 2, 0});
    m_baseSlider->setScale({100, 100000, 300, true, 1, 0});
    m_play = new QPushButton(tr("▶  Slide p"));
    auto* again = new QPushButton(tr("Reset"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_play);
    buttons->addWidget(again);
    buttons->addStretch();
    m_words = new QLabel;
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::RichText);
    column->addWidget(heading(tr("Try it")));
    for (QWidget* slider : {m_positionSlider, m_offsetSlider, m_dimensionSlider, m_baseSlider})
        column->addWidget(slider);
    column->addSpacing(4);
    column->addLayout(buttons);
    column->addSpacing(4);
    column->addWidget(m_words);
    column->addStretch();

    connect(m_positionSlider, &NamedSlider::numberChanged, this,
            [this](double value) { setPosition(static_cast<int>(value)); });
    connect(m_offsetSlider, &NamedSlider::numberChanged, this,
            [this](double value) { setOffset(static_cast<int>(value)); });
    connect(m_dimensionSlider, &NamedSlider::numberChanged, this,
            [this](double value) { setDimensions(static_cast<int>(value)); });
    connect(m_baseSlider, &NamedSlider::numberChanged, this, &PositionsPage::setBase);
    connect(m_play, &QPushButton::clicked, this, &PositionsPage::toggleSlide);
    connect(again, &QPushButton::clicked, this, &PositionsPage::reset);
    return controls;
}

QWidget* PositionsPage::makeRotations()
{
    auto* side = new QWidget;
    side->setFixedWidth(280);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(heading(tr("A move is a rotation")));
    auto* legend = new QHBoxLayout;
    legend->setSpacing(16);
    legend->addWidget(new TextLabel(tr("● PE(p)"), TextRole::Body, TextLabel::Tone::Accent));
    legend->addWidget(new TextLabel(tr("● PE(p+k)"), TextRole::Body, TextLabel::Tone::Key));
    legend->addStretch();
    column->addLayout(legend);
    m_clocks = new ClocksWidget;
    column->addWidget(m_clocks, 1);
    column->addWidget(new Hairline);
    auto* formula = new FormulaWidget;
    formula->setFormula(rotationFormula(), 17.0);
    column->addWidget(formula);
    m_error = new TextLabel({}, TextRole::Body, TextLabel::Tone::Ok);
    m_error->setStrong(true);
    column->addWidget(m_error);
    return side;
}

void PositionsPage::setModel(const LoadedModel& model)
{
    m_learned = learnedTable(model);
    m_modelName = QString::fromStdString(model.name);
    const QString why = model.model ? tr("%1 has no learned position table").arg(m_modelName)
                                    : tr("No model is open, so there is no learned table");
    m_schemes->setSegmentEnabled(1, !m_learned.isEmpty(), m_learned.isEmpty() ? why : QString());
    if (model.model && m_wanted.value_or(PositionScheme::Learned) == PositionScheme::Learned)
        return setScheme(m_wanted ? *m_wanted : schemeOf(model.model->config().positions));
    if (m_content.scheme != PositionScheme::Learned)
        return;
    if (m_learned.isEmpty())
        setScheme(PositionScheme::Sinusoidal);
    else
        rebuildTable();
}

void PositionsPage::setScheme(PositionScheme scheme)
{
    if (scheme == PositionScheme::Learned && m_learned.isEmpty())
        scheme = PositionScheme::Sinusoidal;
    m_content.scheme = scheme;
    m_schemes->setCurrent(static_cast<int>(scheme));
    m_pictures->setCurrentIndex(isRelative(scheme) ? 1 : 0);
    if (!isRelative(scheme))
        return rebuildTable();
    if (m_slide.isActive())
        toggleSlide();
    m_relative->refresh();
    m_formula->setFormula(schemeFormula(scheme), 17.0);
    emit contentChanged();
}

void PositionsPage::setReducedMotion(bool reduced)
{
    m_slide.setInterval(reduced ? 500 : 125);
}

void PositionsPage::rebuildTable()
{
    switch (m_content.scheme) {
    case PositionScheme::Sinusoidal:
        m_content.table = sinusoidalTable(kPositions, m_dimensions, m_content.base);
        break;
    case PositionScheme::Learned:
        m_content.table = m_learned;
        break;
    default:
        m_content.table = {kPositions, m_dimensions, {}};
        m_content.table.values.assign(static_cast<std::size_t>(kPositions) * m_dimensions, 0.0);
        break;
    }
    const int last = m_content.table.positions - 1;
    const int position = std::clamp(m_content.position, 0, last);
    m_positionSlider->setScale({0, static_cast<double>(last), last, false, 1, 0});
    const int most = std::min(kLargestOffset, last);
    m_offsetSlider->setScale({0, static_cast<double>(most), most, false, 1, 0});
    m_content.position = position;
    m_content.offset = std::clamp(m_content.offset, 0, most);
    showContent();
    showWords();
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

/// Widgets take the values; their signals of our own values change nothing.
void PositionsPage::showContent()
{
    const QSignalBlocker blocked[] = {
        QSignalBlocker(m_positionSlider), QSignalBlocker(m_offsetSlider),
        QSignalBlocker(m_dimensionSlider), QSignalBlocker(m_baseSlider)};
    m_positionSlider->setNumber(m_content.position);
    m_offsetSlider->setNumber(m_content.offset);
    m_dimensionSlider->setNumber(m_content.table.dimensions);
    m_baseSlider->setNumber(m_content.base);
    m_plot->setContent(m_content);
    const bool rotates = m_content.scheme == PositionScheme::Sinusoidal;
    m_rotations->setVisible(rotates);
    if (rotates) {
        m_clocks->setContent(m_content);
        m_rotationError = largestRotationError(m_content.table, m_content.offset, m_content.base);
        m_error->setText(tr("✓  largest error %1").arg(rotationErrorText(m_rotationError)));
        m_error->setTone(m_rotationError < 1e-6 ? TextLabel::Tone::Ok : TextLabel::Tone::Error);
    }
    emit contentChanged();
}

void PositionsPage::showWords()
{
    const Theme theme = Theme::of(*this);
    const QString words = schemeWords(m_content.scheme, m_modelName, theme);
    m_words->setFont(theme.font(TextRole::Body));
    m_words->setText(QStringLiteral("<p style=\"line-height:112%; color:%1\">%2</p>")
                         .arg(theme.text2.name(), words));
    m_formula->setFormula(schemeFormula(m_content.scheme), 17.0);
    const bool sinusoidal = m_content.scheme == PositionScheme::Sinusoidal;
    m_baseSlider->setEnabled(sinusoidal);
    m_baseSlider->setToolTip(sinusoidal ? QString() : tr("Only sines and cosines have a base"));
    m_dimensionSlider->setEnabled(sinusoidal);
    m_dimensionSlider->setToolTip(sinusoidal ? QString() : tr("This table's width is given"));
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
    m_play->setText(m_slide.isActive() ? tr("❚❚  Pause") : tr("▶  Slide p"));
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
    if (isRelative(m_content.scheme)) // its plot knows the keys
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
    if (m_words != nullptr &&
        (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange))
        showWords();
    Page::changeEvent(event);
}

void PositionsPage::hideEvent(QHideEvent* event)
{
    if (m_slide.isActive())
        toggleSlide();
    Page::hideEvent(event);
}

} // namespace headscope::ui
