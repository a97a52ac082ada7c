# /// polytab
# measures = true
# ///

# %% product
from mxnet import np, npx

from measure import compare, sweep

npx.set_np()


def ready(result):
    npx.waitall()


exact_a = np.random.uniform(size=(512, 512), dtype="float64")
exact_b = np.random.uniform(size=(512, 512), dtype="float64")


def product(kind):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    return lambda: np.dot(a, b)


def converted(kind):
    a, b = exact_a.astype(kind), exact_b.astype(kind)
    return lambda: np.dot(a.astype("float32"),
                          b.astype("float32")).astype(kind)


compare("product", float64=product("float64"), float32=product("float32"),
        float16_converted=converted("float16"), wait=ready)

# %% refused raises="MXNetError"
product("float16")().asnumpy()


# %% addition
def additions(size):
    def addition(kind):
        a, b = np.ones(size, dtype=kind), np.zeros(size, dtype=kind)
        return lambda: np.add(a, b, out=a)

    return {kind: addition(kind) for kind in ("float64", "float32", "float16")}


sweep("addition", "numbers", [2**16, 2**24], additions, wait=ready)


# %% sums-of-ones
def one_by_one(numbers):
    total = np.zeros_like(numbers[0])
    for number in numbers:
        total = total + number
    return total


ones = np.ones(4096, dtype="float16")
print(f"float16: one by one {float(one_by_one(ones)):.0f},"
      f" sum {float(ones.sum()):.0f}")
