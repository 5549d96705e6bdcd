"""The user's whole project in the sandbox: its folder, its imports, its tests."""
