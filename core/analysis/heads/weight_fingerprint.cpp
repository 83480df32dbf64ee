#include "core/analysis/heads/weight_fingerprint.h"

#include "core/base/random.h"
#include "core/model/weights/lazy_parameters.h"

#include <algorithm>
#include <bit>

namespace headscope {

namespace {

constexpr std::int64_t kRows = 8;

class Mixer
{
public:
    void add(std::uint64_t value) { m_state = mixBits(m_state ^ value); }

    void add(std::span<const float> values)
    {
        for (const float value : values)
            add(std::uint64_t{std::bit_cast<std::uint32_t>(value + 0.0F)}); // one zero, not two
    }

    std::uint64_t value() const { return m_state; }

private:
    std::uint64_t m_state = 0;
};

/// One row of a matrix, without unpacking the others of a stored one.
std::vector<float> rowOf(const Model& model, std::size_t index, std::int64_t row)
{
    const ParameterSpec& spec = model.parameters().specs()[index];
    std::vector<float> values(static_cast<std::size_t>(spec.shape.back()));
    const LazyParameters* stored = model.parameters().stored();
    if (stored == nullptr) {
        const TensorView view = model.parameters().view(spec);
        std::copy_n(view.data + row * spec.shape.back(), values.size(), values.begin());
    } else if (!stored->parameter(index).isAbsent()) { // absent ones are zeros
        unpackRow(stored->parameter(index), row, values);
    }
    return values;
}

} // namespace

std::uint64_t weightFingerprint(const Model& model)
{
    Mixer mixer;
    for (const WeightEdit& edit : model.edits()) // perhaps of a row that is not among the eight
        for (const char letter : toString(edit))
            mixer.add(static_cast<unsigned char>(letter));
    const auto& specs = model.parameters().specs();
    for (std::size_t index = 0; index < specs.size(); ++index) {
        const ParameterSpec& spec = specs[index];
        for (const char letter : spec.name)
            mixer.add(static_cast<unsigned char>(letter));
        for (int axis = 0; axis < spec.shape.rank(); ++axis)
            mixer.add(static_cast<std::uint64_t>(spec.shape[axis]));
        if (spec.shape.rank() != 2) {
            const TensorView view = model.parameters().view(spec);
            mixer.add({view.data, static_cast<std::size_t>(spec.shape.elementCount())});
            continue;
        }
        const std::int64_t rows = std::min(spec.shape[0], kRows);
        for (std::int64_t i = 0; i < rows; ++i)
            mixer.add(rowOf(model, index, rows == 1 ? 0 : i * (spec.shape[0] - 1) / (rows - 1)));
    }
    model.parameters().requireUnchanged();
    return mixer.value();
}

} // namespace headscope
