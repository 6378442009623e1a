import { useState } from 'react';
import { Button } from '../../../components/button';
import { DrivePicker } from '../../../components/drive-picker';
import type { FieldProps } from '../../../components/form/field-props';
import { useForm } from '../../../components/form/form-context';
import { UnionField } from '../../../components/form/union-field';
import type { Drive } from '../../../lib/drives';
import type { Json } from '../../../lib/pointer';
import type { CatalogueEntry, Origin } from '../../../lib/types';
import { driveOrigins } from '../drive-origins';

const PRICE = '/array/drive_price_usd';

/** The drive of a design's array: chosen from the catalogue, or described. */
function ArrayDrive(field: FieldProps & { found?: boolean }) {
  const form = useForm();
  const [picking, setPicking] = useState(false);
  const take = (drive: Drive, entry?: CatalogueEntry) => {
    const price: [string, Json][] = drive.price_usd > 0 ? [[PRICE, drive.price_usd]] : [];
    const from = entry ? driveOrigins(drive, entry) : {};
    const origins = Object.entries(from).map(([place, origin]): [string, Origin] => [
      `${field.pointer}${place}`,
      origin,
    ]);
    const priced = from['/price_usd'];
    if (priced && price.length > 0) origins.push([PRICE, priced]);
    form.fill([[field.pointer, drive as unknown as Json], ...price], origins);
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
