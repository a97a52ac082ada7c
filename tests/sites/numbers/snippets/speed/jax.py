# /// polytab
# measures = true
# ///

# %% forward
import measure

measure.compare("forward", eager=list, compiled=tuple)
