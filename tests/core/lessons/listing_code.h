#pragma once

#include "core/base/random.h"
#include "resources/listings/listing.h"

#include <functional>
#include <map>
#include <numbers>
#include <string>
#include <utility>

// The C++ of every listing, each in a namespace of its own: what stops to compile, or to compute the
// numbers of its example, fails a test.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wunused-function"

namespace headscope::listing {

namespace soft_dictionary {
#include "resources/listings/soft-dictionary.cpp"
}

namespace dot_product {
#include "resources/listings/attention.cpp"
}

namespace masks {
#include "resources/listings/masks.cpp"
}

namespace multi_head {
#include "resources/listings/multi-head.cpp"
}

namespace positions {
#include "resources/listings/positions.cpp"
}

namespace rotary {
#include "resources/listings/rotary.cpp"
}

namespace score_variance {
#include "resources/listings/score-variance.cpp"
}

namespace layer_norm {
#include "resources/listings/layer-norm.cpp"
}

namespace block {
#include "resources/listings/block.cpp"
}

namespace decoder_layer {
#include "resources/listings/decoder-layer.cpp"
}

namespace model {
#include "resources/listings/model.cpp"
}

namespace training {
#include "resources/listings/training.cpp"
}

namespace cached_attention {
#include "resources/listings/cached-attention.cpp"
}

namespace cross_entropy {
#include "resources/listings/cross-entropy.cpp"
}

namespace adamw {
#include "resources/listings/adamw.cpp"
}

namespace flash {
#include "resources/listings/flash.cpp"
}

namespace sampling {
#include "resources/listings/sampling.cpp"
}

namespace alibi {
#include "resources/listings/alibi.cpp"
}

namespace bpe {
#include "resources/listings/bpe.cpp"
}

namespace recurrent {
#include "resources/listings/recurrent.cpp"
}

namespace word_score {
#include "resources/listings/bleu.cpp"
}

namespace word_vectors {
#include "resources/listings/word-vectors.cpp"
}

} // namespace headscope::listing

#pragma GCC diagnostic pop
