#pragma once

#include <span>
#include <string_view>

namespace headscope::fuzz {

/// One target a loader: gives it a file of these bytes and then uses what came of it, as the
/// program does. True when the file was accepted. A file may be refused by a headscope::Error, in
/// one sentence that names the file; throws std::logic_error for another sentence, or where what
/// came of a file contradicts itself. Every other exception is a fault of the loader and passes.
struct Target
{
    const char* name; ///< of the program, its seeds and its dictionary
    bool (*read)(std::string_view file);
};

bool readSafetensors(std::string_view file);
bool readGguf(std::string_view file);
bool readHuggingFace(std::string_view file); ///< parts of a folder, see part()
bool readCheckpoint(std::string_view file);
bool readTrace(std::string_view file);
bool readNpy(std::string_view file);
bool readTokenizerJson(std::string_view file);
bool readVocabulary(std::string_view file); ///< vocab.txt, or vocab.json and merges.txt as parts
bool readSentencePiece(std::string_view file);
bool encodeText(std::string_view text);
bool renderTemplate(std::string_view source);
bool readModelConfig(std::string_view file);
bool readTrainingConfig(std::string_view file);
bool readLesson(std::string_view file);
bool readSession(std::string_view file); ///< links Qt, so it stands apart

/// All but the session's.
std::span<const Target> targets();

} // namespace headscope::fuzz
