"""Build and publish the site."""
