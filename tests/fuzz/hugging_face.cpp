#include "core/io/hugging_face/hugging_face.h"

#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/use_model.h"

namespace headscope::fuzz {

/// Two parts are config.json and model.safetensors; with a third, the second is the index and the
/// third a.safetensors.
bool readHuggingFace(std::string_view file)
{
    static const ScratchFolder folder;
    const bool isSharded = !part(file, 2, 3).empty();
    folder.put("config.json", part(file, 0, 3));
    folder.put("model.safetensors", isSharded ? std::string_view() : part(file, 1, 2));
    folder.put("model.safetensors.index.json", isSharded ? part(file, 1, 3) : std::string_view());
    folder.put("a.safetensors", part(file, 2, 3));
    const std::string where = folder.path().string();
    return accepts(where, [&] { useStoredModel(findHuggingFaceModel(folder.path())); });
}

} // namespace headscope::fuzz
