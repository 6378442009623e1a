import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../../components/amount-field';
import { Fault } from '../../../components/fault';
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

const MOVES_BY = 'A break-even is told when it moves by more than (months)';
const MONTHS_MOST = 1200;

interface MonthsProps {
  months: number;
  disabled?: boolean;
  onChange: (months: number) => void;
}

/** How far a break-even has to move to be told. */
export function BreakEvenMonths({ months, disabled = false, onChange }: MonthsProps) {
  const [given, setGiven] = useState(months);
  return (
    <label>
      <span className="muted small">{MOVES_BY}</span>{' '}
      <span onBlur={() => given !== months && onChange(given)}>
        <AmountInput
          aria-label={MOVES_BY}
          size={6}
          disabled={disabled}
          value={given}
          unit="months"
          faultOf={(value) =>
            value >= 0 && value <= MONTHS_MOST ? null : `Enter 0 to ${MONTHS_MOST} months.`
          }
          onAmount={(value) => value !== null && setGiven(value)}
        />
      </span>
    </label>
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
      {found.data.events.includes('breakeven.moved') && (
        <BreakEvenMonths
          months={found.data.break_even_months ?? 3}
          disabled={choose.isPending}
          onChange={(break_even_months) =>
            choose.mutate({ events: found.data.events, break_even_months })
          }
        />
      )}
      <Fault of={choose} />
    </div>
  );
}
