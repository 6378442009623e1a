import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../lib/problem';
import type { WebhookEvent } from '../../../lib/types';
import { emailQueryOptions, mailedEventsQueryOptions, useChooseMailedEvents } from '../api/email';
import { EVENTS } from './event-words';
import styles from './settings.module.css';

interface ChoiceProps {
  legend: string;
  chosen: readonly WebhookEvent[];
  disabled?: boolean;
  onChoose: (events: WebhookEvent[]) => void;
}

/** Which events of the workspace somebody, or a program, is told of. */
export function EventChoice({ legend, chosen, disabled = false, onChoose }: ChoiceProps) {
  const toggle = (value: WebhookEvent) =>
    onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
  return (
    <fieldset className={styles.group}>
      <legend className="muted small">{legend}</legend>
      {EVENTS.map(({ value, label }) => (
        <label key={value}>
          <input
            type="checkbox"
            disabled={disabled}
            checked={chosen.includes(value)}
            onChange={() => toggle(value)}
          />{' '}
          {label}
        </label>
      ))}
    </fieldset>
  );
}

/** The events that one is mailed; none until one chooses. */
export function MailedEvents() {
  const email = useQuery(emailQueryOptions);
  const found = useQuery(mailedEventsQueryOptions);
  const choose = useChooseMailedEvents();
  if (!email.data?.mail || !found.data) return null;
  return (
    <div>
      <EventChoice
        legend="Mail me when, in this workspace"
        chosen={found.data.events}
        disabled={choose.isPending}
        onChoose={(events) => choose.mutate({ events })}
      />
      {choose.isError && (
        <p className={styles.fault} role="alert">
          {messageOf(choose.error)}
        </p>
      )}
    </div>
  );
}
