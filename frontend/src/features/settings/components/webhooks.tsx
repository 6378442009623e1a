import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ActionHead } from '../../../components/action-head';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { QueryState } from '../../../components/query-state';
import { SecretLine } from '../../../components/secret-line';
import { dateTime } from '../../../lib/format';
import type { Delivery, Webhook, WebhookEvent } from '../../../lib/types';
import {
  deliveriesQueryOptions,
  useAddWebhook,
  useRemoveWebhook,
  useSendAgain,
  webhooksQueryOptions,
} from '../api/webhooks';
import { EVENTS } from './event-words';
import { BreakEvenMonths, EventChoice } from './events';
import styles from './settings.module.css';

const LABELS = Object.fromEntries(EVENTS.map(({ value, label }) => [value, label]));

function NewWebhook() {
  const add = useAddWebhook();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<WebhookEvent[]>(EVENTS.map(({ value }) => value));
  const [months, setMonths] = useState(3);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { url: url.trim(), events, break_even_months: months },
      { onSuccess: () => setUrl('') },
    );
  };
  if (add.data) {
    return (
      <SecretLine
        title="This secret signs what is sent. It is shown this once."
        secret={add.data.secret}
        onDone={() => add.reset()}
      />
    );
  }
  return (
    <form className={styles.webhook} onSubmit={submit}>
      <label>
        <span className="muted small">Address</span>
        <TextInput
          type="url"
          required
          maxLength={500}
          placeholder="https://example.org/ampacity"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </label>
      <EventChoice legend="Told of" chosen={events} onChoose={setEvents} />
      {events.includes('breakeven.moved') && (
        <BreakEvenMonths months={months} onChange={setMonths} />
      )}
      <Button type="submit" look="primary" disabled={add.isPending || events.length === 0}>
        Add a webhook
      </Button>
      <Fault of={add} />
    </form>
  );
}

function StateChip({ row }: { row: Delivery }) {
  if (row.ended_at === null) return <Chip tone="warning">being sent</Chip>;
  return row.delivered ? <Chip tone="good">taken</Chip> : <Chip tone="bad">given up</Chip>;
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const deliveries = useQuery(deliveriesQueryOptions(webhook.id));
  const again = useSendAgain(webhook.id);
  return (
    <QueryState
      query={deliveries}
      minHeight={40}
      isEmpty={(page) => page.results.length === 0}
      empty="Nothing was sent yet."
    >
      {(page) => (
        <div
          className={styles.tokens}
          tabIndex={0}
          role="region"
          aria-label={`Sent to ${webhook.url}`}
        >
          <table>
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">When</th>
                <th scope="col">State</th>
                <th scope="col">Answer</th>
                <ActionHead />
              </tr>
            </thead>
            <tbody>
              {page.results.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{LABELS[row.event] ?? row.event}</th>
                  <td>{dateTime(row.created_at)}</td>
                  <td>
                    <StateChip row={row} />
                  </td>
                  <td className={styles.answer} title={row.answer}>
                    {row.status ?? ''} {row.answer}
                  </td>
                  <td>
                    {row.ended_at !== null && (
                      <Button small disabled={again.isPending} onClick={() => again.mutate(row.id)}>
                        Send again
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </QueryState>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const remove = useRemoveWebhook();
  const ask = () => {
    if (confirm(`Tell ${webhook.url} nothing more?`)) remove.mutate(webhook.id);
  };
  return (
    <li>
      <div className={styles.line}>
        <code className={styles.url}>{webhook.url}</code>
        <span>
          <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
            What was sent
          </Button>{' '}
          <Button small look="danger" disabled={remove.isPending} onClick={ask}>
            Remove
          </Button>
        </span>
      </div>
      <span className="muted small">
        {webhook.events.map((event) => LABELS[event] ?? event).join(', ')}
      </span>
      {open && <Deliveries webhook={webhook} />}
    </li>
  );
}

/** Programs that are told of events, for the owners. */
export function Webhooks() {
  const webhooks = useQuery(webhooksQueryOptions);
  return (
    <section className={styles.panel} aria-labelledby="webhooks-title">
      <div>
        <h2 id="webhooks-title">Webhooks</h2>
        <p className="muted">Programs that are told of events, signed, again until they answer.</p>
      </div>
      <NewWebhook />
      <QueryState
        query={webhooks}
        minHeight={40}
        isEmpty={(rows) => rows.length === 0}
        empty="There are no webhooks."
      >
        {(rows) => (
          <ul className={styles.webhooks}>
            {rows.map((row) => (
              <Row key={row.id} webhook={row} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}
