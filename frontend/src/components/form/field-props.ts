import type { Json } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';

export interface FieldProps {
  schema: JsonSchema;
  pointer: string;
  label: string;
  nullable: boolean;
  value: Json | undefined;
}

export interface SchemaFieldProps {
  schema: JsonSchema;
  /** The key in the document, whose words are the label where the schema has no title. */
  name: string;
  pointer: string;
  value: Json | undefined;
  /** Set where a title above was found by the filter, so that all below is shown. */
  found?: boolean;
}
