import type { Currency } from '../../../lib/format';
import { labelOf, valueText } from '../../../lib/labels';
import type { Json } from '../../../lib/pointer';
import { schemaAt, type JsonSchema } from '../../../lib/schema';
import styles from './designs.module.css';

export interface DifferenceLine {
  pointer: string;
  before: unknown;
  after: unknown;
}

interface DifferenceListProps {
  lines: readonly DifferenceLine[];
  heads: [before: string, after: string];
  schema: JsonSchema | undefined;
  root: JsonSchema;
  document: Json | undefined;
  currency: Currency;
}

/** Places at which two documents differ, by the names that the form gives them. */
export function DifferenceList(props: DifferenceListProps) {
  const { lines, heads, schema, root, document, currency } = props;
  const place = (pointer: string) => pointer.replace(/^\/spec(?=\/)/, '');
  return (
    <table className={`${styles.diff} table full`}>
      <thead>
        <tr>
          <th scope="col">Input</th>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => {
          const at = place(line.pointer);
          const field = schema && schemaAt(schema, root, document, at);
          return (
            <tr key={line.pointer}>
              <th scope="row">{schema ? labelOf(schema, root, document, at) : at}</th>
              <td>{valueText(line.before, field?.unit, currency)}</td>
              <td>{valueText(line.after, field?.unit, currency)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
