"""What frameworks and kernels really print, and what must come through unchanged."""

from __future__ import annotations

from hypothesis import strategies as st

ENVIRONMENT = "/home/a/book/_build/envs/torch-cpu-0a1b/lib/python3.11/site-packages"
PLACES = {"/scratch/p-x1/work/": "", "/scratch/p-x1/work": ".", "/scratch/p-x1/": ""}

# What frameworks and kernels really write, by the reason of the rule that is for it.
LOGS = {
    "a progress bar of tqdm": [
        "100%|██████████| 10/10 [00:00<00:00, 1234.56it/s]",
        "Epoch 1:  30%|███       | 3/10 [00:01<00:02,  2.91it/s, loss=0.1]",
    ],
    "the glog family, in which many libraries in C++ log": [
        "I0000 00:00:1763690000.123456    4711 port.cc:153] oneDNN custom operations are on.",
        "I0000 00:00:1763690001.000001    4711 service.cc:153] XLA service 0x1a2b3c initialized",
        "E0000 00:00:1763690000.1    4711 cuda_dnn.cc:8310] Unable to register cuDNN factory",
        "I1121 01:23:45.123456 12345 pir_interpreter.cc:1606] New Executor is Running ...",
        "W1121 01:23:45.123456   345 eager_utils.cc:3584] Paddle static graph(PIR) not support!",
        "W1121 01:23:19.922000 6560 torch/fx/experimental/symbolic_shapes.py:8866] Unable to find",
    ],
    "the kernel's own log": [
        "[IPKernelApp] WARNING | Kernel is running over TCP without encryption.",
    ],
}

# What the handbook's settings say that is no output, by what it is.
OWN_LOGS = {
    "PyTorch's profiler, in C++": [
        "USDT:2026-11-23 20:02:09 4242:4242 SyncActivityProfilerHandler.cpp:52] profiler_start",
    ],
    "TensorFlow's C++ log": [
        "2026-11-21 01:00:00.123456: I tensorflow/core/util/port.cc:153] oneDNN custom operations",
        "2026-11-21 01:00:00.123456: W external/local_xla/xla/service.cc:1] Could not find",
    ],
    "absl in TensorFlow": [
        "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR",
    ],
    "the second line of a notice of TensorFlow's": [
        (
            "To enable the following instructions: AVX2 AVX512F FMA, in other operations, rebuild "
            "TensorFlow with the appropriate compiler flags."
        ),
    ],
    "TensorFlow's Python log": ["INFO:tensorflow:Assets written to: net/assets"],
    "MXNet's C++ log": [
        "[01:23:45] ../src/storage/storage.cc:196: Using Pooled (Naive) StorageManager for CPU",
        "[01:23:45] src/base.cc:79: cuDNN lib mismatch",
    ],
    "Paddle, of our threads": [
        (
            "WARNING: OMP_NUM_THREADS set to 2, not 1. The computation speed will not be optimized "
            "if you use data parallel."
        ),
    ],
    "Paddle, of our threads, the second line": ["PLEASE USE OMP_NUM_THREADS WISELY."],
    "Paddle, of its own code": [
        (
            f"{ENVIRONMENT}/paddle/pir/math_op_patch.py:241: UserWarning: Tensor do not have "
            "'place' interface for pir graph mode, try not to use it. None will be returned.\n"
            "  warnings.warn("
        ),
    ],
    "PyTorch, of its own code": [
        (
            "/opt/python/3.11.7/lib/python3.11/copyreg.py:105: FutureWarning: "
            "`isinstance(treespec, LeafSpec)` is deprecated, use `isinstance(treespec, TreeSpec)`\n"
            "  return cls.__new__(cls, *args)"
        ),
    ],
    "PyTorch, of the caches a script switches off": [
        (
            f"{ENVIRONMENT}/torch/_dynamo/pgo.py:517: UserWarning: "
            "dynamo_pgo force disabled by torch.compiler.config.force_disable_caches\n"
            "  warnings.warn("
        ),
    ],
    "Paddle, of the machine": [
        (
            f"{ENVIRONMENT}/paddle/utils/cpp_extension/extension_utils.py:712: UserWarning: "
            "No ccache found. Please be aware that recompiling all source files may be required.\n"
            "  warnings.warn(warning_message)"
        ),
        "/home/a b/paddle/extension_utils.py:712: UserWarning: No ccache found. Please be aware",
    ],
}

REPLACED = {
    "terminal colours and cursor movements": [
        ("\x1b[1mbold\x1b[0m \x1b[38;5;28;01mred\x1b[39;00m\x1b[2K\x1b[1A", "bold red"),
    ],
    "a return at the end of a line, where nothing is overwritten": [
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("done\r", "done"),
    ],
    "what a line overwrites, as progress bars do": [
        ("10 of 20\r20 of 20\nend", "20 of 20\nend"),
        ("a\rb\rc\r", "c"),
    ],
    "half a character: no file can hold it": [("a\ud83d b", "a� b")],
    "where the packages lie": [
        (f"{ENVIRONMENT}/mxnet/gluon/block.py:1784: UserWarning", "site-packages/mxnet/gluon/"),
        (f'  File "{ENVIRONMENT}/keras/a.py", line 8', '  File "site-packages/keras/a.py", line 8'),
        (f"['/data/x', '{ENVIRONMENT}/a']", "['/data/x', 'site-packages/a']"),
        (f"/data/x:{ENVIRONMENT}/a", "/data/x:site-packages/a"),
    ],
    "where Python lies": [
        ("/opt/python/3.11.7/lib/python3.11/json/decoder.py", "lib/python3.11/json/"),
    ],
    "an object's address, as Python shows it": [
        ("<function f at 0x7f12ab34cd56>", "<function f at 0x…>"),
        ("<code object f at 0x1c2d3e0, file 'a'>", "<code object f at 0x…, file 'a'>"),
        ("&lt;net.Net object at 0x9d3f20&gt;", "&lt;net.Net object at 0x…&gt;"),
    ],
    "an address in the ranges of x86-64 and of 64-bit ARM": [
        ("ptr=0x7f12ab34cd56,", "ptr=0x…,"),
        ("ptr=0x00005581a0b1c2d3", "ptr=0x…"),
        ("ptr=0xffffa0b1c2d3", "ptr=0x…"),
    ],
    "a moment in time": [
        ("made 2026-11-21 01:02:03.456 UTC", "made (date) UTC"),
        ("made 2026-11-21T01:02:03", "made (date)"),
    ],
}

KEPT = [
    "100%| of the readers",
    "50%|50%",
    "I2024 is the year",
    "I1121 01:23:45 is no log line",
    "E = m * c**2",
    "W1 [0]",
    "[12:00:00] lunch",
    "[01:23:45] ../src is a folder",
    "To enable the following instructions: read on",
    "INFO: all is well",
    "INFO: INFO:tensorflow:",
    "WARNING: OMP_NUM_THREADS is not set",
    "UserWarning: No ccache found",
    "cell net:3: UserWarning: my own warning\n  warnings.warn('x')",
    "WARNING:tensorflow:5 out of the last 5 calls triggered retracing",
    "site-packages/numpy and lib/python3.11/json",
    "./env/lib/python3.11/x ~/lib/python3.11/x a-b/lib/python3.11/x",
    "docs/lib/python3.11/ and https://example.org/lib/python3.11/site-packages/x",
    "/data/points.csv",
    "0x3ff0000000000000 0x7f800000 0x10000000000 0xdeadbeef",
    "released 2026-11-21, at 01:02:03",
    "  indented\n\n\nwith blank lines  \n",
    "tab\tand é 中文 🙂 �",
    "+-----+\n| 30% |\n+-----+",
    '  File "../src/imperative/imperative.cc", line 293',
]

_PIECES = st.sampled_from(
    [
        *[line for lines in (*LOGS.values(), *OWN_LOGS.values()) for line in lines],
        *[text for pairs in REPLACED.values() for text, _ in pairs],
        *KEPT,
        *("\n", "\r", "\x1b[", "\x1b[0m", "0x", "/site-packages/", "2026-11-21", " 01:02:03", "  "),
        *("/scratch/p-x1/work", "/", " at ", "7f12ab34cd56", ">", "100%|", "[00:00<"),
    ]
)
TEXTS = st.lists(_PIECES | st.text(max_size=3), max_size=8).map("".join)
