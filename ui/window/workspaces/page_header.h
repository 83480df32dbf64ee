#pragma once

#include "ui/pages/shared/page_descriptor.h"

namespace headscope::ui {

class SegmentBar;
class TextLabel;

/// The title of the page in front, beside it the one question that it answers, and at the end the
/// switch between its modes.
class PageHeader : public QWidget
{
    Q_OBJECT

public:
    explicit PageHeader(QWidget* parent = nullptr);

    void show(const PageDescriptor& shown, const Page& page); ///< `shown`: the page, or its mode

signals:
    void modeChosen(const QString& name);

private:
    TextLabel* m_title;
    TextLabel* m_question;
    SegmentBar* m_modes;
    QStringList m_names; ///< Names of the modes on the switch
};

} // namespace headscope::ui
