import styles from './progress.module.css';

export function Progress({ fraction, label }: { fraction: number; label: string }) {
  const share = Math.round(Math.min(1, Math.max(0, fraction)) * 100);
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
    >
      <div className={styles.fill} style={{ width: `${share}%` }} />
    </div>
  );
}
