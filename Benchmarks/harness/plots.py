"""Makes bar charts as SVG without a library, so that a changed figure changes one line."""
from xml.sax.saxutils import escape

BAR, GAP, HEAD = 18, 6, 34  # heights
LABEL, WIDTH, FIGURE = 245, 190, 70  # widths: names, longest bar, numbers
COLORS = {"reference": "#8a8f98", "ours": "#d9480f", "peer": "#4c7fb0"}


def text(x, y, words, **attributes):
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x}" y="{y}"{more}>{escape(words)}</text>'


def panel(title, bars, left, top, number):
    """One load: a bar for each server, the longest filling the width."""
    drawn = [text(left + LABEL, top + 16, title, font_weight="bold")]
    longest = max((value for _, value in bars if value), default=0)
    for place, (server, value) in enumerate(bars):
        y = top + HEAD - 8 + place * (BAR + GAP)
        drawn.append(text(left + LABEL - 8, y + 13, f"{server.title} ({server.protocol})", text_anchor="end"))
        width = round(WIDTH * value / longest, 1) if value else 0
        if value:
            drawn.append(
                f'<rect x="{left + LABEL}" y="{y}" width="{max(width, 1)}" height="{BAR}" fill="{COLORS[server.kind]}"/>')
        drawn.append(text(left + LABEL + width + 6, y + 13, number(value)))
    return drawn


def bars(title, panels, number):
    """`panels`: for each load, the servers with their figures, or None without a figure. Each panel has its own scale."""
    shown = [
        server for server in next([server for server, _ in panel] for panel in panels.values())
        if any(value for panel in panels.values() for other, value in panel if other == server)]
    across, height = LABEL + WIDTH + FIGURE, HEAD + len(shown) * (BAR + GAP) + 14
    lines = [text(12, 24, title, font_size="16", font_weight="bold")]
    for place, (name, figures) in enumerate(panels.items()):
        left, top = place % 2 * across, 36 + place // 2 * height
        lines += panel(name, [figure for figure in figures if figure[0] in shown], left, top, number)
    size = (2 * across + 10, 36 + (len(panels) + 1) // 2 * height)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}" '
        'font-family="sans-serif" font-size="12" fill="#1f2328">',
        f'<rect width="{size[0]}" height="{size[1]}" fill="#ffffff"/>', *lines, "</svg>"]) + "\n"
