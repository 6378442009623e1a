import { Table } from '../../../components/table';
import type { Comparison } from '../../../lib/comparison';
import { MISSING, percent } from '../../../lib/format';

/** What the simulations with each alternative of a choice say; nothing where all is settled. */
export function Alternatives({ comparison }: { comparison: Comparison }) {
  const { choices = [], odds } = comparison;
  if (choices.length === 0 || !odds) return null;
  const letters = Object.keys(odds.wins);
  return (
    <section>
      <Table
        label="Alternatives"
        heads={['Input', 'Alternative', 'Odds', 'Cheapest on average', ...letters]}
      >
        {choices.flatMap(({ pointer, label, alternatives }) =>
          alternatives.map((one, at) => (
            <tr key={`${pointer} ${one.label}`}>
              {at === 0 && (
                <th scope="rowgroup" rowSpan={alternatives.length}>
                  {label}
                </th>
              )}
              <td>
                {one.label}
                {one.entered && <span className="muted small"> as entered</span>}
              </td>
              <td className="num">{percent(one.odds_fraction)}</td>
              <td>
                {one.cheapest === null ? MISSING : [one.cheapest, ...(one.tied ?? [])].join(', ')}
              </td>
              {letters.map((letter) => {
                const share = one.wins[letter];
                return (
                  <td key={letter} className="num">
                    {share === undefined ? MISSING : percent(share)}
                  </td>
                );
              })}
            </tr>
          )),
        )}
      </Table>
      <p className="muted small">
        Beneath each design: the share of the simulations with the alternative in which it is
        cheapest.
      </p>
    </section>
  );
}
