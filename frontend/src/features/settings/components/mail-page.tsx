import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { QueryState } from '../../../components/query-state';
import { dateTime } from '../../../lib/format';
import { messagesQueryOptions } from '../api/email';
import styles from './settings.module.css';

const LINK = /(https?:\/\/\S+)/;

/** A message's text with its links to follow. */
function Body({ text }: { text: string }) {
  return (
    <p className={styles.message}>
      {text.split(LINK).map((part, at) => (
        <Fragment key={at}>{LINK.test(part) ? <a href={part}>{part}</a> : part}</Fragment>
      ))}
    </p>
  );
}

/** Messages of a service without a server for mail, for who runs it. */
export function MailPage() {
  const messages = useQuery(messagesQueryOptions);
  return (
    <main className="page">
      <div className={styles.page}>
        <h1>Mail</h1>
        <p className="muted">
          This service has no server for mail: messages are kept here and printed where it was
          started. Only who runs it sees them.
        </p>
        <QueryState query={messages} minHeight={120} empty="No message yet.">
          {(rows) =>
            rows.map((row) => (
              <section key={row.sent_at + row.to} className="panel">
                <div>
                  <h2>{row.subject}</h2>
                  <p className="muted">
                    to {row.to}, {dateTime(row.sent_at)}
                  </p>
                </div>
                <Body text={row.body} />
              </section>
            ))
          }
        </QueryState>
      </div>
    </main>
  );
}
