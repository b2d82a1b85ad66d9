def add_training_args(parser):
    group = parser.add_argument_group("training")
    group.add_argument("--micro-batch-size", type=int, default=None, help="Batch size per model instance")
    group.add_argument("--global-batch-size", type=int, default=None)
    group.add_argument("--train-iters", type=int, default=None)
    group.add_argument("--num-workers", type=int, default=2)
    group.add_argument("--lr", type=float, default=None)
    group.add_argument("--recompute-activations", action="store_true")
    group.add_argument("--no-persist-layer-norm", action="store_true")
    return parser
