"""The conformance kit: plays cases on an implementation and on the engine, and compares them."""
