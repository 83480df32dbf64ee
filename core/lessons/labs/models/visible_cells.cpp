#include "core/lessons/labs/models/visible_cells.h"

#include "core/model/model.h"
#include "core/train/measures/pattern_keeper.h"

#include <numeric>

namespace headscope {

namespace {

using Cells = std::vector<double>;

ModelConfig shrunk(ModelConfig config)
{
    config.vocabularySize = 16;
    config.dModel = 16;
    config.heads = 2;
    config.keyHeads = 0;
    config.layers = 1;
    config.decoderLayers = 0;
    config.dFf = 16;
    config.maxLen = 512;
    return config;
}

Cells cellsOf(const PatternKeeper& keeper)
{
    const Tensor& pattern = keeper.patterns.front();
    const TensorView head = pattern.view()[0];
    Cells cells;
    for (std::int64_t query = 0; query < head.shape[0]; ++query)
        for (std::int64_t key = 0; key < head.shape[1]; ++key)
            cells.push_back(head(query, key) > 0.0F ? 1.0 : 0.0);
    return cells;
}

} // namespace

std::int64_t VisibleCells::count(const std::vector<double>& cells)
{
    return static_cast<std::int64_t>(std::reduce(cells.begin(), cells.end()));
}

VisibleCells visibleCells(const ModelConfig& config, std::int64_t source, std::int64_t target,
                          AttentionBackend& backend)
{
    const Model model = Model::initialised(shrunk(config), 1);
    const std::vector<TokenId> sourceIds(static_cast<std::size_t>(source), 1);
    const std::vector<TokenId> targetIds(static_cast<std::size_t>(target), 1);
    VisibleCells masks;
    KvCache cache(model.config());
    PatternKeeper own(Site::Pattern);
    if (config.architecture == Architecture::Encoder) {
        model.forward(sourceIds, backend, cache, &own);
        masks.encoder = cellsOf(own);
        return masks;
    }
    if (config.isEncoderDecoder()) {
        PatternKeeper encoder(Site::Pattern);
        ForwardOptions options;
        options.observer = &encoder;
        model.encode(sourceIds, backend, cache, options);
        masks.encoder = cellsOf(encoder);
        KvCache again = cache;
        PatternKeeper cross(Site::CrossPattern);
        model.forward(targetIds, backend, again, &cross);
        masks.cross = cellsOf(cross);
    }
    model.forward(targetIds, backend, cache, &own);
    masks.decoder = cellsOf(own);
    return masks;
}

} // namespace headscope
