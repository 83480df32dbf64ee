#pragma once

#include "ui/pages/attribution/attribution_content.h"

#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class AttributionMeasurement;
class ChoiceBox;
class SegmentBar;
class Session;
class VariantBar;

/// Target token, contrast token, variant, and order of the contributions.
class AttributionControls : public QWidget
{
    Q_OBJECT

public:
    AttributionControls(Session& session, AttributionMeasurement& measurement,
                        QWidget* parent = nullptr);

    void refresh(); ///< Updates everything except the token lists.
    void refreshTokens(const AttributionContent& content);

signals:
    void messageWanted(const QString& sentence);

private:
    void setUpTokens();
    void connectWidgets();
    void chooseTyped();
    std::optional<TokenId> tokenNamed(const QString& text) const;
    QString mostLikelyText(const AttributionContent& content) const;

    Session& m_session;
    AttributionMeasurement& m_measurement;
    ChoiceBox* m_token;
    ChoiceBox* m_other;
    QLineEdit* m_typed;
    VariantBar* m_variant;
    SegmentBar* m_order;
};

} // namespace headscope::ui
