"""The parts of a report, one a file; `reports.render.registry` names them in their order."""
