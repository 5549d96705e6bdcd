"""llama.cpp's own HTTP server in this process: it prints its address, and serves until its standard input ends.

python llama_server.py FILE.gguf TOKENS_A_SLOT SLOTS [PORT]
"""

from __future__ import annotations

import sys

import xllamacpp


def main() -> None:
    """Serve the model that the arguments name."""
    model, tokens, slots = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    parameters = xllamacpp.CommonParams()
    parameters.model.path = model
    parameters.n_parallel = slots
    parameters.n_ctx = tokens * slots
    parameters.port = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    # Tests share their cores with sandboxes: a second thread of llama.cpp that is not scheduled stops the first one.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
