#include "ui/pages/shared/maps/attributed_source.h"

#include <algorithm>

namespace headscope::ui {

namespace {

constexpr std::size_t kRemembered = 6;

} // namespace

AttributedSource::AttributedSource(std::function<void()> changed) : m_changed(std::move(changed)) {}

AttributedSource::Key AttributedSource::keyOf(const ViewSnapshot& view,
                                              const AttributedChoice& choice)
{
    return {choice,    view.a, view.b, view.modelA.model, view.modelB.model, view.selection.part,
            view.shown};
}

void AttributedSource::want(const ViewSnapshot& view, const AttributedChoice& choice)
{
    if (!isAttributed(choice.kind)) { // a key would keep the traces in memory
        m_task.cancel();
        m_wanted.reset();
        m_runs = {};
        return;
    }
    const Key key = keyOf(view, choice);
    if (m_wanted == key)
        return;
    m_task.cancel();
    m_wanted = key;
    m_runs = {};
    const auto known = std::find_if(m_made.begin(), m_made.end(),
                                    [&key](const Made& made) { return made.key == key; });
    if (known != m_made.end())
        m_runs = known->runs;
    else if (view.trace())
        make(view, key);
}

void AttributedSource::make(const ViewSnapshot& view, const Key& key)
{
    m_fraction = 0.0;
    m_task.start(
        [this, view, choice = key.choice](const LatestTask::Control& control) {
            const auto tell = [&](double fraction) {
                control.tell([this, fraction] {
                    m_fraction = fraction;
                    m_changed();
                });
            };
            return attributedRuns(view, choice, control.stop(), tell);
        },
        [this, key](const AttributedRuns& runs) {
            m_made.push_front({key, runs});
            if (m_made.size() > kRemembered)
                m_made.pop_back();
            m_runs = runs;
            m_changed();
        });
}

} // namespace headscope::ui
