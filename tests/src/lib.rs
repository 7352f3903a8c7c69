//! Tests of Ptyx that need several of its packages.
