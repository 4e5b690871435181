"""The trained networks, what is known of them, and the loader that checks them.

`manifest.toml` names each file with its hash, classes, input size, licence and settings chosen on
the dev split;
`card.md` is the model card. `load_session` opens a network with ONNX Runtime.
"""

from models.loader import Model, ModelError, load_session, manifest, open_session

__all__ = ["Model", "ModelError", "load_session", "manifest", "open_session"]
