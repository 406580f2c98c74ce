"""`python -m calverify` is the `calverify` command."""

from calverify.cli import main

main()
