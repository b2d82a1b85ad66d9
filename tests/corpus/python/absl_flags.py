from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_integer("batch_size", 128, "Batch size.")
flags.DEFINE_float('learning_rate', 0.001, 'Learning rate.')
flags.DEFINE_bool("use_amp", False, "Mixed precision.")
