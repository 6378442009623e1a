const PATHS = {
  plus: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.2 3.2L13 5',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  chevronLeft: 'M10 4l-4 4 4 4',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  download: 'M8 2.5v7.5M5 7.5l3 3 3-3M2.5 13.5h11',
  upload: 'M8 10.5V3M5 5.5l3-3 3 3M2.5 13.5h11',
  table: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6',
  chart: 'M2.5 2.5v11h11M5 10l2.5-3.5L10 8l3-4.5',
  share: 'M6.5 9.5l3-3M7 5l2-2a2.8 2.8 0 0 1 4 4l-2 2M9 11l-2 2a2.8 2.8 0 0 1-4-4l2-2',
  report: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3M6 8.5h4M6 11h4',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.4v.6',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 7.2V11M8 5v.3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3l3.2 3.2',
  reset: 'M3 3v3.5h3.5M3.3 6.5A5 5 0 1 1 3 9',
  undo: 'M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H6.5',
  redo: 'M10 3l3 3-3 3M13 6H7a4 4 0 0 0 0 8h2.5',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  user: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M3 13.5c.6-2.4 2.6-3.5 5-3.5s4.4 1.1 5 3.5',
  sliders: 'M2.5 5h6M12.5 5h1M2.5 11h1M7.5 11h6M8.5 3.2v3.6h4V3.2zM3.5 9.2v3.6h4V9.2z',
  history: 'M3 3v3h3M3.2 6A5.3 5.3 0 1 1 2.7 9M8 5.2V8l2 1.4',
  diff: 'M5 2.5v5M2.5 5h5M8.5 11h5M13 3L3 13',
  book: 'M3 3h4a1.5 1.5 0 0 1 1 1v9a1.5 1.5 0 0 0-1-1H3zM13 3H9a1.5 1.5 0 0 0-1 1v9a1.5 1.5 0 0 1 1-1h4z',
  cloudOff:
    'M4.5 12.5h7a2.6 2.6 0 0 0 1.3-4.9M5 5.6A3.8 3.8 0 0 1 11.4 7M4 7a2.8 2.8 0 0 0 .5 5.5M2.5 2.5l11 11',
} as const;

export type IconName = keyof typeof PATHS;

/** A 16 px line icon; decoration only, so the button around it carries the name. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
