# The words of the stories that builtin:stories learns from.
headscope_builtin_texts(headscope_core_train builtinStories resources/stories)
# The grammar of the phrase book.
headscope_builtin_texts(headscope_core_train builtinPhrases resources/phrases)
