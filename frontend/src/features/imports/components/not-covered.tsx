import styles from './imports.module.css';

/** What a file does not say, or could not be placed: one sentence each. */
export function NotCovered({ points }: { points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <>
      <h3>Not covered by this file</h3>
      <ul className={styles.open}>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}
