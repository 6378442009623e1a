export function DesignsRoute() {
  return null;
}
