"""S2PPCA: one latent variable behind the features and the labels."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from pairspace._core.data import Classes, Rows
from pairspace._core.linalg import Eigen, rank, spectrum, whiten
from pairspace._core.typing import Floats
from pairspace._core.warn import warn_caller
from pairspace.base import Needs, Supervision
from pairspace.linear._partial_fit import IncrementalReducer
from pairspace.linear._solve import RankError, require_rank

LEAST_NOISE = 1e-6  # of the targets, as a share of their variance: it may vanish
MOVES = 1e-4  # a step that changes W_x W_xᵀ by less has converged in what transform needs


class S2PPCA(IncrementalReducer):
    r"""Semi-supervised probabilistic principal component analysis (S2PPCA).

    One latent variable :math:`z \sim N(0, I)` of ``n_components`` dimensions explains the features
    x and, for labelled rows, the targets t, which encode the class [1]_:

    .. math:: x = W_x z + m_x + \varepsilon_x , \qquad t = W_y z + m_y + \varepsilon_y ,

    with noise of variance :math:`\sigma_x^2` and :math:`\sigma_y^2` in all directions. The
    parameters have maximum likelihood, found by EM from the solution of probabilistic PCA [2]_.
    ``transform`` gives the posterior mean of z from the features alone,

    .. math:: E[z \mid x] = (W_x^\top W_x + \sigma_x^2 I)^{-1} W_x^\top (x - m_x) .

    Without labels it is probabilistic PCA. A few labels hardly change it: all features of all rows
    count in the likelihood, but only the labelled rows' targets. With few labels prefer
    :class:`SELFDA` or :class:`PairSpace`.

    Labels and must-links are optional. Must-links are not part of [1]_: rows that they join count
    as a class. Cannot-links are ignored; if there is nothing else, that is an error.

    Parameters
    ----------
    n_components : int, float, "auto" or None, default=2
        The number of components; less than the rank of X, as noise needs a direction.
        A float between 0 and 1 is the share of the spread of all components that they must have.
        None stands for all: a metric. "auto" is the fewest, at least two, with 90 % of the spread
        of the first 32.
    max_iter : int, default=500
        The most steps of EM.
    tol : float, default=1e-7
        EM stops when a step increases the log-likelihood a row by less.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The matrix of the posterior mean, one component per row.
    mean_ : ndarray of shape (n_features,)
        The mean of the rows of X, which ``transform`` subtracts.
    eigenvalues_ : ndarray of shape (n_components,)
        The diagonal of :math:`W_x^\top W_x`, descending: z is turned so that it is diagonal.
    noise_variance_ : float
        The variance :math:`\sigma_x^2`.
    log_likelihood_ : ndarray of shape (n_iter + 1,)
        The log-likelihood at the start and after each step. It never falls.
    n_iter_ : int
        The number of steps of EM; 0 without labels of two classes.
    rank_ : int
        The rank of X − 1, the largest possible ``n_components``.
    n_directions_ : int or None
        The number of leading directions of X that were searched; None means all. Only a very wide
        X is limited: see :doc:`/guide/scale`. Variance outside of them is left out.
    n_features_in_ : int
        The number of features of X.
    feature_names_in_ : ndarray of shape (n_features,)
        The column names of X, if all of them are strings.

    See Also
    --------
    SELFDA : Between local Fisher discriminant analysis and PCA.
    WMV : PCA with weights by class.

    Notes
    -----
    The targets of C classes are C − 1 orthonormal contrasts of the indicators of the classes, so
    neither their names nor their order matter. The variance :math:`\sigma_y^2` is at least 1e-6 of
    the targets' variance. A step needs the sums over each class only, not the rows.

    References
    ----------
    .. [1] S. Yu, K. Yu, V. Tresp, H.-P. Kriegel, M. Wu, "Supervised Probabilistic Principal
       Component Analysis", ACM SIGKDD International Conference on Knowledge Discovery and Data
       Mining (KDD), 464-473, 2006. https://doi.org/10.1145/1150402.1150454
    .. [2] M. E. Tipping, C. M. Bishop, "Probabilistic Principal Component Analysis", Journal of the
       Royal Statistical Society B, 61(3):611-622, 1999. https://doi.org/10.1111/1467-9868.00196

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.preprocessing import scale
    >>> from pairspace import S2PPCA
    >>> X, y = load_wine(return_X_y=True)
    >>> X = scale(X)
    >>> round(S2PPCA(n_components=2).fit(X, y).score(X, y), 2)
    0.96
    """

    needs: ClassVar[Needs] = Needs(
        cannot="ignored",
        unlabelled=("spread",),
        class_sums=True,
        best_for="many labels, a model of the noise",
    )
    _learned: ClassVar[tuple[str, ...]] = (
        *IncrementalReducer._learned,
        "noise_variance_",
        "log_likelihood_",
        "n_iter_",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **IncrementalReducer._parameter_constraints,
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self, n_components: int | float | str | None = 2, *, max_iter: int = 500, tol: float = 1e-7
    ) -> None:
        self.n_components = n_components
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, Z: Rows, known: Supervision) -> Eigen:
        known.require_consistency()
        if not known.chunklets.n_known and len(known.pairs.cannot_link):
            raise ValueError(
                "S2PPCA learns from labels and must-links and got cannot-links only: use SSDR or "
                "WMV, which learn from cannot-links"
            )
        sums = Sums.of(Z, known.chunklets, self.n_features_in_)
        values, vectors = spectrum(sums.all)
        rank_of_X = rank(values)
        require_rank(1, rank_of_X, "X")
        self.rank_ = rank_of_X - 1
        if self.n_components > self.rank_:
            raise RankError(
                f"n_components={self.n_components} must be at most {self.rank_}, the rank of X − "
                f"1, as noise needs a direction; X has n_features={self.n_features_in_}",
                self.rank_,
            )
        model = sums.start(Eigen(values, vectors), int(self.n_components))
        model = self._maximised(sums, model)

        W, noise = model.W_x, model.noise_x
        lengths, turn = spectrum(W.T @ W)
        self.noise_variance_ = noise
        return Eigen(lengths, W @ turn / (lengths + noise))

    def _maximised(self, sums: Sums, model: Model) -> Model:
        """EM."""
        expected = sums.expected(model)
        likelihood = [sums.log_likelihood(model, expected)]
        gain = moved = np.inf
        n_steps = self.max_iter if sums.n_targets else 0
        while len(likelihood) <= n_steps and gain > self.tol:
            before, model = model, sums.step(expected)
            expected = sums.expected(model)
            likelihood.append(sums.log_likelihood(model, expected))
            gain = (likelihood[-1] - likelihood[-2]) / sums.n
            moved = _change(before, model)
        if n_steps and gain > self.tol and moved > MOVES:
            warn_caller(
                f"S2PPCA has not converged after max_iter={self.max_iter} steps: increase it",
                ConvergenceWarning,
            )
        self.n_iter_ = len(likelihood) - 1
        self.log_likelihood_ = np.array(likelihood)
        return model


class Model(NamedTuple):
    """The parameters, but for the means, which are fixed."""

    W_x: Floats
    W_y: Floats
    noise_x: float
    noise_y: float


class Expected(NamedTuple):
    """The posterior of z, summed over the rows.

    With u = W_x/σ_x² and v = W_y/σ_y² its mean is C·uᵀx without and C·(uᵀx + vᵀt) with a label.
    """

    C_unlabelled: Floats
    C_labelled: Floats
    x_unlabelled: Floats  # Σ x (uᵀx)ᵀ
    x_labelled: Floats  # Σ x (uᵀx + vᵀt)ᵀ
    t_labelled: Floats  # Σ t (uᵀx + vᵀt)ᵀ
    unlabelled: Floats  # Σ (uᵀx)(uᵀx)ᵀ
    labelled: Floats  # Σ (uᵀx + vᵀt)(uᵀx + vᵀt)ᵀ


@dataclass(frozen=True)
class Sums:
    """Sums over the rows, from which all steps follow.

    Targets are the centred indicators of the classes. These have a coordinate more than contrasts
    and the same lengths and products, so that only ``n_targets`` differs.
    """

    n: int
    d: int
    all: Floats  # Σ x xᵀ
    labelled: Floats  # the same over the labelled rows, about the mean of all rows
    with_targets: Floats  # Σ x tᵀ
    sizes: Floats

    @classmethod
    def of(cls, Z: Rows, classes: Classes, n_features: int) -> Sums:
        used = classes.sizes > 0
        sizes = classes.sizes[used].astype(np.float64)
        zeros = np.zeros((Z.shape[1], Z.shape[1]))
        if len(sizes) < 2:
            return cls(len(Z), n_features, Z.gram, zeros, zeros[:, :0], sizes[:0])
        reading = classes.read(Z)
        scatter = reading.about_means(lambda size: 1)
        means = reading.means[used] - Z.mean
        labelled = scatter + (means.T * sizes) @ means
        sum_of_rows = sizes @ means
        with_targets = means.T * sizes - np.outer(sum_of_rows, sizes / sizes.sum())
        return cls(len(Z), n_features, Z.gram, labelled, with_targets, sizes)

    @property
    def n_targets(self) -> int:
        return max(len(self.sizes) - 1, 0)

    @property
    def n_labelled(self) -> float:
        return float(self.sizes.sum())

    @property
    def target_scatter(self) -> float:
        """Σ ‖t‖²"""
        n = self.n_labelled
        return n - float(self.sizes @ self.sizes) / n if n else 0.0

    def times_targets(self, vectors: Floats) -> Floats:
        """(Σ t tᵀ)·v: a diagonal less a product, never written down."""
        scaled = self.sizes[:, None] * vectors
        return scaled - np.outer(self.sizes, scaled.sum(axis=0)) / self.n_labelled

    def start(self, principal: Eigen, k: int) -> Model:
        """Probabilistic PCA in closed form, and least squares of the targets on E[z | x]."""
        variances = principal.values[:k] / self.n
        noise = float((np.trace(self.all) / self.n - variances.sum()) / (self.d - k))
        W_x = principal.vectors[:, :k] * np.sqrt(np.maximum(variances - noise, 0))
        if not self.n_targets:
            return Model(W_x, np.zeros((0, k)), noise, 1.0)
        to_z = W_x / variances  # E[z | x] = to_zᵀ x, as W_xᵀW_x + σ² is diagonal here
        V = whiten(to_z.T @ self.labelled @ to_z)
        products = self.with_targets.T @ to_z
        W_y = products @ V @ V.T
        return Model(W_x, W_y, noise, self._noise_of_targets(W_y, products))

    def _noise_of_targets(self, W_y: Floats, products: Floats) -> float:
        count = self.n_labelled * self.n_targets
        left = self.target_scatter - float(np.sum(W_y * products))
        return max(left, LEAST_NOISE * self.target_scatter) / count

    def expected(self, model: Model) -> Expected:
        """The E-step."""
        u, v = model.W_x / model.noise_x, model.W_y / model.noise_y
        precision = np.eye(u.shape[1]) + model.W_x.T @ u
        x_labelled = self.labelled @ u
        x_unlabelled = self.all @ u - x_labelled
        x_labelled += self.with_targets @ v
        t_labelled = self.with_targets.T @ u + self.times_targets(v)
        return Expected(
            np.asarray(np.linalg.inv(precision)),
            np.asarray(np.linalg.inv(precision + model.W_y.T @ v)),
            x_unlabelled,
            x_labelled,
            t_labelled,
            u.T @ x_unlabelled,
            u.T @ x_labelled + v.T @ t_labelled,
        )

    def step(self, expected: Expected) -> Model:
        """The M-step: the regressions of x and t on z."""
        C_u, C_l = expected.C_unlabelled, expected.C_labelled
        x_z = expected.x_unlabelled @ C_u + expected.x_labelled @ C_l
        t_z = expected.t_labelled @ C_l
        zz_l = self.n_labelled * C_l + C_l @ expected.labelled @ C_l
        zz_u = (self.n - self.n_labelled) * C_u + C_u @ expected.unlabelled @ C_u
        W_x, W_y = _regressed(x_z, zz_u + zz_l), _regressed(t_z, zz_l)
        left = float(np.trace(self.all) - np.sum(W_x * x_z))
        return Model(W_x, W_y, left / (self.n * self.d), self._noise_of_targets(W_y, t_z))

    def log_likelihood(self, model: Model, expected: Expected) -> float:
        """The log-likelihood of all features, and of the targets of the labelled rows."""
        C_u, C_l = expected.C_unlabelled, expected.C_labelled
        explained = np.sum(C_u * expected.unlabelled) + np.sum(C_l * expected.labelled)
        squares = np.trace(self.all) / model.noise_x + self.target_scatter / model.noise_y
        n_labelled = self.n_labelled
        log_determinants = self.n * self.d * np.log(2 * np.pi * model.noise_x)
        log_determinants += n_labelled * self.n_targets * np.log(2 * np.pi * model.noise_y)
        log_determinants -= (self.n - n_labelled) * np.linalg.slogdet(C_u)[1]
        log_determinants -= n_labelled * np.linalg.slogdet(C_l)[1]
        return float(-(log_determinants + squares - explained) / 2)


def _regressed(products: Floats, moments: Floats) -> Floats:
    return np.asarray(np.linalg.solve(moments, products.T).T, dtype=np.float64)


def _change(before: Model, after: Model) -> float:
    """How much W_x W_xᵀ changes, relative to it and the noise, from products of columns alone."""
    a, b = before.W_x.T @ before.W_x, after.W_x.T @ after.W_x
    squared = np.sum(a**2) + np.sum(b**2) - 2 * np.sum((before.W_x.T @ after.W_x) ** 2)
    return float(np.sqrt(max(squared, 0.0)) / (np.sqrt(np.sum(b**2)) + after.noise_x))
