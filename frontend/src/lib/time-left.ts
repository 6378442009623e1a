/** How long work still takes, in words; nothing where that is not known. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 1) return 'less than a second left';
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s left` : `${Math.ceil(whole / 60)} min left`;
}
