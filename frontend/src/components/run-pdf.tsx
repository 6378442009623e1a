import { Fault } from './fault';
import type { JsonObject } from '../lib/pointer';
import { useRunPdf } from '../lib/run-pdf';
import { Button, buttonClass } from './button';
import { Icon } from './icon';

interface RunPdfProps {
  model: string;
  params: JsonObject;
}

/** The PDF of an answer: drawn when asked for, then there to be saved. */
export function RunPdf(asked: RunPdfProps) {
  // A PDF of other inputs is not offered for these.
  return <Offered key={JSON.stringify(asked)} {...asked} />;
}

function Offered({ model, params }: RunPdfProps) {
  const pdf = useRunPdf();
  if (pdf.data) {
    return (
      <a className={buttonClass({ small: true })} href={pdf.data} download>
        <Icon name="download" size={14} />
        Save the PDF
      </a>
    );
  }
  return (
    <>
      <Button
        small
        icon="report"
        disabled={pdf.isPending}
        onClick={() => pdf.mutate({ model, params })}
      >
        {pdf.isPending ? 'Drawing …' : 'PDF'}
      </Button>
      <Fault of={pdf} small />
    </>
  );
}
