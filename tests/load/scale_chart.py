#!/usr/bin/env python3
"""Draws docs/pictures/scale.svg from the table in docs/SCALE.md: seconds of CPU beside the number of adverts, both on
logarithmic axes.

    tests/load/scale_chart.py
"""

import math
import pathlib
import re

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
COLOURS = ["#1b6ca8", "#c0392b", "#2e7d32", "#8e44ad", "#b9770e"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 380, 60, 50, 20, 220
SIZES = [10_000, 100_000, 1_000_000]
LEAST, MOST = 0.05, 1_000


def rows(text):
    for line in text.splitlines():
        named = re.match(r"\| (.*), s of CPU \| ([\d.,]+) \| ([\d.,]+) \| ([\d.,]+) \|", line)
        if named:
            yield named[1].replace("`", ""), [float(it.replace(",", "")) for it in named.groups()[1:]]


def x(adverts):
    share = math.log10(adverts / SIZES[0]) / math.log10(SIZES[-1] / SIZES[0])
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def y(seconds):
    share = math.log10(seconds / LEAST) / math.log10(MOST / LEAST)
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)


def chart(text):
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for seconds in [0.1, 1, 10, 100, 1_000]:
        parts.append(f'<path d="M{LEFT} {y(seconds):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(seconds) + 4:.1f}" text-anchor="end">{seconds:,} s</text>')
    for adverts in SIZES:
        parts.append(f'<path d="M{x(adverts):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#dddddd"/>')
        parts.append(f'<text x="{x(adverts):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{adverts:,}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">adverts</text>')
    for colour, (name, values) in zip(COLOURS, rows(text)):
        points = [f"{x(adverts):.1f} {y(value):.1f}" for adverts, value in zip(SIZES, values)]
        parts.append(f'<path d="M{"L".join(points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{y(values[-1]) + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


(DOCS / "pictures" / "scale.svg").write_text(chart((DOCS / "SCALE.md").read_text()))
