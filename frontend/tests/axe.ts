import axe from 'axe-core';

/** What axe finds wrong, as sentences. Colours need a real browser and are looked at there. */
export async function violations(container: Element): Promise<string[]> {
  const { violations: found } = await axe.run(container, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return found.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' ')}`);
}
