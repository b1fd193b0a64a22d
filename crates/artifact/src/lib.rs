//! Keys, single flight and the seam to artifact stores.
