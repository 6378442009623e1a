import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { StudyDocument } from '../../lib/types';
import { Offline } from '../../lib/problem';
import type { Answer } from './api/evaluate';
import { useLive } from './use-live';

const answers: ((answer: Answer) => void)[] = [];
const refusals: ((error: Error) => void)[] = [];
let away: object[] = [];
vi.mock('../../lib/service', () => ({ useAway: () => away }));
vi.mock('./api/evaluate', () => ({
  evaluate: () =>
    new Promise<Answer>((resolve, reject) => {
      answers.push(resolve);
      refusals.push(reject);
    }),
}));

it('is pending until the latest question is answered, not an earlier one', async () => {
  const document = { designs: [] } as unknown as StudyDocument;
  const { result } = renderHook(() => useLive(document, {}, '-'));
  expect(result.current.pending).toBe(false);
  act(() => result.current.settle({ '/a': 1 }));
  act(() => result.current.settle({ '/a': 2 }));
  expect(result.current.pending).toBe(true);
  act(() => answers[0]?.({ winner: 'A' } as Answer));
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(result.current.pending).toBe(true);
  act(() => answers[1]?.({ winner: 'B' } as Answer));
  await waitFor(() => expect(result.current.pending).toBe(false));
  expect(result.current.answer?.winner).toBe('B');
});

it('asks again what went unanswered once the service is whole', async () => {
  answers.length = refusals.length = 0;
  const document = { designs: [] } as unknown as StudyDocument;
  away = [{ part: 'evaluate' }];
  const moves = { '/a': 1 };
  const { result, rerender } = renderHook(() => useLive(document, moves, '-'));
  await waitFor(() => expect(refusals).toHaveLength(1));
  act(() => refusals[0]?.(new Offline()));
  await waitFor(() => expect(result.current.error).toBeInstanceOf(Offline));
  expect(answers).toHaveLength(1);
  away = [];
  rerender();
  await waitFor(() => expect(answers).toHaveLength(2));
  act(() => answers[1]?.({ winner: 'A' } as Answer));
  await waitFor(() => expect(result.current.answer?.winner).toBe('A'));
  expect(result.current.error).toBeNull();
});
