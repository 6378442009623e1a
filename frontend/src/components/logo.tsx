/** Two lines that cross: the mark of Ampacity. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--action)" />
      <path
        d="M6 23L26 11M6 14.5c7 0 12 1.5 20 9"
        fill="none"
        stroke="var(--on-action)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <circle cx="15.2" cy="17.4" r="2.9" fill="var(--on-action)" />
    </svg>
  );
}
