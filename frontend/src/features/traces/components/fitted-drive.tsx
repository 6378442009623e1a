import { useId, useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import type { Asked, Drive } from '../../../lib/drives';
import type { CalibrationAnswer, RecordedAnswer } from '../calibration';
import own from './cache-panel.module.css';
import { KeepDrive } from './keep-drive';
import { Answer } from './told';

interface FittedDriveProps {
  id: string;
  answer: CalibrationAnswer | RecordedAnswer;
  sheet: Drive;
  /** What the trace is called that it was fitted to. */
  trace: string;
  /** Requests that it was measured with, where they are known. */
  asked?: readonly { label: string; asked: Asked }[];
  onUse: UseDrive;
}

/** Takes a drive to the array designer, with what it was asked or without. */
export type UseDrive = (drive: Drive, asked?: Asked) => void;

/** How well a fitted drive does, and a way to take it to an array. */
export function FittedDrive({ id, answer, sheet, trace, asked = [], onUse }: FittedDriveProps) {
  const [chosen, setChosen] = useState('');
  const field = useId();
  const named = { ...answer.drive, name: `${sheet.name}, calibrated` };
  return (
    <>
      <Answer id={id} of={answer} />
      <div className={own.choices}>
        {asked.length > 0 && (
          <>
            <label htmlFor={field}>Requests</label>
            <Select
              id={field}
              value={chosen}
              choices={[
                { value: '', label: 'The page’s own' },
                ...asked.map(({ label }) => ({ value: label, label: `${label}, as measured` })),
              ]}
              onChange={(event) => setChosen(event.target.value)}
            />
          </>
        )}
        <Button
          look="primary"
          icon="plus"
          onClick={() => onUse(named, asked.find(({ label }) => label === chosen)?.asked)}
        >
          Use in an array
        </Button>
        <KeepDrive
          key={JSON.stringify(answer.drive)}
          drive={named}
          sheet={sheet}
          trace={trace}
          told={answer.headline}
        />
      </div>
    </>
  );
}
