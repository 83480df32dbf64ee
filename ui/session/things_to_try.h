#pragma once

#include "core/analysis/scores/strongest_reference.h"
#include "ui/session/selection.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>

namespace headscope::ui {

class Session;

enum class ThingToTry { ChangeWord, AblateHead, TrainModel };

/// What the first visit offers on the sample sentence: a head and a pair worth seeing, and three
/// things to try, each of them one undo step.
class ThingsToTry : public QObject
{
    Q_OBJECT

public:
    static constexpr int kCount = 3;

    explicit ThingsToTry(Session& session);

    /// True while the text is the sample sentence, with or without the changed word.
    bool isOnSample() const;

    /// True on the sample sentence until two things were tried.
    bool isOffered() const;

    bool isPossible(ThingToTry thing) const;
    void take(ThingToTry thing); ///< Does it; impossible ones are ignored.

    /// Bits of the things that were tried, for the settings.
    int tried() const { return m_tried; }

    void setTried(int bits);

    void selectAtFirst(); ///< Selects the strongest reference once it is known.
    void offerAgain();    ///< Forgets what was tried and restores the sample sentence.

    /// Strongest reference in A; none on other texts.
    const std::optional<PronounReference>& reference() const { return m_reference; }

    void selectReference();

signals:
    void changed();
    void offeredAgain();
    void trainingStarted();

private:
    void follow();
    void releaseOwnPair();
    void changeWord();
    void ablateHead();
    void trainModel();

    Session& m_session;
    std::optional<PronounReference> m_reference;
    std::optional<Selection> m_selected; ///< Selection made here.
    int m_tried = 0;
    std::string m_model;        ///< Name of the model of the last reference.
    bool m_selectsNext = false; ///< True until the first reference was selected.
};

/// ThingsToTry of a session; created on first use and destroyed with the session.
ThingsToTry& thingsToTryOf(Session& session);

} // namespace headscope::ui
