"""What plausible candidates are run on, beside the checks, to tell them apart by what they do."""
