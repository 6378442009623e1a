"""What every app's addresses give alike."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class FaultSerializer(serializers.Serializer[Any]):
    """One thing that is wrong, at a JSON pointer."""

    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()
