#include "ui/pages/shared/maps/attributed_source.h"

#include "core/base/error.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr std::size_t kRemembered = 6;

} // namespace

AttributedSource::AttributedSource(std::function<void()> changed) : m_changed(std::move(changed)) {}

AttributedSource::~AttributedSource()
{
    m_stop.request_stop();
}

AttributedSource::Key AttributedSource::keyOf(const Looking& looking,
                                              const AttributedChoice& choice)
{
    return {choice,
            looking.a,
            looking.b,
            looking.modelA.model,
            looking.modelB.model,
            looking.selection.part,
            looking.shown};
}

void AttributedSource::want(const Looking& looking, const AttributedChoice& choice)
{
    const Key key = keyOf(looking, choice);
    if (m_wanted == key)
        return;
    m_stop.request_stop();
    m_stop = {};
    m_wanted = key;
    m_runs = {};
    m_waits = false;
    const auto known = std::find_if(m_made.begin(), m_made.end(),
                                    [&key](const Made& made) { return made.key == key; });
    if (known != m_made.end())
        m_runs = known->runs;
    else if (isAttributed(choice.kind) && looking.trace())
        make(looking, key);
}

void AttributedSource::make(const Looking& looking, const Key& key)
{
    m_waits = true;
    m_fraction = 0.0;
    m_thread.run([this, looking, key, stop = m_stop.get_token()] {
        const auto tell = [&](double fraction) {
            m_path.send([this, fraction, stop] {
                if (stop.stop_requested())
                    return;
                m_fraction = fraction;
                m_changed();
            });
        };
        try {
            if (stop.stop_requested())
                return;
            AttributedRuns runs = attributedRuns(looking, key.choice, stop, tell);
            m_path.send([this, key, runs = std::move(runs), stop] {
                if (stop.stop_requested())
                    return;
                m_made.push_front({key, runs});
                if (m_made.size() > kRemembered)
                    m_made.pop_back();
                m_runs = runs;
                m_waits = false;
                m_changed();
            });
        } catch (const Cancelled&) {
            return; // something else is wanted
        }
    });
}

} // namespace headscope::ui
