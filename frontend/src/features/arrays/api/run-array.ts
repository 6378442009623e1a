import type { JsonObject } from '../../../lib/pointer';
import { startRun } from '../../../lib/runs';
import { runParams } from '../run-params';
import type { ArrayDesign, ArraysState } from '../types';

export const SIMULATOR = 'storage.array';

export const startArray = (array: ArrayDesign, state: ArraysState, more: JsonObject) =>
  startRun({
    model: SIMULATOR,
    params: { ...runParams(array, state), ...more },
    seed: state.seed,
  });
