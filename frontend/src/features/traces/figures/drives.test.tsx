import {
  calibrationMore,
  calibrationSentence,
  recordedMore,
  recordedSentence,
  type CalibrationAnswer,
  type RecordedAnswer,
  type FollowedTracks,
} from '../calibration';
import { depthsFigure, timesFigure } from './calibration';

const options = { theme: 'light', narrow: false } as const;
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const answer = {
  drive: { kind: 'ssd', name: 'flash' },
  channels_count: 8,
  read_service_ms: 0.1,
  write_service_ms: null,
  max_read_per_s: 80_000,
  max_write_per_s: null,
  depths: [1, 8, 32].map((depth) => ({
    way: 'read',
    depth_count: depth,
    measured_ms: 0.1 * Math.max(1, depth / 8),
    modelled_ms: 0.11 * Math.max(1, depth / 8),
    error_fraction: 0.1,
    measured_per_s: 80_000,
    unused_reason: null,
  })),
  queue_order: null,
  held_writes_count: null,
  notes: [],
  depth_demerit_fraction: 0.1,
  write_depth_demerit_fraction: null,
  demerit_fraction: 0.021,
  sheet_demerit_fraction: 0.34,
} as unknown as CalibrationAnswer;

describe('a calibrated drive', () => {
  it('says the demerit, the service time and how many requests are served at once', () => {
    expect(plain(calibrationSentence(answer))).toBe(
      '**The fitted drive has a demerit of 2.1%** on single reads: a read takes 100 µs, 8 at a time, at most 80,000 a second.',
    );
    expect(plain(calibrationMore(answer)[0] ?? '')).toContain('34%');
    const dies = { ...answer, waits_for_dies: true };
    expect(plain(calibrationSentence(dies))).toContain('100 µs, on that of 8 dies which has its');
  });

  it('says each reason for which rows are not used once, and what else is to know', () => {
    const reasons = ['The host slept.', 'Another state.', 'Another state.'];
    const depths = answer.depths.map((row, nth) => ({
      ...row,
      unused_reason: reasons[nth] ?? null,
    }));
    const more = calibrationMore({ ...answer, depths, notes: ['The rows are of two states.'] });
    expect(more.slice(-3)).toEqual([
      'Not used: reads at depth 1. The host slept.',
      'Not used: reads at depth 8, reads at depth 32. Another state.',
      'The rows are of two states.',
    ]);
  });

  it('is drawn beside what was measured, at every depth', () => {
    const figure = depthsFigure(answer, options);
    expect(figure.data.map((trace) => trace.name)).toEqual(['Reads, modelled', 'Reads, measured']);
    expect(figure.data[1]?.y).toEqual([0.1, 0.1, 0.4]);
    expect(figure.table.rows).toHaveLength(3);
  });
});

describe('a drive fitted to a trace', () => {
  const recorded = {
    alone_count: 900,
    alone_fraction: 0.9,
    classes: [
      { way: 'read', sequential: false, path: 'platter' },
      { way: 'write', sequential: true, path: 'buffer' },
    ],
    quantiles: Array.from({ length: 99 }, (_, at) => ({
      percent_ratio: at + 1,
      measured_ms: 5 + at / 10,
      modelled_ms: 5.5 + at / 10,
    })),
    measured_mean_ms: 10,
    modelled_mean_ms: 10.5,
    demerit_fraction: 0.05,
    fitted_demerit_fraction: 0.04,
    sheet_demerit_fraction: 0.3,
    tracks: null,
  } as unknown as RecordedAnswer;

  it('says the demerit of what was not fitted, and which requests the buffer answers', () => {
    expect(plain(recordedSentence(recorded))).toContain('a demerit of 5%** on the second half');
    expect(recordedMore(recorded).join(' ')).toContain('answers sequential writes');
  });

  it('says what reads tell of the platter of a drive with tracks', () => {
    const tracks = {
      speed_rpm: 9999.6,
      head_skew_ms: 1.17,
      cylinder_skew_ms: 1.81,
      found_skews: true,
      follows_angle: true,
    } as FollowedTracks;
    const said = (change: object) =>
      plain(recordedMore({ ...recorded, tracks: { ...tracks, ...change } }).join(' '));
    expect(said({})).toContain('agree with 10,000 rpm and skews of 1.17 ms and 1.81 ms');
    expect(said({ found_skews: false })).toContain('the described speed and skews');
    expect(said({ follows_angle: false })).toContain('was taken at random');
    expect(recordedMore(recorded).join(' ')).toContain('these are compared');
    expect(said({})).not.toContain('these are compared');
  });

  it('draws both distributions', () => {
    const figure = timesFigure(recorded, options);
    expect(figure.data.map((trace) => trace.name)).toEqual(['Measured', 'Modelled']);
    expect(figure.data[0]?.y).toHaveLength(99);
  });
});
