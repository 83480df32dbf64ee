"""A session file that one process saved shows the same numbers in another, on every page, byte for byte."""

import os
import pathlib

import desktop
from desktop import check, say, wait

TEXT = "The animal didn't cross the street because it was too tired"


def numbers_of(window, folder, prefix):
    """What "Export numbers" writes on each page; None where a page has none to write, which the window says."""
    found = {}
    for page in desktop.all_pages(window):
        desktop.go_to(window, page)
        path = folder / f"{prefix}-{len(found)}.json"
        window.answer_file_dialog("ctrl+shift+e", "Export the numbers", path, lambda: path.exists() or
                                  window.says("othing to export") or window.says("no numbers"))
        found[page] = path.read_bytes() if path.exists() else None
    return found


def changed_window(desk):
    window = desk.start("--model", "builtin:stories", "--text", TEXT, "--device", "cpu")
    window.dismiss_tour()
    window.keys("alt+2", "Escape", *["Prior"] * 3, *["shift+Prior"] * 7, "Delete")
    window.wait_for("list item", lambda name: "change 1 of 1" in name)
    window.keys("ctrl+m")
    window.wait_for("list item", lambda name: "change 2 of 2" in name)
    window.keys("Next", "shift+Next", "shift+Next")
    window.wait_for("label", "Layer 1 · Head 2")
    return window


def where(one, other):
    """The first place at which two files differ."""
    if not one or not other:
        return "one of them has none"
    place = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, place - 200):place + 40].decode()!r} and {other[max(0, place - 40):place + 40].decode()!r}"


def test(desk):
    folder = pathlib.Path(os.environ["HOME"])
    session = folder / "saved.hscope"
    window = changed_window(desk)
    window.answer_file_dialog("ctrl+s", "Save the session", session, f"Session saved to {session}")
    first = numbers_of(window, folder, "first")
    window.quit()
    with_numbers = [page for page, numbers in first.items() if numbers]
    check(len(with_numbers) >= 12, f"only {with_numbers} have numbers")

    again = desk.start(session)
    again.wait_for("list item", lambda name: "change 2 of 2" in name)
    again.wait_for("label", "Layer 1 · Head 2")
    second = numbers_of(again, folder, "second")
    again.quit()
    for page, numbers in first.items():
        check(second[page] == numbers, f"{page} has other numbers in the other process: {where(numbers, second[page])}")
    say(f"the same numbers in both: {', '.join(with_numbers)}")


desktop.main(test)
