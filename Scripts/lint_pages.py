"""What Scripts/lint asks of the pages: the files, folders, symbols, sections and methods that they name are there."""
import re
from collections import namedtuple
from pathlib import Path

Finding = namedtuple("Finding", "path line rule message")

CODE_SPAN = re.compile(r"`([^`\s]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*```")
TOP_FOLDERS = ("Sources/", "Tests/", "Scripts/", "Proto/", "Benchmarks/", "Examples/", "docs/")
# A folder of Sources, such as `RPCServer/Calls`. A service and its method look the same: `FollowService/Follow`.
FOLDER = re.compile(r"[A-Z]\w*[a-z]\w*(/[A-Z]\w*[a-z]\w*)+/?")
# `symbol` in `File.swift`, or several symbols.
PLACE = re.compile(r"((?:`[^`\n]+`(?:,? and|,? or|,)\s+)*`[^`\n]+`)\s+in\s+`([\w+/-]+\.swift)`")
SYMBOL = re.compile(r"`\.?(\w+(?:\.\w+)*)(?:\([^`)]*\))?`")
API = "docs/api.md"
PROTO_SERVICE = re.compile(r"^service (\w+) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
PROTO_METHOD = re.compile(r"^\s*rpc (\w+)\(", re.MULTILINE)


def slug(heading):
    """The anchor that a heading of Markdown has."""
    text = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower())
    return text.replace(" ", "-")


def anchors(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return {slug(line.lstrip("#")) for line in lines if line.startswith("#")}


def prose(lines):
    """The lines of a page, numbered, without its blocks of code."""
    fenced = False
    for number, line in enumerate(lines, 1):
        if FENCE.match(line):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def check_pages(root, pages):
    """Files, folders, symbols and sections that a page names are there. A file's name alone on its line is the reader's own file."""
    files = {*tracked(root, "*.swift"), *(path.name for path in root.glob("*.swift"))}
    names = with_ends(files)
    protos = {Path(path).name for path in tracked(root, "*.proto")}
    folders = with_ends({path.relative_to(root).as_posix() for path in (root / "Sources").rglob("*") if path.is_dir()})
    methods = {f"{service}/{method}" for service, found in services(root / "Proto") for method in found}
    for path, lines in pages.items():
        if path == "CHANGELOG.md":  # it tells of files that were
            continue
        for number, line in prose(lines):
            for span in CODE_SPAN.findall(line) if not CODE_SPAN.fullmatch(line.strip()) else []:
                if re.search(r"[…*<{$]", span):
                    continue
                if span.endswith(".swift"):
                    is_there = span in names or span == "Package.swift"
                elif span.startswith(TOP_FOLDERS):
                    is_there = (root / span.partition(":")[0]).exists()
                elif FOLDER.fullmatch(span):
                    is_there = span.rstrip("/") in folders or span in methods
                else:  # A path of a .proto may be one of another project.
                    is_there = "/" in span or span == ".proto" or not span.endswith(".proto") or span in protos
                if not is_there:
                    yield Finding(path, number, "page-file", f"there is no {span}")
            for link in LINK.findall(line):
                if "://" in link or link.startswith("mailto:"):
                    continue
                file, _, anchor = link.partition("#")
                there = (root / path).parent / file if file else root / path
                if not there.exists():
                    yield Finding(path, number, "page-link", f"{link} leads nowhere")
                elif anchor and anchor not in anchors(there):
                    yield Finding(path, number, "page-link", f"{link}: no such section")
        yield from check_symbols(root, path, list(prose(lines)), files, folders)


def check_symbols(root, page, lines, files, folders):
    """A symbol that a page places in a file is a word of that file. Modules and files, which a page may name before a symbol, are no symbols."""
    text = "\n".join(line for _, line in lines)
    for place in PLACE.finditer(text):
        there = [root / file for file in files if f"/{file}".endswith(f"/{place[2]}")]
        words = {word for file in there for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
        for symbol in SYMBOL.finditer(place[1]):
            if symbol[1] in folders or symbol[1].endswith(".swift") or not there:
                continue
            if not words.issuperset(symbol[1].split(".")):
                number = lines[text.count("\n", 0, place.start() + symbol.start())][0]
                yield Finding(page, number, "page-symbol", f"{place[2]} has no {symbol[1]}")


def with_ends(paths):
    """The paths, and the ends of each."""
    return paths | {path.split("/", start)[-1] for path in paths for start in range(1, path.count("/") + 1)}


def services(folder):
    """Each service of the .proto files in a folder, with its methods."""
    for path in sorted(folder.rglob("*.proto")):
        for service, body in PROTO_SERVICE.findall(path.read_text(encoding="utf-8")):
            yield service, set(PROTO_METHOD.findall(body))


def check_methods(root, pages):
    """docs/api.md lists the methods of each service of Proto/pulseboard, and none besides."""
    told, service = {}, None
    for number, line in enumerate(pages.get(API, []), 1):
        if heading := re.match(r"\*\*`pulseboard\.[\w.]+\.(\w+)`\*\*", line):
            service = heading.group(1)
            told[service] = {}
        elif line.startswith(("#", "**")):
            service = None
        elif service and line.startswith("| `"):
            told[service].update({name: number for name in CODE_SPAN.findall(line.split("|")[1])})
    for service, methods in services(root / "Proto" / "pulseboard") if API in pages else []:
        listed = told.get(service, {})
        for name in sorted(methods - listed.keys()):
            yield Finding(API, 1, "page-method", f"the table of {service} lacks {name}")
        for name in sorted(listed.keys() - methods):
            yield Finding(API, listed[name], "page-method", f"{service} has no {name}")


def check_merges(pages):
    for path, lines in pages.items():
        for number, line in enumerate(lines, 1):
            if re.match(r"(<{7}|>{7}) ", line):
                yield Finding(path, number, "merge", "a conflict that nobody has resolved")


def tracked(root, pattern):
    """The path of every file whose name fits, whoever wrote it."""
    for folder in TOP_FOLDERS:
        for path in (root / folder).rglob(pattern):
            if ".build" not in path.parts:
                yield path.relative_to(root).as_posix()
