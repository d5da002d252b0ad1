interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly words: readonly [name: string, explained: string] }[];
  readonly tokens: Readonly<Partial<Record<Id, number>>>;
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
}

/** One view of several, each explained when one hovers over it; arrow keys go from one to the next. */
export function Tabs<Id extends string>({ label, tabs, tokens, selected, onSelect }: TabsProps<Id>) {
  return (
    <fieldset className="tabs" aria-label={label}>
      {tabs.map(({ id, words: [name, explained] }) => (
        <label key={id} title={explained}>
          <input type="radio" name={label} checked={id === selected} onChange={() => onSelect(id)} />
          {name}
          {tokens[id] !== undefined && <small>{tokens[id]} tokens</small>}
        </label>
      ))}
    </fieldset>
  );
}
