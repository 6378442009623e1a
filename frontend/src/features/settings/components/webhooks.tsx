import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip } from '../../../components/chip';
import { Fault } from '../../../components/fault';
import { Form } from '../../../components/form';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { SecretLine } from '../../../components/secret-line';
import { Table } from '../../../components/table';
import { TextField } from '../../../components/text-field';
import { dateTime } from '../../../lib/format';
import type { Delivery, Webhook, WebhookEvent } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
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
  const submit = () =>
    add.mutate(
      { url: url.trim(), events, break_even_months: months },
      { onSuccess: () => setUrl('') },
    );
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
    <Form className={styles.webhook} onSend={submit}>
      <TextField
        label="Address"
        type="url"
        required
        maxLength={lengthOf('WebhookInput.url')}
        placeholder="https://example.org/ampacity"
        value={url}
        onText={setUrl}
      />
      <EventChoice legend="Told of" chosen={events} onChoose={setEvents} />
      {events.includes('breakeven.moved') && (
        <BreakEvenMonths months={months} onChange={setMonths} />
      )}
      <Button type="submit" look="primary" disabled={add.isPending || events.length === 0}>
        Add a webhook
      </Button>
      <Fault of={add} />
    </Form>
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
    <QueryState query={deliveries} minHeight={40} empty="Nothing was sent yet.">
      {(page) => (
        <Table
          label={`Sent to ${webhook.url}`}
          className={`${styles.tokens} table`}
          heads={['Event', 'When', 'State', 'Answer']}
          acts
        >
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
        </Table>
      )}
    </QueryState>
  );
}

function Row({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  const remove = useRemoveWebhook();
  return (
    <li>
      <div className="line apart gap-8-16">
        <code className="anywhere">{webhook.url}</code>
        <span>
          <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
            What was sent
          </Button>{' '}
          <Button
            small
            look="danger"
            disabled={remove.isPending}
            ask={`Tell ${webhook.url} nothing more?`}
            onClick={() => remove.mutate(webhook.id)}
          >
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
    <Panel
      id="webhooks"
      title="Webhooks"
      about="Programs that are told of events, signed, again until they answer."
    >
      <NewWebhook />
      <QueryState query={webhooks} minHeight={40} empty="There are no webhooks.">
        {(rows) => (
          <ul className={`${styles.webhooks} stack gap-16`}>
            {rows.map((row) => (
              <Row key={row.id} webhook={row} />
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}
