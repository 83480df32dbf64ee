#include "ui/session/session_file.h"

#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

bool readSession(std::string_view file)
{
    constexpr const char* kName = "fuzz.hscope";
    return accepts(kName, [&] {
        const QByteArray bytes(file.data(), static_cast<qsizetype>(file.size()));
        const ui::SessionState state = ui::parseSession(bytes, kName);
        require(ui::parseSession(ui::sessionJson(state), kName) == state,
                "a session that reads back as another");
    });
}

} // namespace headscope::fuzz
