import { Fault } from '../../../components/fault';
import { MenuButton, MenuGroup, MenuHeading, MenuItem } from '../../../components/menu';
import { DESIGN_OPTIONS } from '../../../lib/design-options';
import { initialObject, resolve, variants, words, type JsonSchema } from '../../../lib/schema';
import { FULL, useAddDesign, useProposeDesign } from '../api/designs';
import { freeTitle } from '../../../lib/free-title';
import { designUnion } from './labels';

const HEAD = new Set(['letter', 'title', 'kind']);

interface AddDesignProps {
  studyId: string;
  plan: JsonSchema;
  /** Of the designs that are there. */
  titles: readonly string[];
  full: boolean;
}

// A mix is of two designs that are there: it begins empty.
const PROPOSED = DESIGN_OPTIONS.filter(({ option }) => option !== 'hybrid');

/** A new design: proposed for the work of the study, or empty, of any kind that the plan knows. */
export function AddDesign({ studyId, plan, titles, full }: AddDesignProps) {
  const add = useAddDesign(studyId);
  const propose = useProposeDesign(studyId);
  const union = designUnion(plan);
  const kinds = union ? variants(union, plan) : [];
  if (full) return <span className="muted small">{FULL}</span>;
  const create = (kind: string) => {
    const schema = kinds.find((variant) => variant.tag === kind)?.schema;
    if (!schema) return;
    const spec = Object.fromEntries(
      Object.entries(initialObject(schema, plan)).filter(([key]) => !HEAD.has(key)),
    );
    add.mutate({ title: freeTitle(words(kind), titles), kind, spec });
  };
  return (
    <>
      <MenuButton icon="plus" label="Add a design" text="Add a design" align="start">
        <MenuGroup aria-label="Proposed for the work">
          <MenuHeading>Proposed for the work</MenuHeading>
          {PROPOSED.map(({ option, title, about }) => (
            <MenuItem
              key={option}
              onSelect={() => propose.mutate({ option, term_months: 36, region: '' })}
            >
              <Choice title={title} about={about} />
            </MenuItem>
          ))}
        </MenuGroup>
        <MenuGroup aria-label="Empty">
          <MenuHeading>Empty</MenuHeading>
          {kinds.map(({ tag, schema }) => (
            <MenuItem key={tag} onSelect={() => create(tag)}>
              <Choice title={words(tag)} about={resolve(schema, plan).schema.description} />
            </MenuItem>
          ))}
        </MenuGroup>
      </MenuButton>
      {propose.isPending && <span className="muted small">Proposing a design …</span>}
      <Fault of={propose} small />
      <Fault of={add} small />
    </>
  );
}

function Choice({ title, about }: { title: string; about?: string | undefined }) {
  return (
    <span>
      {title}
      <br />
      <span className="muted small">{about}</span>
    </span>
  );
}
