import type { Drive } from '../../../lib/drives';
import { fittedRows } from '../calibration';
import styles from './traces.module.css';

/** What was fitted, beside what the data sheet says. */
export function Parameters({ sheet, fitted }: { sheet: Drive; fitted: Drive }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Fitted parameters">
      <table>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col" className={styles.number}>
              Data sheet
            </th>
            <th scope="col" className={styles.number}>
              Fitted
            </th>
          </tr>
        </thead>
        <tbody>
          {fittedRows(sheet, fitted).map((row) => (
            <tr key={row.label}>
              <td>{row.label}</td>
              <td className={styles.number}>{row.sheet}</td>
              <td className={styles.number}>{row.fitted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
