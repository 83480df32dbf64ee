#include "tests/fuzz/targets.h"

namespace headscope::fuzz {

std::span<const Target> targets()
{
    static constexpr Target kTargets[] = {
        {"safetensors", readSafetensors},
        {"gguf", readGguf},
        {"hugging_face", readHuggingFace},
        {"checkpoint", readCheckpoint},
        {"trace", readTrace},
        {"npy", readNpy},
        {"tokenizer_json", readTokenizerJson},
        {"vocabulary", readVocabulary},
        {"sentencepiece", readSentencePiece},
        {"bpe_encode", encodeText},
        {"chat_template", renderTemplate},
        {"model_config", readModelConfig},
        {"training_config", readTrainingConfig},
        {"lesson", readLesson},
    };
    return kTargets;
}

} // namespace headscope::fuzz
