import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { StudyDocument } from '../../lib/types';
import type { Answer } from './api/evaluate';
import { useLive } from './use-live';

const answers: ((answer: Answer) => void)[] = [];
vi.mock('./api/evaluate', () => ({
  evaluate: () => new Promise<Answer>((resolve) => answers.push(resolve)),
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
