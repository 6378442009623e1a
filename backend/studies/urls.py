"""Addresses of studies and designs."""

from django.urls import path

from studies import apis, pack_apis, step_apis

urlpatterns = [
    path("studies", apis.StudyListApi.as_view()),
    path("studies/import", apis.StudyImportApi.as_view()),
    path("studies/propose", apis.StudyProposeApi.as_view()),
    path("studies/tags", step_apis.StudyTagListApi.as_view()),
    path("studies/templates", apis.StudyTemplateListApi.as_view()),
    path("studies/<uuid:study_id>", apis.StudyApi.as_view()),
    path("studies/<uuid:study_id>/document", apis.StudyDocumentApi.as_view()),
    path("studies/<uuid:study_id>/copy", apis.StudyCopyApi.as_view()),
    path("studies/<uuid:study_id>/undo", step_apis.StudyUndoApi.as_view()),
    path("studies/<uuid:study_id>/redo", step_apis.StudyRedoApi.as_view()),
    path("studies/<uuid:study_id>/prices", step_apis.StudyPricesApi.as_view()),
    path("studies/<uuid:study_id>/pack", pack_apis.StudyPackApi.as_view()),
    path("studies/<uuid:study_id>/export", apis.StudyExportApi.as_view()),
    path("studies/<uuid:study_id>/baseline-csv", apis.BaselineCsvApi.as_view()),
    path("studies/<uuid:study_id>/designs", apis.DesignListApi.as_view()),
    path("studies/<uuid:study_id>/designs/propose", apis.DesignProposeApi.as_view()),
    path("studies/<uuid:study_id>/designs/explored", apis.DesignExploredApi.as_view()),
    path("studies/<uuid:study_id>/explore", apis.StudyExploreApi.as_view()),
    path("designs", apis.AllDesignsApi.as_view()),
    path("designs/<uuid:design_id>", apis.DesignApi.as_view()),
    path("designs/<uuid:design_id>/copy", apis.DesignCopyApi.as_view()),
    path("designs/<uuid:design_id>/versions", apis.DesignVersionListApi.as_view()),
    path("designs/<uuid:design_id>/diff", apis.DesignDiffApi.as_view()),
]
