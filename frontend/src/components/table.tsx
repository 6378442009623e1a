import type { ReactNode } from 'react';
import { ActionHead } from './action-head';

interface HeadCell {
  label: ReactNode;
  key?: string;
  title?: string;
  className?: string;
}

interface TableProps {
  /** What the region is called that the keyboard scrolls. */
  label: string;
  heads?: readonly (string | HeadCell)[];
  /** Its last column holds buttons. */
  acts?: boolean;
  caption?: ReactNode;
  className?: string;
  tableClass?: string;
  /** What stands after the rows. */
  foot?: ReactNode;
  /** The rows. */
  children: ReactNode;
}

const cell = (head: string | HeadCell): HeadCell =>
  typeof head === 'string' ? { label: head } : head;

/** A table that scrolls within the page, with the heads of its columns. */
export function Table(props: TableProps) {
  const { label, heads, acts, caption, className = 'table', tableClass, foot, children } = props;
  return (
    <div className={className} tabIndex={0} role="region" aria-label={label}>
      <table className={tableClass}>
        {caption}
        {heads && (
          <thead>
            <tr>
              {heads.map(cell).map((head, at) => (
                <th key={head.key ?? at} scope="col" title={head.title} className={head.className}>
                  {head.label}
                </th>
              ))}
              {acts && <ActionHead />}
            </tr>
          </thead>
        )}
        <tbody>{children}</tbody>
        {foot}
      </table>
    </div>
  );
}
