import { use } from 'react';
import { Button } from '../button';
import { QualityChip, qualityTone, qualityWord } from '../chip';
import { Popover } from '../popover';
import { date, entered, exact, range, unitLabel, type Currency } from '../../lib/format';
import { originIn } from '../../lib/origin';
import type { Json } from '../../lib/pointer';
import { choiceText, described, type JsonSchema } from '../../lib/schema';
import { asTyped } from '../../lib/typed-number';
import type { Origin } from '../../lib/types';
import { AlternativesEditor } from './alternatives-editor';
import { ChoicesContext } from './choices';
import { Controls } from './controls';
import { useForm } from './form-context';
import type { FieldProps } from './field-props';
import { RangeEditor } from './range-editor';
import styles from './form.module.css';

function shown(value: Json | undefined, schema: JsonSchema, currency: Currency): string {
  if (typeof value === 'number') return asTyped(exact(value, schema.unit, currency));
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'object') return 'as listed';
  return schema.enum ? choiceText(schema, value) : value;
}

function OriginLines({ origin, unit }: { origin: Origin; unit: string }) {
  const { currency } = useForm();
  return (
    <>
      <dt>Source</dt>
      <dd>
        <QualityChip quality={origin.quality} />{' '}
        {origin.url ? (
          <a href={origin.url} target="_blank" rel="noreferrer">
            {origin.source ?? origin.url}
          </a>
        ) : (
          origin.source
        )}
        {origin.as_of && <span className="muted">, {date(origin.as_of)}</span>}
      </dd>
      {origin.low != null && origin.high != null && (
        <>
          <dt>Spread</dt>
          <dd className="num">
            {asTyped(range(origin.low, origin.high, unit, currency, entered))}
          </dd>
        </>
      )}
      {origin.note && (
        <>
          <dt>Note</dt>
          <dd>{origin.note}</dd>
        </>
      )}
    </>
  );
}

function Bounds({ schema }: { schema: JsonSchema }) {
  const { currency } = useForm();
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  if (low === undefined && high === undefined) return null;
  const text = (value: number) => asTyped(entered(value, schema.unit, currency));
  const words = [
    low !== undefined &&
      (schema.minimum === undefined ? `above ${text(low)}` : `from ${text(low)}`),
    high !== undefined &&
      (schema.maximum === undefined ? `below ${text(high)}` : `to ${text(high)}`),
  ];
  return (
    <>
      <dt>Allowed</dt>
      <dd className="num">{words.filter(Boolean).join(' ')}</dd>
    </>
  );
}

function Default({ schema }: { schema: JsonSchema }) {
  const { currency } = useForm();
  const source = schema.default_source;
  if (schema.default === undefined) return null;
  return (
    <>
      <dt>Default</dt>
      <dd>
        <span className="num">{shown(schema.default, schema, currency)}</span>
        {source && (
          <span className="muted">
            , {source.source}
            {source.as_of && `, ${date(source.as_of)}`}
          </span>
        )}
      </dd>
    </>
  );
}

/** Whether a field may have alternatives: a choice, yes or no, or a whole number of a study. */
function useMayTurnOut({ schema, pointer }: FieldProps): boolean {
  const { place } = useForm();
  const choices = use(ChoicesContext);
  const isStepped = schema.enum ?? (schema.type === 'boolean' || schema.type === 'integer');
  return place !== undefined && Boolean(isStepped && choices?.takes(pointer));
}

function useHasAlternatives({ pointer }: FieldProps): boolean {
  const { place = '' } = useForm();
  return use(ChoicesContext)?.all.some((one) => one.pointer === `${place}${pointer}`) ?? false;
}

/** What is known of a field's present value: written down, or that of its default. */
function useOrigin(field: FieldProps): Origin | undefined {
  const form = useForm();
  const written = field.value === undefined ? undefined : originIn(form.provenance, field.pointer);
  if (written) return written;
  const source = field.schema.default_source;
  const isDefault = field.value === undefined || field.value === field.schema.default;
  return source && isDefault ? { ...source, quality: source.quality ?? 'published' } : undefined;
}

function About({ field, origin }: { field: FieldProps; origin: Origin | undefined }) {
  const form = useForm();
  const { schema, pointer, value } = field;
  const isNumber = schema.type === 'number' || schema.type === 'integer';
  const mayTurnOut = useMayTurnOut(field);
  return (
    <div className={styles.about}>
      <div>
        <h3>{field.label}</h3>
        {schema.description && <p className="muted">{described(schema)}</p>}
      </div>
      <dl className="small">
        <dt>Value</dt>
        <dd className="num">
          {value === undefined
            ? `${shown(schema.default, schema, form.currency)} (default)`
            : shown(value, schema, form.currency)}
        </dd>
        {origin && <OriginLines origin={origin} unit={schema.unit ?? ''} />}
        <Default schema={schema} />
        <Bounds schema={schema} />
        {schema.unit && unitLabel(schema.unit, form.currency) && (
          <>
            <dt>Unit</dt>
            <dd>{unitLabel(schema.unit, form.currency)}</dd>
          </>
        )}
      </dl>
      {isNumber && form.setRange && (
        <Controls>
          <RangeEditor field={field} origin={origin} />
        </Controls>
      )}
      {mayTurnOut && (
        <Controls>
          <AlternativesEditor field={field} />
        </Controls>
      )}
      {!form.readOnly && value !== undefined && schema.default !== undefined && (
        <div>
          <Button small icon="reset" onClick={() => form.change(pointer, undefined)}>
            Back to the default
          </Button>
        </div>
      )}
    </div>
  );
}

/** What the sign says on hover. */
function hintOf(origin: Origin | undefined, hasRange: boolean, hasOthers: boolean): string {
  const known = origin && qualityWord(origin.quality);
  const from = origin?.source ? `${known}: ${origin.source}` : known;
  const words = [from ?? 'no source given', origin?.as_of && date(origin.as_of)];
  return [...words, hasRange && 'with a range', hasOthers && 'with alternatives']
    .filter(Boolean)
    .join(', ');
}

/** Whether there is anything to tell: a text or a choice of no particular origin has nothing. */
function isSilent({ schema }: FieldProps, origin: Origin | undefined): boolean {
  if (origin) return false;
  return schema.enum !== undefined || (schema.type === 'string' && !schema.description);
}

/** Of a value that an import gave: the file, its rows and its day, beside the field. */
export function FromFile({ field }: { field: FieldProps }) {
  const origin = useOrigin(field);
  if (!origin?.file) return null;
  const said = [origin.file, origin.rows, origin.as_of && date(origin.as_of)].filter(Boolean);
  return <p className={`muted small ${styles.fromFile}`}>{said.join(', ')}</p>;
}

/** A small sign of how well a value is known; pressing it tells all that is known. */
export function AboutMark({ field }: { field: FieldProps }) {
  const hasRange = useForm().ranges.has(field.pointer);
  const origin = useOrigin(field);
  const mayTurnOut = useMayTurnOut(field);
  const hasOthers = useHasAlternatives(field);
  if (isSilent(field, origin) && !mayTurnOut) return <span />;
  const tone = origin ? qualityTone(origin.quality) : 'neutral';
  const names = [
    styles.mark,
    tone === 'neutral' ? '' : styles[tone],
    (hasRange || hasOthers) && styles.ranged,
  ];
  return (
    <Popover
      label={`About ${field.label}`}
      align="center"
      trigger={
        <button
          type="button"
          className={names.filter(Boolean).join(' ')}
          aria-label={`About ${field.label}`}
          title={hintOf(origin, hasRange, hasOthers)}
        />
      }
    >
      <About field={field} origin={origin} />
    </Popover>
  );
}
