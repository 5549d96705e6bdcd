"""What the graphs that ask a model share: state, nodes, prompts that fit, checkpoints."""
