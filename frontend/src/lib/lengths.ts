import lengths from '../api-types/lengths.json';

/** How many characters the API takes at most, by body and field. */
export const lengthOf = (field: keyof typeof lengths): number => lengths[field];
