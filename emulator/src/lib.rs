//! An emulated CUDA device: a PTX interpreter that checks what it runs, behind the driver's functions.
