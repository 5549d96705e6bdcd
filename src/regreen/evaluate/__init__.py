"""The harness: repairs cases, judges what is handed over, and keeps records that survive a crash."""
