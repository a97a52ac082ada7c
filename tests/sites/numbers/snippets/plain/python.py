# /// polytab
# measures = true
# ///

# %% sum
import measure

measure.compare("sum", loop=list, built_in=sum)
