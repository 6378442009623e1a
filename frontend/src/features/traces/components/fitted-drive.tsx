import { Button } from '../../../components/button';
import type { Drive } from '../../../lib/drives';
import type { CalibrationAnswer, RecordedAnswer } from '../calibration';
import { Answer } from './told';

interface FittedDriveProps {
  id: string;
  answer: CalibrationAnswer | RecordedAnswer;
  sheet: Drive;
  onUse: (drive: Drive) => void;
}

/** How well a fitted drive does, and a way to take it to an array. */
export function FittedDrive({ id, answer, sheet, onUse }: FittedDriveProps) {
  const named = { ...answer.drive, name: `${sheet.name}, calibrated` };
  return (
    <>
      <Answer id={id} of={answer} />
      <div>
        <Button look="primary" icon="plus" onClick={() => onUse(named)}>
          Use in an array
        </Button>
      </div>
    </>
  );
}
