"""Table II of the SSWMV paper: the error of 1-NN with labels of 90 % and of 50 % of the rows."""

from experiments.papers.sswmv import PROPAGATIONS, error_of_1nn, prepare_labels, search_of
from experiments.protocols import mean_of_each
from experiments.table import Table, printed

PAPER = printed("""
                   a90  a50   b90  b50    c90  c50   d90  d50   e90  e50
liver              .38  .382  .377 .371   .317 .377  .368 .386  .38  .395
wine               .078 .084  .072 .0752  .272 .498  .267 .309  .267 .309
heart              .244 .236  .241 .227   .263 .288  .267 .237  .270 .244
australian         .189 .201  .189 .201   .207 .212  .187 .214  .187 .214
climate            .067 .094  .067 .094   .065 .082  .085 .087  .061 .088
messidor_debrecen  .318 .373  .319 .374   .396 .388  .395 .389  .406 .387
german_numeric     .347 .336  .343 .334   .344 .368  .342 .377  .341 .38
wdbc               .095 .066  .094 .064   .089 .094  .096 .092  .095 .092
dermatology        .044 .067  .045 .067   .092 .527  .092 .157  .092 .157
ionosphere         .092 .123  .086 .112   .117 .129  .119 .131  .105 .135
qsar_biodeg        .22  .222  .212 .231   .206 .251  .215 .246  .211 .244
spectf             .237 .238  .241 .245   .255 .278  .204 .249  .222 .277
sonar              .219 .244  .219 .235   .195 .267  .2   .228  .214 .222
ozone8h            .112 .117  .113 .122   .114 .132  .119 .115  .114 .12
hill_valley_noise  .042 .069  .034 .035   .035 .296  .302 .367  .300 .364
""")
SHARES = {"90 % of the labels": (0.9, "90"), "50 % of the labels": (0.5, "50")}

TABLE = Table(
    name="sswmv_table2",
    title="SSWMV, Table II: error of 1-NN after reduction",
    datasets=tuple(PAPER),
    quick_datasets=("wine",),
    methods={method: search_of(how) for method, how in PROPAGATIONS.items()},
    settings={setting: {"share": share} for setting, (share, _) in SHARES.items()},
    repeats=5,
    quick_repeats=1,
    prepare=prepare_labels,
    measure=error_of_1nn,
    summarise=mean_of_each,
    document="reproduction/sswmv",
)
