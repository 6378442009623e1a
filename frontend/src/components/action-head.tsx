/** The head of a column of buttons, which only a screen reader says. */
export function ActionHead({ children = 'Action' }: { children?: string }) {
  return (
    <th scope="col">
      <span className="visually-hidden">{children}</span>
    </th>
  );
}
