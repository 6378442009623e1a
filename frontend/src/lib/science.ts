import type { components } from '../api-types/models';

/**
 * Classes of the models' inputs and results, such as `Science['storage.array.HardDisk']`; a model's
 * whole input and answer are `Params` and `Result`.
 */
export type Science = components['schemas'];
