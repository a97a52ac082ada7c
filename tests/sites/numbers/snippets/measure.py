def compare(name, **cases):
    return name, cases
