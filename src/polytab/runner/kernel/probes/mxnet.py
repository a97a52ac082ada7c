"""What MXNet was built with; its builds for GPUs are not asked, as none is maintained."""

from __future__ import annotations

import mxnet


def libraries() -> list[str]:
    """Return the libraries that it was built with."""
    known = {"BLAS_OPEN": "OpenBLAS", "BLAS_MKL": "MKL", "MKLDNN": "oneDNN", "OPENMP": "OpenMP"}
    features = mxnet.runtime.Features()
    return [name for feature, name in known.items() if features.is_enabled(feature)]
