export function ReportRoute() {
  return null;
}
