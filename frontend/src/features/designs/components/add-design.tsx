import { MenuButton, MenuItem } from '../../../components/menu';
import { initialObject, resolve, variants, words, type JsonSchema } from '../../../lib/schema';
import { useAddDesign } from '../api/designs';
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

/** A new design of any kind that the plan knows. */
export function AddDesign({ studyId, plan, titles, full }: AddDesignProps) {
  const add = useAddDesign(studyId);
  const union = designUnion(plan);
  const kinds = union ? variants(union, plan) : [];
  if (full) return <span className="muted small">A study holds at most 8 designs.</span>;
  const create = (kind: string) => {
    const schema = kinds.find((variant) => variant.tag === kind)?.schema;
    if (!schema) return;
    const spec = Object.fromEntries(
      Object.entries(initialObject(schema, plan)).filter(([key]) => !HEAD.has(key)),
    );
    add.mutate({ title: freeTitle(words(kind), titles), kind, spec });
  };
  return (
    <MenuButton icon="plus" label="Add a design" text="Add a design" align="start">
      {kinds.map(({ tag, schema }) => (
        <MenuItem key={tag} onSelect={() => create(tag)}>
          <span>
            {words(tag)}
            <br />
            <span className="muted small">{resolve(schema, plan).schema.description}</span>
          </span>
        </MenuItem>
      ))}
    </MenuButton>
  );
}
