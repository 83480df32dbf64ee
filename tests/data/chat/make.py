#!/usr/bin/env python3
"""Renders every template of this folder with every chat of chats.json by transformers' own renderer and writes
expected.json: {template: {chat: text, or null where rendering ends in an error}}.

    python3 -m venv peer && peer/bin/pip install transformers jinja2
    peer/bin/python tests/data/chat/make.py

The templates are our own, written for this test: each uses what a widely used format uses (ChatML, [INST] with a
system text, headers with tools, namespaces with a reasoning part, <tool_call> blocks, turns of a model, channels with
typed signatures), and one goes through signs, methods and filters. Made with transformers 5.24.0 and jinja2 3.1.6.
"""
import datetime
import json
import pathlib

from transformers.utils import chat_template_utils

HERE = pathlib.Path(__file__).resolve().parent
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
NOW = 1764201600  # what the test sets as the time


class FixedDate(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc)


def rendered(source, chat):
    variables = {key: value for key, value in chat.items() if key not in ("messages", "tools", "add_generation_prompt")}
    try:
        texts, _ = chat_template_utils.render_jinja_template(
            conversations=[chat["messages"]], tools=chat.get("tools"), chat_template=source,
            add_generation_prompt=chat.get("add_generation_prompt", True), **variables, **TOKENS)
        return texts[0]
    except Exception:  # whatever the template or the renderer refuses
        return None


def main():
    chat_template_utils.datetime = FixedDate
    chats = json.loads((HERE / "chats.json").read_text())
    expected = {}
    for path in sorted(HERE.glob("*.jinja")):
        expected[path.stem] = {name: rendered(path.read_text(), chat) for name, chat in chats.items()}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
