#pragma once

#include "ui/pages/qk/qk_content.h"
#include "ui/pages/shared/page.h"
#include "ui/pages/shared/page_descriptor.h"

namespace headscope::ui {

class EmptyState;
class QkWidget;
class SegmentBar;
class TextLabel;
class VariantBar;

/// One query against its keys: vectors, products channel by channel, and every step from the
/// product to the weight.
class QkPage : public Page
{
    Q_OBJECT

public:
    explicit QkPage(Session& session);

    static PageDescriptor descriptor();

    Figure figure() const override;
    QJsonObject options() const override;
    void setOptions(const QJsonObject& options) override;
    QString hint() const override;
    MaybeNumber numberAt(std::optional<QPoint> place) const override;
    bool escape() override;

protected:
    void refresh(ChangeSet changes) override;

private:
    void moveQuery(int step);

    TextLabel* m_title;
    TextLabel* m_note;
    VariantBar* m_variant;
    SegmentBar* m_order;
    QkWidget* m_table;
    EmptyState* m_empty;
    QkOptions m_options;
};

} // namespace headscope::ui
