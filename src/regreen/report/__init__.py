"""What people are shown of records: records in, renderables out; nothing is run or printed here."""
