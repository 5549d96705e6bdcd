# -*- coding: utf-8 -*-
"""Grüße für Änne und Jörg."""

TITEL = {"w": "Frau", "m": "Herr"}


def anrede(name, geschlecht):
    vorname, nachname = name.split(" ")
    return f"{TITEL[geschlecht]} {vorname}"


def gruß(name, geschlecht):
    return f"Grüß Gott, {anrede(name, geschlecht)}!"
