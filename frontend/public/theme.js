// Before the first paint, so that a dark screen does not flash white.
(function () {
  var choice = 'auto';
  try {
    choice = localStorage.getItem('ampacity.theme') || 'auto';
  } catch {
    // Storage may be refused; the system's choice is used.
  }
  var dark = choice === 'dark' || (choice === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
