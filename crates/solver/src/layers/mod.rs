//! Layers that answer cheap questions, one a file.
