"""The house itself: that the code keeps to its own style, and that what the docs say is so."""
