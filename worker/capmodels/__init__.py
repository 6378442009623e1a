"""The science of Ampacity: published capacity-planning models as plain functions."""
