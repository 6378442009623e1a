import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import type { FieldProps } from '../../../components/form/field-props';
import { useForm } from '../../../components/form/form-context';
import { UnionField } from '../../../components/form/union-field';
import type { Drive } from '../../../lib/drives';
import type { Json } from '../../../lib/pointer';

const PRICE = '/array/drive_price_usd';

/** The drive of a design's array: chosen from the catalogue, or described. */
function ArrayDrive(field: FieldProps & { found?: boolean }) {
  const form = useForm();
  const [picking, setPicking] = useState(false);
  const take = (drive: Drive) => {
    const price: [string, Json][] = drive.price_usd > 0 ? [[PRICE, drive.price_usd]] : [];
    form.fill([[field.pointer, drive as unknown as Json], ...price], []);
    setPicking(false);
  };
  const choose = (
    <Button small icon="book" onClick={() => setPicking(true)}>
      Choose a drive
    </Button>
  );
  return (
    <>
      <UnionField {...field} tools={choose} />
      {picking && <DrivePicker own onTake={take} onClose={() => setPicking(false)} />}
    </>
  );
}

/** Fields of a design that are more than what their schema says of them. */
export const OWN_FIELDS = { '/array/drive': ArrayDrive };
