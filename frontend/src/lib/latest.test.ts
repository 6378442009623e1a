import { Latest } from './latest';
import { Problem } from './problem';

interface Pending {
  question: number;
  answer: (text: string) => void;
  refuse: (error: Error) => void;
}

function setUp() {
  const pending: Pending[] = [];
  const answers: [string, number][] = [];
  const errors: unknown[] = [];
  const latest = new Latest<number, string>(
    (question) => new Promise((answer, refuse) => pending.push({ question, answer, refuse })),
    (answer, question) => answers.push([answer, question]),
    (error) => errors.push(error),
  );
  return { latest, pending, answers, errors };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('the latest question', () => {
  it('waits while one is in flight, and those before it are dropped', async () => {
    const { latest, pending, answers } = setUp();
    [1, 2, 3, 4].forEach((question) => latest.send(question));
    expect(pending.map((entry) => entry.question)).toEqual([1]);
    pending[0]?.answer('one');
    await settled();
    expect(pending.map((entry) => entry.question)).toEqual([1, 4]);
    pending[1]?.answer('four');
    await settled();
    expect(answers).toEqual([
      ['one', 1],
      ['four', 4],
    ]);
  });

  it('asks again what is refused for now, unless something newer is asked or all is dropped', async () => {
    vi.useFakeTimers();
    const { latest, pending, errors } = setUp();
    const asked = () => pending.map((entry) => entry.question);
    const refuse = async (meanwhile: () => void) => {
      pending.at(-1)?.refuse(new Problem(429, {}, 7));
      await vi.advanceTimersByTimeAsync(6_900);
      meanwhile();
      await vi.advanceTimersByTimeAsync(200);
    };
    latest.send(1);
    await refuse(() => expect(asked()).toEqual([1]));
    expect(asked()).toEqual([1, 1]);
    await refuse(() => latest.send(2));
    expect(asked()).toEqual([1, 1, 2]);
    await refuse(() => latest.drop());
    expect(asked()).toEqual([1, 1, 2]);
    expect(errors).toEqual([]);
    vi.useRealTimers();
  });

  it('goes on after a question that failed', async () => {
    const { latest, pending, answers, errors } = setUp();
    latest.send(1);
    latest.send(2);
    pending[0]?.refuse(new Error('no'));
    await settled();
    pending[1]?.answer('two');
    await settled();
    expect(errors).toHaveLength(1);
    expect(answers).toEqual([['two', 2]]);
  });

  it('forgets what waits when told to', async () => {
    const { latest, pending } = setUp();
    latest.send(1);
    latest.send(2);
    latest.drop();
    pending[0]?.answer('one');
    await settled();
    expect(pending).toHaveLength(1);
  });
});
