//! Czech addresses: reading them, normalising them, finding them on the map
