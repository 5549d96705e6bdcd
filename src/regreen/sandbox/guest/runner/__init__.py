"""Running programs and checks inside the sandbox: the guest, the judge, shared mode and the screener."""
