#include "ui/pages/shared/variant_bar.h"

#include "ui/session/session.h"

#include <QApplication>

#include <utility>

namespace headscope::ui {

VariantBar::VariantBar(Session& session, QWidget* parent) : SegmentBar(parent), m_session(session)
{
    setAccessibleName(tr("Variant"));
    m_whyNoDifference = [&session] {
        const ViewSnapshot view = session.viewSnapshot();
        return !view.b || view.isComparable()
                   ? QString()
                   : tr("A and B have different numbers of tokens, layers or heads, so B\u2212A "
                        "is not defined");
    };
    setMeanings(tr("As trained"), tr("With your changes"), tr("Effect of your changes"));
    connect(this, &SegmentBar::currentChanged, &session.view(),
            [&session](int index) { session.view().setShownVariant(static_cast<Variant>(index)); });
    for (const auto signal :
         {&Session::changesChanged, &Session::selectionChanged, &Session::traceChanged})
        connect(&session, signal, this, &VariantBar::refresh);
}

void VariantBar::setWhyNoDifference(std::function<QString()> why)
{
    m_whyNoDifference = std::move(why);
    refresh();
}

void VariantBar::setMeanings(const QString& a, const QString& b, const QString& difference)
{
    m_difference = difference;
    setSegments({{tr("A"), a}, {tr("B"), b}, {tr("B\u2212A"), difference}});
    refresh();
}

void VariantBar::refresh()
{
    const bool changed = !m_session.changes().empty();
    if (!changed && isAncestorOf(QApplication::focusWidget()))
        emit left();
    setVisible(changed);
    setCurrent(static_cast<int>(m_session.view().shownVariant()));
    if (!changed)
        return;
    const QString why = m_whyNoDifference();
    setSegmentEnabled(2, why.isEmpty(), why.isEmpty() ? m_difference : why);
}

} // namespace headscope::ui
