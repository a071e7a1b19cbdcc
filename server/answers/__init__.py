"""What each call answers: pure functions from a request message to response messages.

The service and the command line call the same ones, so both say the same. Bad input raises
`TruthsayerError`. Nothing here knows of gRPC, and nothing opens a file of the caller's.
"""
