import { Fragment, type ReactNode } from 'react';

/** Keeps an amount and its scale on one line: $2.97 M, 29 months. */
function unbroken(text: string): string {
  return text.replaceAll(/(\d) (?=[kMBT]\b|months?\b|%)/g, '$1\u00a0');
}

/** Short parentheses stay on one line, whatever is drawn for their text: (51%). */
export function whole(text: string, drawn: (part: string) => ReactNode = (part) => part) {
  return text.split(/(\([^()]{1,12}\))/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="nowrap">
        {drawn(part)}
      </span>
    ) : (
      <Fragment key={index}>{drawn(part)}</Fragment>
    ),
  );
}

/** A sentence with `**bold**` parts, as verdicts are worded. Nothing else of Markdown is read. */
export function Rich({ text }: { text: string }) {
  const pieces = unbroken(text).split('**');
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? (
          <strong key={index}>{whole(piece)}</strong>
        ) : (
          <Fragment key={index}>{whole(piece)}</Fragment>
        ),
      )}
    </>
  );
}
