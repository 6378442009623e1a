import { isObject, join, read, type Json, type JsonObject } from './pointer';
import { resolve, schemaAt, variantOf, type JsonSchema } from './schema';

/** Where a way leads from an object: `kind` beside it, `../drive/kind` one object up. */
function placeOf(pointer: string, way: string): string {
  return way.split('/').reduce((at, part) => {
    return part === '..' ? at.slice(0, at.lastIndexOf('/')) : join(at, part);
  }, pointer);
}

/** The places of a document that have no effect as the rest of it is, by its schema. */
export function hiddenPlaces(start: JsonSchema, root: JsonSchema, document: JsonObject): string[] {
  const isShown = (field: JsonSchema, pointer: string) =>
    Object.entries(field.shown_when ?? {}).every(([way, wanted]) => {
      // Of a list any entry counts: machines/*/utilization_fraction.
      const [list = '', field] = way.split('/*/');
      const at = placeOf(pointer, list);
      const held = field === undefined ? undefined : read(document, at);
      const places = Array.isArray(held)
        ? held.map((_, one) => join(join(at, one), field ?? ''))
        : [at];
      return places.some((place) => {
        const value = read(document, place) ?? schemaAt(start, root, document, place)?.default;
        if (typeof wanted !== 'boolean') return wanted.includes(String(value));
        return (Array.isArray(value) ? value.length > 0 : Boolean(value)) === wanted;
      });
    });
  const below = (written: JsonSchema, value: Json | undefined, pointer: string): string[] => {
    if (!isObject(value)) return [];
    const { schema: here } = resolve(written, root);
    const schema = here.oneOf ? variantOf(here, root, value).current?.schema : here;
    return Object.entries(schema?.properties ?? {}).flatMap(([key, field]) => {
      const place = join(pointer, key);
      return isShown(field, pointer) ? below(field, value[key], place) : [place];
    });
  };
  return below(start, document, '');
}
