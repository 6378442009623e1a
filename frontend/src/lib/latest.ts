/**
 * Keeps one request in flight; of what is asked meanwhile only the latest is sent.
 * An answer is given on even when a newer question waits, so that a drag shows movement.
 */
export class Latest<Question, Answer> {
  #running = false;
  #waiting: { question: Question } | null = null;

  constructor(
    private readonly ask: (question: Question) => Promise<Answer>,
    private readonly onAnswer: (answer: Answer, question: Question) => void,
    private readonly onError: (error: unknown, question: Question) => void,
  ) {}

  send(question: Question): void {
    this.#waiting = { question };
    if (!this.#running) void this.#work();
  }

  /** Forget what waits; what is in flight may still answer. */
  drop(): void {
    this.#waiting = null;
  }

  async #work(): Promise<void> {
    this.#running = true;
    while (this.#waiting) {
      const { question } = this.#waiting;
      this.#waiting = null;
      try {
        this.onAnswer(await this.ask(question), question);
      } catch (error) {
        this.onError(error, question);
      }
    }
    this.#running = false;
  }
}
