"""What keeps a program from deciding its own checks, where both share a process."""
