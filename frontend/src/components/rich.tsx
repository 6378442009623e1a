import { Fragment } from 'react';

/** A sentence with `**bold**` parts, as verdicts are worded. Nothing else of Markdown is read. */
export function Rich({ text }: { text: string }) {
  const pieces = text.split('**');
  return (
    <>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? (
          <strong key={index}>{piece}</strong>
        ) : (
          <Fragment key={index}>{piece}</Fragment>
        ),
      )}
    </>
  );
}
