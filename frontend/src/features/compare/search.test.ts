import { compareSearch, readMoves, writeMoves } from './search';

describe('the address of a comparison', () => {
  it('holds the slider positions and gives them back', () => {
    const moves = { '/designs/D/staff_fte': 2.5, '/assumptions/pue': -1e-7 };
    expect(readMoves(writeMoves(moves))).toEqual(moves);
    expect(writeMoves({})).toBeUndefined();
  });

  it.each(['', 'nonsense', '~1', 'a~b', 'a~', 'a~NaN!b~Infinity'])(
    'takes no harm from %j',
    (text) => {
      expect(readMoves(text)).toEqual({});
    },
  );

  it('takes only letters of designs', () => {
    expect(compareSearch({ from: 'A', to: '<b>', npv: 'yes', x: 5 })).toEqual({
      x: undefined,
      from: 'A',
      to: undefined,
      npv: undefined,
    });
  });
});
