"""The evaluation harness: repairs cases, judges the patches, and keeps records that survive a crash."""
