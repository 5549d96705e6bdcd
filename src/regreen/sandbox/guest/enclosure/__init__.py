"""The wall around a server and its children: namespaces, mounts, Landlock, seccomp, identity, limits and the guard."""
