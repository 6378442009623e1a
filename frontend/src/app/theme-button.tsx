import { IconButton } from '../components/button';
import { chooseTheme, useTheme } from '../lib/theme';

export function ThemeButton() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={`Switch to the ${other} theme`}
      onClick={() => chooseTheme(other)}
    />
  );
}
