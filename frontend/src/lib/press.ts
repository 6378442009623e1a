const ENDS = ['mouseup', 'dragend'] as const;
let isWatched = false;
let isPressed = false;

/** From now on presses are known of, for `afterPress`. */
export function watchPresses(): void {
  if (isWatched) return;
  isWatched = true;
  addEventListener('mousedown', () => (isPressed = true), { capture: true });
  for (const end of ENDS) addEventListener(end, () => (isPressed = false), { capture: true });
}

/**
 * Does something once no button of the pointer is down, and the press has had its effect.
 *
 * What leaves the page between the press and the release moves what is under the pointer away:
 * the browser then sees no click.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act();
    return;
  }
  const first = new AbortController();
  for (const end of ENDS) {
    addEventListener(
      end,
      () => {
        first.abort();
        setTimeout(act);
      },
      { capture: true, signal: first.signal },
    );
  }
}
