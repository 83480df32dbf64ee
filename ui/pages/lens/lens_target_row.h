#pragma once

#include "ui/pages/lens/lens_content.h"

#include <QWidget>

class QLineEdit;

namespace headscope::ui {

class LensMeasurement;
class SegmentBar;
class Session;
class TextLabel;

/// Target token of the lens: one of two kinds, or a typed one; with a note about the target or the
/// progress.
class LensTargetRow : public QWidget
{
    Q_OBJECT

public:
    LensTargetRow(Session& session, LensMeasurement& measurement, QWidget* parent = nullptr);

    void choose(LensTarget target);
    void refresh(const LensReadout& readout);

signals:
    void targetChosen(headscope::ui::LensTarget target);
    void noteChanged(); ///< Emitted when the typed text is not a token; the target stays.

private:
    void setUpKinds();
    void chooseKind(LensTarget::Kind kind);
    void chooseTyped();
    QString noteFor(const LensReadout& readout) const;

    Session& m_session;
    LensMeasurement& m_measurement;
    TokenId m_id = 0;    ///< Token of the target, also while another kind is selected.
    QString m_typedNote; ///< Note about the last typed text.
    SegmentBar* m_kind;
    QLineEdit* m_token;
    TextLabel* m_note;
};

} // namespace headscope::ui
