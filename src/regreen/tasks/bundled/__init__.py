"""The TOML files of the benchmark that ships with Regreen: everyday code with one or two bugs planted in each piece."""
