"""The networks that ship (`*.onnx`), their manifest and model card, and the checked loader."""
