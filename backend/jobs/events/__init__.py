"""The event stream: look once for all, fan out to one stream per browser."""
