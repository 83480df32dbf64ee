#include "ui/workers/forward/freed_elsewhere.h"

#include "ui/workers/tasks/task_thread.h"

#include <utility>

namespace headscope::ui {

namespace {

constexpr std::size_t kLarge = std::size_t{16} << 20;

TaskThread& disposal()
{
    static TaskThread thread;
    return thread;
}

} // namespace

TracePtr freedElsewhere(TracePtr trace)
{
    if (!trace || trace->byteCount() < kLarge)
        return trace;
    const Trace* const shown = trace.get();
    return {shown, [owner = std::move(trace)](const Trace*) mutable {
                disposal().run([last = std::move(owner)]() mutable { last.reset(); });
            }};
}

} // namespace headscope::ui
