import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { CatalogueList } from '../../../components/catalogue-list';
import { Segments, TextArea, TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { quantity } from '../../../lib/format';
import { typedText } from '../../../lib/units';
import type { CatalogueEntry } from '../../../lib/types';
import type { ReadSizes, TypedSizes } from '../machine-sizes';
import own from './cache-panel.module.css';

const KINDS = [
  { value: 'server', label: 'Servers' },
  { value: 'instance', label: 'Instances' },
];
const CORES: Record<string, string> = { server: 'cores_per_node_count', instance: 'vcpu_count' };

function figure(entry: CatalogueEntry, name: string): number | null {
  const value = entry.values[name]?.value;
  return typeof value === 'number' ? value : null;
}

interface LookUpProps {
  onTake: (cores: number, ramGib: number | null) => void;
  onClose: () => void;
}

/** The size of a machine of the catalogue. */
function LookUp({ onTake, onClose }: LookUpProps) {
  const [kind, setKind] = useState('server');
  return (
    <Dialog title="Size of a machine from the catalogue" width={680} onClose={onClose}>
      <Segments label="Kind" value={kind} choices={KINDS} onChange={setKind} />
      <CatalogueList
        key={kind}
        kind={kind}
        lines={(entries) =>
          entries.map((entry) => {
            const cores = figure(entry, CORES[kind] ?? '');
            const ram = figure(entry, 'ram_gib');
            return {
              key: entry.slug,
              title: entry.title,
              note: `${cores === null ? '—' : quantity(cores, kind === 'server' ? 'cores' : 'vCPU')} · ${quantity(ram, 'GiB')}`,
              onTake: cores === null ? null : () => onTake(cores, ram),
            };
          })
        }
      />
    </Dialog>
  );
}

interface WorkSizesProps {
  typed: TypedSizes;
  read: ReadSizes;
  /** Whether what is missing is said. */
  asked: boolean;
  onChange: (typed: TypedSizes) => void;
}

/** How large the machines of a trace are: entered, or looked up. */
export function WorkSizes({ typed, read: { faults }, asked, onChange }: WorkSizesProps) {
  const id = useId();
  const [looks, setLooks] = useState(false);
  const field = (name: 'cores' | 'ram', label: string, hint: string) => {
    const fault = asked || typed[name] !== '' ? faults[name] : undefined;
    return (
      <div className={own.field}>
        <label htmlFor={`${id}-${name}`}>{label}</label>
        <TextInput
          id={`${id}-${name}`}
          value={typed[name]}
          placeholder={hint}
          aria-invalid={fault ? true : undefined}
          aria-describedby={`${id}-${name}-fault`}
          onChange={(event) => onChange({ ...typed, [name]: event.target.value })}
        />
        <span id={`${id}-${name}-fault`} className="small fault">
          {fault}
        </span>
      </div>
    );
  };
  return (
    <>
      <div className={own.fields}>
        {field('cores', 'Cores per machine', '64')}
        {field('ram', 'RAM per machine, GiB', 'optional')}
        <div className={own.field}>
          <span aria-hidden="true">&nbsp;</span>
          <Button icon="book" onClick={() => setLooks(true)}>
            Look up in the catalogue
          </Button>
        </div>
      </div>
      <details>
        <summary>Machines of another size</summary>
        <div className={own.field}>
          <label htmlFor={`${id}-others`}>One machine a line: name, cores, RAM</label>
          <TextArea
            id={`${id}-others`}
            value={typed.others}
            placeholder={'db-1, 128, 2 TiB\nweb-9, 8, 32 GiB'}
            aria-invalid={faults.others.length > 0 ? true : undefined}
            aria-describedby={`${id}-others-fault`}
            onChange={(event) => onChange({ ...typed, others: event.target.value })}
          />
          <ul id={`${id}-others-fault`} className="small fault">
            {faults.others.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </div>
      </details>
      {looks && (
        <LookUp
          onClose={() => setLooks(false)}
          onTake={(cores, ram) => {
            onChange({
              ...typed,
              cores: String(cores),
              ram: ram === null ? '' : typedText(ram, 'GiB'),
            });
            setLooks(false);
          }}
        />
      )}
    </>
  );
}
