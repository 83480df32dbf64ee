#pragma once

#include "ui/widgets/controls/segments.h"

#include <functional>

namespace headscope::ui {

class Session;

/// "A | B | B−A" of the session: shows and sets which of them is shown, and is hidden while nothing
/// is changed. B−A says why where it cannot be.
class VariantBar : public SegmentBar
{
    Q_OBJECT

public:
    explicit VariantBar(Session& session, QWidget* parent = nullptr);

    /// Why there is no difference, empty where there is one; in place of the two runs' sizes.
    void setWhyNoDifference(std::function<QString()> why);

    void setMeanings(const QString& a, const QString& b, const QString& difference);

    void refresh(); ///< where what setWhyNoDifference() says is another now

private:
    Session& m_session;
    QString m_difference; ///< what B−A means
    std::function<QString()> m_whyNoDifference;
};

} // namespace headscope::ui
