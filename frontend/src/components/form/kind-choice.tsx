import { useRef, useState } from 'react';
import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { initialObject, variantOf, words, type JsonSchema, type Variant } from '../../lib/schema';
import { Button } from '../button';
import { Select } from '../control';
import styles from './form.module.css';

/** What a part of a document is called. */
const titleOf = (variant: Variant, name: string) =>
  variant.schema.properties?.[name]?.title ?? words(name);

/** Whether a part of a document says more than one that was just begun, or its default. */
function isEntered(value: Json, begun: readonly (Json | undefined)[]): boolean {
  return value !== null && begun.every((one) => JSON.stringify(value) !== JSON.stringify(one));
}

interface Kinds {
  union: JsonSchema;
  root: JsonSchema;
  value: Json | undefined;
  onChange: (value: JsonObject) => void;
}

/**
 * The kind of a document. What both kinds have stays when another is chosen; what only the one
 * before has is kept aside, said, and comes back with that kind.
 */
export function useKind({ union, root, value, onChange }: Kinds) {
  const { key, all, current } = variantOf(union, root, value);
  const aside = useRef(new Map<string, JsonObject>());
  const [left, setLeft] = useState<{ from: Variant; to: string; names: string[] } | null>(null);
  const choose = (tag: string) => {
    const next = all.find((variant) => variant.tag === tag);
    if (!next || next === current) return;
    const held = isObject(value) ? value : {};
    const fits = ([name]: [string, Json]) =>
      name !== key && next.schema.properties?.[name] !== undefined;
    const kept = Object.fromEntries(Object.entries(held).filter(fits));
    if (current) {
      const fresh = initialObject(current.schema, root);
      const begun = (name: string) => [fresh[name], current.schema.properties?.[name]?.default];
      const names = Object.entries(held)
        .filter(([name, one]) => name !== key && !fits([name, one]) && isEntered(one, begun(name)))
        .map(([name]) => titleOf(current, name));
      aside.current.set(current.tag, held);
      setLeft(names.length > 0 ? { from: current, to: tag, names } : null);
    }
    const begun = { ...initialObject(next.schema, root), ...aside.current.get(tag) };
    onChange({ ...begun, ...kept, [key]: tag });
  };
  return { key, all, current, choose, left: left?.to === current?.tag ? left : null };
}

interface KindChoiceProps {
  id: string;
  kind: ReturnType<typeof useKind>;
  /** What stands for no kind. */
  none: string;
  className?: string;
  disabled?: boolean;
}

/** Chooses the kind of a document, and says what another kind has no place for. */
export function KindChoice({ id, kind, none, className = '', disabled }: KindChoiceProps) {
  const { all, current, choose, left } = kind;
  return (
    <>
      <div className={`${styles.row} ${className}`}>
        <label htmlFor={id}>Kind</label>
        <span />
        <Select
          id={id}
          disabled={disabled}
          value={current?.tag ?? ''}
          choices={[
            ...(current ? [] : [{ value: '', label: none }]),
            ...all.map((variant) => ({ value: variant.tag, label: variant.title })),
          ]}
          onChange={(event) => choose(event.target.value)}
        />
      </div>
      {left && (
        <p role="status" className="line gap-8 small muted">
          <span>
            {current?.title} has no place for what was entered as {left.names.join(', ')}.
          </span>
          <Button small onClick={() => choose(left.from.tag)}>
            Back to {left.from.title}
          </Button>
        </p>
      )}
    </>
  );
}
