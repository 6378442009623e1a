"""Why the cost of one run differs from that of another: cause by cause, input by input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from rest_framework import serializers
from rest_framework.response import Response

from capmodels.numbers import Currency
from capmodels.plans.figures.moves import why_moved
from capmodels.plans.moves import changed_inputs, moved
from capmodels.registry import get_model
from capmodels.spec import upgrade
from common.api import WorkspaceAPIView
from common.asked import asked_id
from common.errors import Conflict
from common.operations import operation
from runs import selectors
from runs.serializers import AGAINST
from studies.documents import PLAN
from studies.serializers import DocumentField

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from capmodels.spec import JSONDict
    from runs.models import Run


CHANGES_SHOWN = 200


class CauseSerializer(serializers.Serializer[Any]):
    cause = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    amount_usd = serializers.FloatField()


class ChangedInputSerializer(serializers.Serializer[Any]):
    """One input that differs; of a list or a part that came or went, what stood there."""

    cause = serializers.CharField()
    cause_label = serializers.CharField()
    pointer = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    unit = serializers.CharField(allow_blank=True)
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class RunCausesOutputSerializer(serializers.Serializer[Any]):
    """The cost that the verdicts of two runs go by, and what stands between them.

    The runs may be of two studies.
    """

    before = serializers.UUIDField()
    after = serializers.UUIDField()
    before_usd = serializers.FloatField()
    after_usd = serializers.FloatField()
    causes = CauseSerializer(many=True)
    measure = serializers.CharField(help_text="What the cost is, in words.")
    simulations_count = serializers.IntegerField(
        help_text="That the shares are of; 0 where they are as entered."
    )
    figure = DocumentField(of="Figure", help_text="The steps as a chart draws them.")
    changes = ChangedInputSerializer(
        many=True, help_text=f"Inputs that differ, at most {CHANGES_SHOWN}."
    )
    changes_count = serializers.IntegerField()


class RunCausesApi(WorkspaceAPIView):
    """What moved the cost between two runs of the plan."""

    @operation(
        "runs_causes",
        gives=RunCausesOutputSerializer,
        parameters=[AGAINST],
    )
    def get(self, request: Request, run_id: UUID) -> Any:
        """Return the causes of the change since another run; they add up to it."""
        after = selectors.run_get(run_id)
        before = selectors.run_get(asked_id(request.query_params, "against"))
        inputs = _inputs(before), _inputs(after)
        results = [orjson.loads(selectors.result_json(run)) for run in (before, after)]
        found = moved(*inputs, *results)
        figure = why_moved(found, Currency.stated(results[-1]["currency"]))
        changes = changed_inputs(*inputs)
        return Response(
            {
                "before": before.pk,
                "after": after.pk,
                "before_usd": found.before_usd,
                "after_usd": found.after_usd,
                "causes": CauseSerializer(found.causes, many=True).data,
                "measure": found.measure,
                "simulations_count": found.simulations_count,
                "figure": figure.model_dump(mode="json"),
                "changes": ChangedInputSerializer(changes[:CHANGES_SHOWN], many=True).data,
                "changes_count": len(changes),
            }
        )


def _inputs(run: Run) -> JSONDict:
    if run.model_id != PLAN:
        raise Conflict("Causes are known of comparisons of a study's designs only.")
    return upgrade(get_model(PLAN), dict(run.params), run.params_version)
