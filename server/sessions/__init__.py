"""Sessions: games that the server keeps. Only `service` knows of gRPC, the rest answers."""
