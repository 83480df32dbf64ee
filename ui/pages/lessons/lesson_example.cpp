#include "ui/pages/lessons/lesson_example.h"

#include "core/lessons/lesson_numbers.h"
#include "core/lessons/listings/listing.h"
#include "ui/pages/shared/boxes.h"
#include "ui/pages/shared/listings/listing_panel.h"
#include "ui/pages/shared/stages/example_stage.h"
#include "ui/widgets/style/theme.h"
#include "ui/widgets/text/string_list.h"

#include <QKeyEvent>
#include <QPushButton>

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr int kLeastExample = 360; // Width beside a program, in logical pixels.
constexpr int kProgramGap = 24;

} // namespace

LessonExample::LessonExample(QWidget* parent)
    : QWidget(parent)
    , m_stage(new ExampleStage(this))
    , m_code(new QPushButton(tr("&Code"), this))
    , m_listing(new ListingPanel(this))
{
    m_code->setObjectName("show-code");
    m_code->setToolTip(tr("Show this calculation as a program, in C++ or PyTorch"));
    m_code->setCheckable(true);
    m_stage->addButton(*m_code);
    m_listing->layout()->setContentsMargins(0, 0, 0, 0);
    m_listing->hide();
    rowOf(kProgramGap, {{m_stage, 1}, m_listing}, this);
    layout()->setSizeConstraint(QLayout::SetNoConstraint); // narrower than both: see place()
    connect(m_code, &QPushButton::clicked, this, [this](bool on) {
        showCode(on);
        if (on)
            m_listing->focusMain();
    });
    connect(m_listing, &ListingPanel::closeWanted, this, [this] {
        showCode(false);
        m_code->setFocus(Qt::OtherFocusReason);
    });
    connect(m_listing, &ListingPanel::matrixChosen, this, [this](const QString& name) {
        if (isCodeShown())
            m_stage->highlight(name.isEmpty() ? m_highlighted : QStringList(name));
    });
    connect(m_stage, &ExampleStage::stepped, this, &LessonExample::followListing);
    connect(m_stage, &ExampleStage::changed, this, &LessonExample::followListing);
}

void LessonExample::showStep(const LessonStep& step)
{
    m_highlighted = stringList(step.highlight);
    m_stage->setPlaying(false);
    m_stage->setState(exampleState(step.state));
    m_stage->hideControls(stringList(step.hide));
    m_stage->highlight(m_highlighted);
    const bool hasCode = !listingsOfExample(m_stage->state().inputs.example).empty();
    m_code->setVisible(hasCode);
    if (m_code->isHidden())
        showCode(false);
    else
        followListing();
}

bool LessonExample::isCodeShown() const
{
    return !m_listing->isHidden();
}

void LessonExample::showCode(bool on)
{
    m_code->setChecked(on);
    m_listing->setVisible(on);
    if (on)
        followListing();
    else
        m_stage->highlight(m_highlighted);
    place();
}

void LessonExample::followListing()
{
    if (!isCodeShown())
        return;
    m_listing->showExample(QString::fromStdString(m_stage->state().inputs.example));
    m_listing->setState(m_stage->state());
}

/// Both side by side where they fit.
void LessonExample::place()
{
    const int example = std::max(qRound(kLeastExample * Theme::of(*this).scale()),
                                 m_stage->minimumSizeHint().width());
    const int both = m_listing->minimumWidth() + kProgramGap + example;
    m_stage->setVisible(!isCodeShown() || width() >= both);
}

/// Either one fits.
QSize LessonExample::minimumSizeHint() const
{
    const QSize example = m_stage->minimumSizeHint();
    return isCodeShown() ? example.expandedTo(m_listing->minimumSizeHint().expandedTo(
                               {m_listing->minimumWidth(), 0}))
                         : example;
}

void LessonExample::focusMain()
{
    if (m_stage->isHidden())
        m_listing->focusMain();
    else
        m_stage->setFocus(Qt::OtherFocusReason);
}

void LessonExample::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void LessonExample::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !isCodeShown())
        return QWidget::keyPressEvent(event);
    showCode(false);
    m_code->setFocus(Qt::OtherFocusReason);
}

} // namespace headscope::ui
