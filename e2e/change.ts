import type { APIResponse, Page } from '@playwright/test';

/** A change through the API, as the signed-in page would make it. */
export async function change(
  page: Page,
  method: string,
  path: string,
  data?: object,
): Promise<APIResponse> {
  const cookies = await page.context().cookies();
  const token = cookies.find((cookie) => cookie.name === 'csrftoken')?.value ?? '';
  return page.request.fetch(`/api/v1/${path}`, {
    method,
    data,
    headers: { 'X-CSRFToken': token, Origin: new URL(page.url()).origin },
  });
}
