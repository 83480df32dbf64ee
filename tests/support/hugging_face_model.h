#pragma once

#include "core/base/progress.h"
#include "core/io/hugging_face/hugging_face.h"

namespace headscope::test {

/// The model in a folder, with every weight looked at: none may be infinite or no number.
inline Model loadHuggingFaceModel(const std::filesystem::path& folder)
{
    const StoredModel model = findHuggingFaceModel(folder);
    Progress progress;
    requireFinite(model, readNumbers(model, progress));
    return makeModel(model);
}

} // namespace headscope::test
