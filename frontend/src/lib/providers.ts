import names from '../api-types/providers.json';

const PROVIDERS: Record<string, string> = names;

/** A provider's proper name, as the catalogue's id of it is read; other words stay. */
export const providerName = (id: string): string => PROVIDERS[id] ?? id;
