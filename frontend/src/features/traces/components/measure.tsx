import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { useMeasure, type Measured } from '../api/traces';
import styles from './traces.module.css';

type Origin = Measured['origin'];
type Values = Record<string, string>;

interface Field {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
  type?: 'password' | 'datetime-local';
}

const SPAN: Field[] = [
  { name: 'since', label: 'From', type: 'datetime-local' },
  { name: 'until', label: 'To', type: 'datetime-local' },
];
const FIELDS: Record<Origin, Field[]> = {
  prometheus: [
    { name: 'address', label: 'Address', hint: 'https://prometheus.example.org' },
    {
      name: 'query',
      label: 'Query: CPU in use, by machine',
      hint: '1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5m]))',
    },
    ...SPAN,
    { name: 'token', label: 'Bearer token, if needed', type: 'password', optional: true },
  ],
  cloudwatch: [
    { name: 'region', label: 'Region', hint: 'eu-west-1' },
    { name: 'namespace', label: 'Namespace', hint: 'AWS/EC2', optional: true },
    { name: 'metric', label: 'Metric', hint: 'CPUUtilization', optional: true },
    { name: 'dimension', label: 'One series for each', hint: 'InstanceId', optional: true },
    ...SPAN,
    { name: 'access_id', label: 'Access key' },
    { name: 'secret', label: 'Secret key', type: 'password' },
    { name: 'token', label: 'Session token, if any', type: 'password', optional: true },
  ],
};
const ORIGINS = [
  { value: 'prometheus', label: 'Prometheus' },
  { value: 'cloudwatch', label: 'CloudWatch' },
] as const;
const STEPS = [
  { value: '60', label: '1 minute' },
  { value: '300', label: '5 minutes' },
  { value: '3600', label: '1 hour' },
];

/** What is sent: what was filled in, times as moments. */
function said(fields: readonly Field[], values: Values): Values {
  const filled = fields.flatMap(({ name, type }) => {
    const text = values[name]?.trim();
    if (!text) return [];
    return [[name, type === 'datetime-local' ? new Date(text).toISOString() : text] as const];
  });
  return Object.fromEntries(filled);
}

/** Has the server read measurements by API, window by window; they become a trace. */
export function Measure({ onOpen }: { onOpen: (id: string) => void }) {
  const [origin, setOrigin] = useState<Origin>('prometheus');
  const [values, setValues] = useState<Values>({});
  const [step, setStep] = useState('300');
  const measure = useMeasure();
  const fields = FIELDS[origin];
  const missing = fields.some(({ name, optional }) => !optional && !values[name]?.trim());
  const start = () =>
    measure.mutate(
      { origin, body: { ...said(fields, values), step_s: Number(step) } } as Measured,
      { onSuccess: ({ id }) => onOpen(id) },
    );
  return (
    <details className={styles.measure}>
      <summary>Read from Prometheus or CloudWatch</summary>
      <form
        className={styles.fields}
        aria-label="Measurements by API"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label>
          Read from
          <Select
            choices={ORIGINS}
            value={origin}
            onChange={({ target }) => setOrigin(target.value as Origin)}
          />
        </label>
        {fields.map(({ name, label, hint, type }) => (
          <label key={name}>
            {label}
            <TextInput
              type={type}
              autoComplete="off"
              placeholder={hint}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues((now) => ({ ...now, [name]: target.value }))}
            />
          </label>
        ))}
        <label>
          Step
          <Select choices={STEPS} value={step} onChange={({ target }) => setStep(target.value)} />
        </label>
        <div className={styles.send}>
          <Button type="submit" disabled={missing || measure.isPending}>
            Read measurements
          </Button>
          <Fault of={measure} />
        </div>
      </form>
      <p className="muted small">
        Keys and tokens are kept encrypted until the reading ends, or is cancelled, and then
        removed. Addresses of a private network need the operator’s leave.
      </p>
    </details>
  );
}
