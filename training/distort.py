"""What cameras do to a picture: light, colour, blur, noise, compression. Geometry is not touched
here."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


def light(picture: Picture, rng: np.random.Generator, strength: float = 1.0) -> Picture:
    """Exposure, contrast, gamma, white balance and saturation drawn at random; same shape out."""
    steps = np.linspace(0.0, 1.0, 256)[:, None]
    gamma = np.exp(rng.normal(0.0, 0.25 * strength))
    gain = np.exp(rng.normal(0.0, 0.18 * strength))
    balance = np.exp(rng.normal(0.0, 0.08 * strength, 3))
    curve = np.power(steps, gamma) * gain * balance * 255.0
    if rng.random() < 0.4:
        middle, contrast = rng.uniform(60, 200), rng.uniform(0.5, 1.2)
        curve = middle + (curve - middle) * contrast
    out = cv2.LUT(picture, np.clip(curve, 0, 255).astype(np.uint8).reshape(1, 256, 3))
    if rng.random() < 0.5:
        colour = rng.uniform(0.3, 1.5)
        out = cv2.transform(out, colour * np.eye(3) + (1.0 - colour) / 3.0)
    if rng.random() < 0.3:
        out = cv2.multiply(out, cv2.merge([_gradient(out.shape[:2], rng)] * 3), dtype=cv2.CV_8U)
    return np.asarray(out, dtype=np.uint8)


def hue(picture: Picture, rng: np.random.Generator, degrees: float) -> Picture:
    """Turn the hue by up to ``degrees`` of 360 either way."""
    hsv = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    shift = round(rng.uniform(-degrees, degrees) / 2)
    hsv[..., 0] = ((hsv[..., 0].astype(np.int16) + shift) % 180).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), dtype=np.uint8)


def inverted(picture: Picture) -> Picture:
    """Light where it was dark and the other way round, every hue as it was."""
    extremes = picture.max(axis=2, keepdims=True).astype(np.int16) + picture.min(
        axis=2, keepdims=True
    )
    return np.asarray(picture + (255 - extremes), dtype=np.uint8)


def blur(picture: Picture, rng: np.random.Generator, most_px: float) -> Picture:
    """Defocus or motion blur of at most ``most_px`` pixels."""
    size = rng.uniform(0.3, most_px)
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), size / 2 + 0.1), dtype=np.uint8)
    length = max(3, round(size * 2) | 1)
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1.0
    turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), rng.uniform(0, 180), 1.0)
    kernel = cv2.warpAffine(line, turn, (length, length))
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1e-6)), dtype=np.uint8)


def noise(picture: Picture, rng: np.random.Generator, most: float = 14.0) -> Picture:
    """Sensor noise with a deviation of at most ``most`` grey levels, of colour or of brightness."""
    deviation = rng.uniform(1.0, most)
    cv2.setRNGSeed(int(rng.integers(2**31)))
    planes = [np.empty(picture.shape[:2], np.int16) for _ in range(3 if rng.random() < 0.5 else 1)]
    for plane in planes:
        cv2.randn(plane, np.zeros(1), np.full(1, deviation))
    grain = cv2.merge(planes * (3 // len(planes)))
    return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), dtype=np.uint8)


def compress(picture: Picture, rng: np.random.Generator, worst: int = 25) -> Picture:
    """JPEG at a quality between ``worst`` and 95."""
    quality = int(rng.integers(worst, 96))
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def shrink(picture: Picture, rng: np.random.Generator, least_px: int) -> Picture:
    """Lose resolution: down to between ``least_px`` and the full width, and up again."""
    height, width = picture.shape[:2]
    small = int(np.exp(rng.uniform(np.log(min(least_px, width)), np.log(width))))
    small_height = max(4, round(height * small / width))
    down = cv2.resize(picture, (small, small_height), interpolation=cv2.INTER_AREA)
    way_up = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(down, (width, height), interpolation=way_up), dtype=np.uint8)


def glare(picture: Picture, rng: np.random.Generator) -> Picture:
    """One soft bright spot."""
    height, width = picture.shape[:2]
    spot = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
    centre = (int(rng.uniform(0, width / 4)), int(rng.uniform(0, height / 4)))
    axes = (int(width * rng.uniform(0.012, 0.07)) + 1, int(height * rng.uniform(0.008, 0.05)) + 1)
    cv2.ellipse(spot, centre, axes, rng.uniform(0, 180), 0, 360, rng.uniform(40, 200), -1)
    spot = cv2.resize(cv2.GaussianBlur(spot, (0, 0), max(width, height) * 0.012), (width, height))
    return np.asarray(cv2.add(picture, cv2.merge([spot] * 3), dtype=cv2.CV_8U), dtype=np.uint8)


def camera(
    picture: Picture, rng: np.random.Generator, *, least_px: int, most_blur_px: float
) -> Picture:
    """The whole chain, each step by chance, in the order in which a camera does them."""
    if rng.random() < 0.9:
        picture = light(picture, rng)
    if rng.random() < 0.3:
        picture = hue(picture, rng, 12)
    if rng.random() < 0.12:
        picture = glare(picture, rng)
    if rng.random() < 0.35:
        picture = blur(picture, rng, most_blur_px)
    if rng.random() < 0.45:
        picture = shrink(picture, rng, least_px)
    if rng.random() < 0.4:
        picture = noise(picture, rng)
    if rng.random() < 0.4:
        picture = compress(picture, rng)
    return picture


def _gradient(shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """A linear fall of light over the picture, down to between 0.45 and 0.9."""
    height, width = shape
    angle = rng.uniform(0, 2 * np.pi)
    x = np.cos(angle) * (np.arange(width, dtype=np.float32) / width - 0.5)
    y = np.sin(angle) * (np.arange(height, dtype=np.float32) / height - 0.5)
    low = rng.uniform(0.45, 0.9)
    return np.asarray(1.0 + (x[None, :] + y[:, None] - 0.2) * (1.2 - low), np.float32)
