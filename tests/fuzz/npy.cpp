#include "core/io/npy.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

bool readNpy(std::string_view file)
{
    const MemoryFile stored(file);
    return accepts(stored.path().string(), [&] {
        const Tensor values = loadNpy(stored.path());
        require(values.values().size_bytes() <= file.size(), "more values than bytes of the file");
    });
}

} // namespace headscope::fuzz
