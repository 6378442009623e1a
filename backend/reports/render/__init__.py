"""The document that a planner hands on: from a study's typed results to PDF, XLSX and CSV.

Nothing here touches the database. matplotlib, typst and openpyxl are imported
inside the functions that need them, so that the web process never loads them.
"""
