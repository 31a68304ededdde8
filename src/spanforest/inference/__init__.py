"""Inference: the distribution over a space, and every question asked of it."""
