#pragma once

#include "ui/pages/lens/lens_content.h"

#include <QObject>

namespace headscope::ui {

class Session;

/// What a lens reads of a session's runs, on a thread of its own. The last reading stays until a
/// newer one is there.
class LensMeasurement : public QObject
{
    Q_OBJECT

public:
    explicit LensMeasurement(Session& session, QObject* parent = nullptr);

    const LensReading& reading() const { return m_meter.reading(); }

    const Looking& shown() const { return m_shown; } ///< What the reading is of.

    bool isMeasuring() const { return m_meter.isMeasuring(); }

    double fraction() const { return m_meter.fraction(); } ///< Done of the reading under way.

    void measure(const LensChoice& choice, const TunedLensPtr& tuned);
    void cancel();

    void follow(); ///< Shown run, selection and colours of the session, which need no new reading.
    void followSelection();

signals:
    void measured();
    void advanced();

private:
    Session& m_session;
    Looking m_shown;
    Looking m_asked; ///< What the newest job is of.
    LensJob m_askedJob;
    LensMeter m_meter;
};

} // namespace headscope::ui
