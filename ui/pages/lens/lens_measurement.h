#pragma once

#include "ui/pages/lens/lens_content.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// Lens readings of a session's traces, computed on a separate thread. The last reading is kept
/// until a newer one is available.
class LensMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit LensMeasurement(Session& session, QObject* parent = nullptr);

    const LensReadingPtr& reading() const { return m_meter.reading(); }

    const ViewSnapshot& shown() const { return m_shown; } ///< View of the reading.

    bool isMeasuring() const { return m_meter.isMeasuring(); }

    /// Completed fraction of the current reading.
    double fraction() const { return m_meter.fraction(); }

    void measure(const LensChoice& choice, const TunedLensPtr& tuned);
    void cancel();

    /// Follows the session's variant, selection and colours, which need no new reading.
    void follow();
    void followSelection();

signals:
    void measured();
    void advanced();

private:
    Session& m_session;
    ViewSnapshot m_shown;
    ViewSnapshot m_asked; ///< View of the newest job.
    LensJob m_askedJob;
    LensMeter m_meter;
};

} // namespace headscope::ui
