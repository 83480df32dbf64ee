#include "ui/window/frame/loading_bar.h"

#include "ui/pages/shared/boxes.h"
#include "ui/session/session.h"
#include "ui/widgets/labels.h"
#include "ui/window/frame/window_texts.h"

#include <QProgressBar>
#include <QPushButton>

#include <cmath>

namespace headscope::ui {

namespace {

constexpr int kShownAfterMs = 400;
constexpr int kSteps = 1000;
constexpr int kBarWidth = 200;

} // namespace

LoadingBar::LoadingBar(Session& session, QWidget* parent)
    : QFrame(parent)
    , m_session(session)
    , m_sentence(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text, this))
    , m_bar(new QProgressBar(this))
    , m_fraction(new TextLabel({}, TextRole::Body, TextLabel::Tone::Text2, this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setProperty("role", "message");
    setAccessibleName(tr("Long-running task"));
    m_sentence->setObjectName("sentence");
    m_sentence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_bar->setRange(0, kSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(kBarWidth, 8);
    m_bar->setAccessibleName(tr("Progress"));
    m_fraction->setMinimumWidth(
        m_fraction->fontMetrics().horizontalAdvance(QStringLiteral("100 %")));
    m_cancel->setToolTip(tr("Cancel and keep the current view (Esc)"));
    auto* row = rowOf(12, {{m_sentence, 1}, m_bar, m_fraction, m_cancel}, this);
    row->setContentsMargins(24, 4, 12, 4);
    setMinimumHeight(40);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(kShownAfterMs);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        refresh();
        show();
    });
    connect(m_cancel, &QPushButton::clicked, this, &LoadingBar::cancel);
    connect(&session, &Session::busyChanged, this, &LoadingBar::follow);
    connect(&session, &Session::loadingAdvanced, this, &LoadingBar::refresh);
    connect(&session, &Session::computingAdvanced, this, &LoadingBar::follow);
    follow();
}

bool LoadingBar::isOpening() const
{
    return !m_session.models().loadingName().isEmpty();
}

void LoadingBar::cancel()
{
    if (isOpening())
        m_session.models().cancelLoading();
    else
        m_session.computation().cancel();
}

void LoadingBar::follow()
{
    if (!isOpening() && m_session.computation().fraction() == 0.0) {
        m_delay.stop();
        hide();
        return;
    }
    refresh();
    if (!isVisible() && !m_delay.isActive())
        m_delay.start();
}

void LoadingBar::refresh()
{
    if (isOpening())
        showOpening();
    else
        showFraction(tr("Computing the attention of this text"),
                     m_session.computation().fraction());
}

void LoadingBar::showOpening()
{
    const LoadedBytes& bytes = m_session.models().loadingBytes();
    const QString name = sourceName(m_session.models().loadingName());
    const auto megabytes = [](quint64 of) { return count(static_cast<long long>(of / 1'000'000)); };
    if (bytes.total > 0)
        showFraction(tr("Opening %1: %2 of %3 MB read")
                         .arg(name, megabytes(bytes.done), megabytes(bytes.total)),
                     bytes.fraction());
    else
        showFraction(tr("Opening %1").arg(name), {});
    m_sentence->setToolTip(m_session.models().loadingName());
}

/// Shows an indeterminate bar when the total is unknown.
void LoadingBar::showFraction(const QString& sentence, std::optional<double> part)
{
    m_sentence->setText(sentence);
    m_sentence->setToolTip({});
    m_bar->setVisible(part.has_value());
    m_fraction->setVisible(part.has_value());
    m_bar->setValue(static_cast<int>(std::lround(part.value_or(0.0) * kSteps)));
    m_fraction->setText(tr("%1 %").arg(static_cast<int>(part.value_or(0.0) * 100.0)));
    setAccessibleDescription(sentence);
}

} // namespace headscope::ui
