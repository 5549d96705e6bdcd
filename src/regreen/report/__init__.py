"""Reports on runs: records in; tables, a picture and a page out; nothing is run or printed here."""
