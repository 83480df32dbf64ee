# The words of the stories that builtin:stories learns from.
headscope_builtin_texts(headscope_core_train builtinStories resources/stories)
