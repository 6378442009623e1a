import { TextInput } from './control';
import { Icon } from './icon';

interface SearchInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (text: string) => void;
  className?: string;
}

/** A field that narrows what is listed as one types. */
export function SearchInput({
  label,
  placeholder = label,
  value,
  onChange,
  className = '',
}: SearchInputProps) {
  return (
    <div className={`search ${className}`}>
      <Icon name="search" />
      <TextInput
        type="search"
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
