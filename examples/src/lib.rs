//! Programs that show how to use Ptyx.
