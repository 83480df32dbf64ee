#pragma once

#include "ui/widgets/controls/segments.h"

#include <functional>

namespace headscope::ui {

class Session;

/// Selector "A | B | B−A" of the session: shows and sets the shown variant; hidden without changes.
/// B−A gives the reason where it is not defined.
class VariantBar : public SegmentBar
{
    Q_OBJECT

public:
    explicit VariantBar(Session& session, QWidget* parent = nullptr);

    /// Sets why there is no difference, empty where there is one; replaces the check of the two
    /// traces' sizes.
    void setWhyNoDifference(std::function<QString()> why);

    void setMeanings(const QString& a, const QString& b, const QString& difference);

    void refresh(); ///< Call when the reason of setWhyNoDifference() may have changed.

signals:
    void left(); ///< Emitted when the bar has the keyboard focus and is about to disappear.

private:
    Session& m_session;
    QString m_difference; ///< Meaning of B−A.
    std::function<QString()> m_whyNoDifference;
};

} // namespace headscope::ui
