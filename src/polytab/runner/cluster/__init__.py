"""Many jobs on a Dask cluster: this machine, or a scheduler's workers."""
