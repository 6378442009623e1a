"""The event stream: LISTEN once, fan out to one stream per browser."""
