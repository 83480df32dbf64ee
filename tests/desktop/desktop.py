"""A desktop of its own for one test: an X server without a screen, a window manager, a session bus with the
accessibility registry, an empty home; and Headscope on it, driven by keys and read by an AT-SPI client.

Nothing here waits for a fixed time: what is waited for is a condition, with a generous limit, because the machine may
be busy with other things."""

import atexit
import ctypes
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

PATIENCE = float(os.environ.get("HEADSCOPE_DESKTOP_PATIENCE", "120"))  # seconds for one condition


class Failed(AssertionError):
    pass


def say(text):
    print(text, flush=True)


def wait(condition, what, seconds=None):
    """The first true answer of `condition`; an accessible that went away meanwhile counts as no answer."""
    end = time.monotonic() + (seconds or PATIENCE)
    answer = None
    while True:
        try:
            answer = condition()
        except Exception as error:
            if isinstance(error, Failed):
                raise
            answer = None
        if answer:
            return answer
        if time.monotonic() > end:
            raise Failed(f"waited in vain for {what}")
        time.sleep(0.02)


def check(claim, sentence):
    if not claim:
        raise Failed(sentence)


# ------------------------------------------------------------------------------------------ processes


def children_of(parent):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def pages_of(window):
    """Names of the pages of the workspace in front."""
    return [name_of(item) for item in children(window.find("list", "Pages")) if state(item, "SELECTABLE")]


def go_to(window, page):
    """As a screen reader does: by the action of the list's entry. Returns the page's panel."""
    entry = next(item for item in children(window.find("list", "Pages"))
                 if name_of(item) == page and state(item, "SELECTABLE"))  # a heading may have the same name
    entry.get_action_iface().do_action(0)
    return window.wait_for("panel", lambda name: name == page)


def all_pages(window):
    """Yields every page's name while its workspace is in front."""
    for keys, first in (("ctrl+1", "Overview"), ("ctrl+2", "Lessons"), ("ctrl+3", "Training")):
        window.keys(keys)
        wait(lambda: first in pages_of(window), f"the workspace of {first}")
        yield from pages_of(window)


def end_all_children():
    """Ours and those that they left behind: orphans come to us, see Desktop."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        end = time.monotonic() + 5
        while time.monotonic() < end:
            ours = children_of(os.getpid())
            if not ours:
                return
            for child in ours:
                try:
                    os.kill(child, sign)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                pass
            time.sleep(0.05)


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, **options).stdout


# ------------------------------------------------------------------------------------------ the desktop


class Desktop:
    def __init__(self, headscope, size="1440x900"):
        self.headscope = headscope
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="headscope-desktop-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        atexit.register(end_all_children)
        for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(sign, lambda *_: sys.exit(1))
        self._make_environment()
        self._start_screen(size)
        self._start_buses()
        self._children = []

    def _make_environment(self):
        kept = ("PATH", "LD_LIBRARY_PATH", "POCL_AFFINITY")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        os.environ.clear()
        os.environ.update(environment)
        for name, folder in (("HOME", "home"), ("XDG_RUNTIME_DIR", "runtime"), ("TMPDIR", "tmp")):
            path = self.folder / folder
            path.mkdir(mode=0o700)
            os.environ[name] = str(path)
        os.environ.update(LC_ALL="C.UTF-8", QT_QPA_PLATFORM="xcb", QT_ACCESSIBILITY="1",
                          QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", XDG_CURRENT_DESKTOP="none")

    def _start_screen(self, size):
        reading, writing = os.pipe()
        subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size}x24", "-nolisten", "tcp",
                          "-noreset"], pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        check(number, "Xvfb did not start")
        os.environ["DISPLAY"] = ":" + number

    def _start_buses(self):
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = bus.stdout.readline().strip()
        check(address, "the session bus did not start")
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        subprocess.Popen(["openbox", "--sm-disable"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait(lambda: b"_NET_SUPPORTING_WM_CHECK" in run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
             and b"not found" not in run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), "the window manager")
        Atspi.init()
        Atspi.set_timeout(30_000, 60_000)  # ms, of one call: a busy machine takes its time
        wait(lambda: Atspi.get_desktop(0) is not None, "the accessibility registry")

    def path(self, name):
        return self.folder / name

    def command(self, *arguments):
        """Runs a subcommand of headscope and returns its output."""
        return run(self.headscope, *arguments)

    def start(self, *arguments):
        return Window(self, *arguments)

    def copy(self, text):
        """Puts a text on the clipboard, where it stays until the next."""
        holder = subprocess.Popen(["xclip", "-selection", "clipboard", "-quiet", "-in"], stdin=subprocess.PIPE,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        holder.stdin.write(text.encode())
        holder.stdin.close()
        wait(lambda: self.clipboard() == text, "the clipboard to hold the text")

    def clipboard(self):
        return run("xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING").decode()


# ------------------------------------------------------------------------------------------ accessibles


def state(accessible, name):
    return accessible.get_state_set().contains(getattr(Atspi.StateType, name))


def name_of(accessible):
    return accessible.get_name() or ""


def role_of(accessible):
    return accessible.get_role_name()


def children(accessible):
    """Cells of a table are looked up by row and column, not walked: there may be a quarter of a million."""
    count = accessible.get_child_count()
    if role_of(accessible) == "table":
        count = min(count, 4)
    for index in range(count):
        child = accessible.get_child_at_index(index)
        if child is not None:
            yield child


def everything(accessible):
    """What is on the screen, from the top down."""
    yield accessible
    for child in children(accessible):
        if state(child, "SHOWING"):
            yield from everything(child)


def described(accessible):
    return f'{role_of(accessible)} "{name_of(accessible)}"'


class Window:
    """One running Headscope."""

    def __init__(self, desktop, *arguments):
        self.desktop = desktop
        self.log = desktop.path(f"headscope-{time.monotonic_ns()}.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen([desktop.headscope, *map(str, arguments)], stdout=log, stderr=log,
                                            cwd=os.environ["HOME"])
        wait(self.root, f"headscope on the accessibility bus ({arguments})")
        self.frame = wait(lambda: self.find("frame"), "the window")
        wait(lambda: self._window_id(), "the window on the screen")
        self.wait_for_focus()

    def _alive(self):
        check(self.process.poll() is None,
              f"headscope ended ({self.process.returncode}): {self.log.read_text(errors='replace')}")

    def root(self):
        self._alive()
        all_programs = Atspi.get_desktop(0)
        for index in range(all_programs.get_child_count()):
            program = all_programs.get_child_at_index(index)
            if program is not None and program.get_process_id() == self.process.pid:
                program.set_cache_mask(Atspi.Cache.NONE)  # what was true before a key was pressed is of no use
                return program
        return None

    def _window_id(self):
        ids = run("xdotool", "search", "--onlyvisible", "--pid", self.process.pid).split()
        return ids[-1].decode() if ids else None

    def wait_for_focus(self):
        self._alive()
        wait(lambda: run("xdotool", "getactivewindow", "getwindowpid").strip() == str(self.process.pid).encode(),
             "the window to be active")

    # ---- reading

    def showing(self, role=None, name=None, inside=None):
        """Everything on the screen with this role, and a name that begins so or for which name(...) is true."""
        self._alive()
        fits = name if callable(name) else lambda text: name is None or text.startswith(name)
        for top in [inside] if inside is not None else list(children(self.root())):
            for accessible in everything(top):
                if (role is None or role_of(accessible) == role) and fits(name_of(accessible)):
                    yield accessible

    def find(self, role=None, name=None, inside=None):
        return next(self.showing(role, name, inside), None)

    def wait_for(self, role=None, name=None, inside=None):
        return wait(lambda: self.find(role, name, inside), f"{role or 'something'} {name or ''}")

    def has_focus(self, role=None, name=None):
        """Lists also mark their current entry, so more than one thing may say that it has the keyboard."""
        return any(state(it, "FOCUSED") for it in self.showing(role, name))

    def text_of(self, role, name):
        """What stands in a field."""
        field = self.find(role, name)
        return Atspi.Text.get_text(field, 0, -1) if field is not None else None

    def says(self, text):
        """A label on the screen holds the text."""
        return any(text in name_of(it) for it in self.showing("label"))

    # ---- doing

    def keys(self, *combinations):
        self._alive()
        run("xdotool", "key", "--delay", "30", *combinations)

    def type(self, text):
        """ASCII only: other letters arrive by the clipboard."""
        self._alive()
        run("xdotool", "type", "--delay", "20", text)

    def tab_to(self, role, name):
        for _ in range(40):
            if self.has_focus(role, name):
                return
            self.keys("Tab")
            before = time.monotonic()
            while time.monotonic() - before < 0.5 and not self.has_focus(role, name):
                time.sleep(0.02)
        raise Failed(f"Tab does not come to {role} {name}")

    def dismiss_tour(self):
        if self.find("frame", "Guided tour"):
            self.keys("Escape")
            wait(lambda: not self.find("frame", "Guided tour"), "the tour to end")

    def answer_file_dialog(self, combination, title, path, said):
        """Opens a file dialog by its shortcut, types a path, and waits for the window to say that it is done."""
        self.keys(combination)
        dialog = self.wait_for("dialog", title)
        self.wait_for_focus()
        wait(lambda: any(state(it, "FOCUSED") for it in self.showing("text", inside=dialog)), "the file's name")
        self.keys("ctrl+a")
        self.type(str(path))
        wait(lambda: any(Atspi.Text.get_text(it, 0, -1) == str(path) for it in self.showing("text", inside=dialog)),
             "the path in the dialog")
        self.keys("Return")
        wait(lambda: not self.find("dialog", title), f"the dialog {title} to close")
        self.wait_for_focus()
        wait(said if callable(said) else lambda: self.says(said), f"the window to say: {said}")

    def quit(self):
        self.keys("ctrl+q")
        wait(lambda: self.process.poll() is not None, "the window to close")
        check(self.process.returncode == 0, f"headscope ended with {self.process.returncode}")

    def picture(self, path):
        run("import", "-window", "root", path)


# ------------------------------------------------------------------------------------------ numbers


def load_tensors(path):
    """Names to (shape, floats) of a safetensors file, and its metadata."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        assert entry["dtype"] == "F32", name
        tensors[name] = (entry["shape"], struct.unpack_from(f"<{(end - begin) // 4}f", data, 8 + length + begin))
    return tensors, metadata


def trace(desktop, *arguments):
    """What `headscope trace` says: (tokens as the vocabulary writes them, pattern(layer, head, query, key))."""
    out = desktop.path("trace.safetensors")
    desktop.command("trace", *arguments, "--out", out)
    tensors, metadata = load_tensors(out)

    def pattern(layer, head, query, key):
        (_, queries, keys), values = tensors[f"blocks.{layer}.attn.hook_pattern"]
        return values[(head * queries + query) * keys + key]

    return json.loads(metadata["tokens"]), pattern


def main(test):
    """test(desktop): the exit status says how it went."""
    desktop = Desktop(sys.argv[1])
    try:
        test(desktop)
    except Failed as failure:
        say(f"FAILED: {failure}")
        keep = os.environ.get("HEADSCOPE_DESKTOP_PICTURE")
        if keep:
            run("import", "-window", "root", keep)
        sys.exit(1)
    say("passed")
