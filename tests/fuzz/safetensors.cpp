#include "core/io/safetensors/safetensors_file.h"
#include "core/io/safetensors/stored_tensor.h"
#include "tests/fuzz/promise.h"
#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

namespace {

constexpr const char* kName = "fuzz.safetensors";

/// Touches every value that the file promises, so that a sanitizer sees a lie.
void use(const StoredTensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elementCount());
    require(tensor.toFloats().size() == count, "a tensor of another size than its shape says");
    require(tensor.toDoubles().size() == count, "a tensor of another size than its shape says");
    accepts({}, [&] { tensor.toIntegers(); });
    accepts({}, [&] { tensor.toTensor(); });
}

} // namespace

bool readSafetensors(std::string_view file)
{
    return accepts(kName, [&] {
        const SafetensorsFile read = SafetensorsFile::fromMemory(bytesOf(file), kName);
        std::size_t bytes = 0;
        for (const auto& [name, tensor] : read.tensors()) {
            bytes += tensor.bytes.size();
            use(tensor);
        }
        require(bytes <= file.size(), "more bytes in tensors than in the file");
    });
}

} // namespace headscope::fuzz
