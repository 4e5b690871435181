"""A font for the names on the overlay: one with Chinese characters if the machine has one."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

PROBE = "萬筒條東發將"
"""Characters that must be drawn, and drawn differently from each other."""
NAMES = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJK-Medium.ttc",
    "NotoSansTC-Regular.ttf",
    "NotoSansTC-Regular.otf",
    "SourceHanSansTC-Regular.otf",
    "NotoSerifCJK-Regular.ttc",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf",
    "uming.ttc",
    "PingFang.ttc",
    "STHeiti Medium.ttc",
    "STHeiti Light.ttc",
    "Hiragino Sans GB.ttc",
    "Arial Unicode.ttf",
    "msjh.ttc",
    "msyh.ttc",
    "mingliu.ttc",
    "simsun.ttc",
)
FOLDERS = {
    "linux": (
        "/usr/share/fonts",
        "/usr/local/share/fonts",
        "~/.local/share/fonts",
        "~/.fonts",
        "/mnt/c/Windows/Fonts",
    ),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
}
PACKAGES = ("cvttf_notosanscjk_regular", "font_source_han_sans_tc")
"""Font packages from the package index that are used when they are installed."""
ENVIRONMENT = "HUPAI_FONT"


@lru_cache(maxsize=1)
def chinese_font_path() -> str | None:
    """A font file that really draws Chinese, or None. `HUPAI_FONT` names one first."""
    named = os.environ.get(ENVIRONMENT)
    for path in ([Path(named)] if named else []) + _installed():
        if draws_chinese(path):
            return str(path)
    return None


def draws_chinese(path: Path) -> bool:
    """Whether the font file draws each probe character, and each differently.

    A font without a character draws the same empty box for all of them.
    """
    try:
        font = ImageFont.truetype(str(path), 24)
    except OSError:
        return False
    shapes = set()
    for character in PROBE:
        image = Image.new("L", (32, 40))
        ImageDraw.Draw(image).text((2, 2), character, 255, font=font)
        if image.getbbox() is None:
            return False
        shapes.add(image.tobytes())
    return len(shapes) == len(PROBE)


@lru_cache(maxsize=32)
def font(size_px: int, chinese: bool) -> Font:
    """A font of this size; the Chinese one if asked for and there, else Pillow's own."""
    path = chinese_font_path() if chinese else None
    if path is not None:
        return ImageFont.truetype(path, size_px)
    return ImageFont.load_default(size_px)


def _installed() -> list[Path]:
    roots = [Path(folder).expanduser() for folder in FOLDERS.get(sys.platform, FOLDERS["linux"])]
    for name in PACKAGES:
        spec = find_spec(name)
        roots += (
            [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
        )
    found: dict[str, Path] = {}
    for root in roots:
        if root.is_dir():
            for path in root.rglob("*"):
                if path.suffix.lower() in (".ttc", ".ttf", ".otf"):
                    found.setdefault(path.name, path)
    best = [found[name] for name in NAMES if name in found]
    others = [path for name, path in sorted(found.items()) if "CJK" in name and path not in best]
    return best + others
