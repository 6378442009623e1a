import { useState } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton, MenuItem } from '../../../components/menu';
import { TextInput } from '../../../components/control';
import { PRESETS, type Preset } from '../presets';
import type { ArraysState, Entry } from '../types';
import { AlternativesDialog } from './alternatives';
import { ArrayForm } from './array-form';
import { ReplacesForm } from './replaces-form';
import { rebuilt } from '../rebuilt';
import type { Known } from '../use-outlooks';
import { RunForm } from './run-form';
import { SiteForm } from './site-form';
import { WorkloadForm } from './workload-form';
import styles from './arrays.module.css';

interface InputPanelProps {
  state: ArraysState;
  chosen: Entry;
  /** What is known of it, and what is wrong with it. */
  known: Known;
  onChoose: (letter: string) => void;
  onEntry: (change: Partial<Entry>) => void;
  onState: (change: Partial<ArraysState>) => void;
  /** Nothing when there is no room for another array. */
  onAdd: ((preset: Preset) => void) | null;
}

/** The panel's id, to bring it into view. */
export const INPUTS = 'array-inputs';

/** The inputs beside the drawings: of the chosen array, then those of all. */
export function InputPanel(props: InputPanelProps) {
  const { state, chosen, known, onChoose, onEntry, onState, onAdd } = props;
  const [proposed, setProposed] = useState(false);
  return (
    <aside id={INPUTS} className={styles.panel} aria-label="Inputs">
      <div className={styles.tabs}>
        {state.entries.map(({ letter }) => (
          <button
            key={letter}
            type="button"
            className={styles.tab}
            aria-pressed={letter === chosen.letter}
            aria-label={`Edit array ${letter}`}
            onClick={() => onChoose(letter)}
          >
            <DesignBadge letter={letter} />
          </button>
        ))}
        {onAdd && (
          <MenuButton icon="plus" label="Add an array" look="quiet" align="start">
            {PRESETS.map((preset) => (
              <MenuItem key={preset.id} onSelect={() => onAdd(preset)}>
                <span>
                  {preset.title}
                  <br />
                  <span className="muted small">{preset.about}</span>
                </span>
              </MenuItem>
            ))}
            <MenuItem onSelect={() => setProposed(true)}>
              Proposed elsewhere: DRPM, MAID, PDC …
            </MenuItem>
          </MenuButton>
        )}
        {proposed && onAdd && (
          <AlternativesDialog
            workload={state.workload}
            outlook={known.outlook}
            onAdd={(preset) => {
              onAdd(preset);
              setProposed(false);
            }}
            onClose={() => setProposed(false)}
          />
        )}
      </div>
      <TextInput
        aria-label={`Name of array ${chosen.letter}`}
        className={styles.title}
        value={chosen.title}
        maxLength={80}
        onChange={(event) => onEntry({ title: event.target.value })}
      />
      <ArrayForm
        key={chosen.letter}
        array={chosen.array}
        known={known}
        onChange={(array) => onEntry(rebuilt(chosen, array))}
      />
      <ReplacesForm
        key={`replaces ${chosen.letter}`}
        replaces={chosen.replaces}
        onChange={(replaces) => onEntry({ replaces })}
      />
      <WorkloadForm state={state} known={known} onChange={onState} />
      <SiteForm site={state.site} onChange={(site) => onState({ site })} />
      <RunForm state={state} onChange={onState} />
    </aside>
  );
}
