import { mayPass, waitOf } from './query-client';

/**
 * Keeps one request in flight; of what is asked meanwhile only the latest is sent.
 * An answer is given on even when a newer question waits, so that a drag shows movement.
 * What is refused for now alone is asked again after the time that the refusal names.
 */
export class Latest<Question, Answer> {
  #running = false;
  #dropped = false;
  #waiting: { question: Question } | null = null;

  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly onAnswer: (answer: Answer, question: Question) => void,
    private readonly onError: (error: unknown, question: Question) => void,
  ) {}

  send(question: Question): void {
    this.#waiting = { question };
    this.#dropped = false;
    if (!this.#running) void this.#work();
  }

  /** Forget what waits; what is in flight may still answer. */
  drop(): void {
    this.#waiting = null;
    this.#dropped = true;
  }

  async #work(): Promise<void> {
    this.#running = true;
    let refusals = 0;
    while (this.#waiting) {
      const { question } = this.#waiting;
      this.#waiting = null;
      try {
        this.onAnswer(await this.ask(question), question);
        refusals = 0;
      } catch (error) {
        if (!mayPass(refusals, error as Error)) {
          this.onError(error, question);
          continue;
        }
        await new Promise((resolve) => setTimeout(resolve, waitOf(refusals, error as Error)));
        refusals += 1;
        if (!this.#dropped) this.#waiting ??= { question };
      }
    }
    this.#running = false;
  }
}
