"""Addresses of runs, models and instant evaluation."""

from django.urls import path

from runs import apis, causes, outlook_apis, sweep_apis, tool_run_apis

urlpatterns = [
    path("evaluate", apis.EvaluateApi.as_view()),
    path("models", apis.ModelListApi.as_view()),
    path("models/<str:model_id>", apis.ModelApi.as_view()),
    path("models/<str:model_id>/checks", apis.ModelChecksApi.as_view()),
    path("papers", apis.PaperListApi.as_view()),
    path("papers/<str:paper_id>", apis.PaperApi.as_view()),
    path("studies/<uuid:study_id>/tool-runs", tool_run_apis.ToolRunListApi.as_view()),
    path("studies/<uuid:study_id>/tool-runs/<uuid:run_id>", tool_run_apis.ToolRunApi.as_view()),
    path("studies/<uuid:study_id>/growth", tool_run_apis.StudyGrowthApi.as_view()),
    path("studies/<uuid:study_id>/purchase-plan", tool_run_apis.StudyPurchaseApi.as_view()),
    path("studies/<uuid:study_id>/designs/planned", tool_run_apis.StudyPlannedDesignApi.as_view()),
    path("studies/<uuid:study_id>/outlook", outlook_apis.StudyOutlookApi.as_view()),
    path("outlooks", outlook_apis.OutlookListApi.as_view()),
    path("outlooks/<uuid:outlook_id>", outlook_apis.OutlookApi.as_view()),
    path("outlooks/<uuid:outlook_id>/cancel", outlook_apis.OutlookCancelApi.as_view()),
    path("studies/<uuid:study_id>/sweep-inputs", sweep_apis.StudySweepInputsApi.as_view()),
    path("sweeps", sweep_apis.SweepListApi.as_view()),
    path("sweeps/<uuid:sweep_id>", sweep_apis.SweepApi.as_view()),
    path("sweeps/<uuid:sweep_id>/cancel", sweep_apis.SweepCancelApi.as_view()),
    path("sweeps/<uuid:sweep_id>/resume", sweep_apis.SweepResumeApi.as_view()),
    path("sweeps/<uuid:sweep_id>/points", sweep_apis.SweepPointsApi.as_view()),
    path("sweeps/<uuid:sweep_id>/rows.parquet", sweep_apis.SweepRowsApi.as_view()),
    path("runs", apis.RunListApi.as_view()),
    path("runs/<uuid:run_id>", apis.RunApi.as_view()),
    path("runs/<uuid:run_id>/cancel", apis.RunCancelApi.as_view()),
    path("runs/<uuid:run_id>/again", apis.RunAgainApi.as_view()),
    path("runs/<uuid:run_id>/compare", apis.RunCompareApi.as_view()),
    path("runs/<uuid:run_id>/causes", causes.RunCausesApi.as_view()),
    path("runs/<uuid:run_id>/result", apis.RunResultApi.as_view()),
    path("runs/<uuid:run_id>/result.csv", apis.RunCsvApi.as_view()),
    path("runs/<uuid:run_id>/focus.csv", apis.RunFocusApi.as_view()),
    path("runs/<uuid:run_id>/orders.csv", apis.RunOrdersCsvApi.as_view()),
    path("runs/<uuid:run_id>/orders.xlsx", apis.RunOrdersXlsxApi.as_view()),
    path("runs/<uuid:run_id>/result.bin", apis.RunBinApi.as_view()),
]
